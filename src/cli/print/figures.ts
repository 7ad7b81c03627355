// The figures of a run's report, as `sluice report --json` prints them.
import { capJson } from '../../app/state/keep-caps.js';
import type { RunFigures } from '../../model/report/run-figures.js';
import { boundOf, forecastOf, type Histogram } from '../../model/report/series.js';
import type { Run } from '../../model/run.js';
import type { RunSeries } from '../../ports/store/series.js';
import { summaryJson } from './summary.js';

/** The summary of the run, and the further figures; a value that is not known is null. */
export function figuresJson({ at, cost, quality, run, state, tally, time, trouble }: RunFigures) {
  const sourceOf = ({ line, source }: { readonly line: number; readonly source: number }) => ({
    source: run.sources[source] ?? null,
    line,
  });
  return {
    ...summaryJson(run, tally, undefined, undefined, cost.charges),
    state,
    at: new Date(at).toISOString(),
    cost: {
      paid: cost.paid,
      may_be_charged: cost.charges?.credits ?? null,
      budget: cost.budget,
      caps: (cost.caps ?? []).map(capJson),
      forecast_max: cost.forecastMax,
      by_ask: cost.byAsk?.map(({ paidNow, ...one }) => ({ ...one, paid_now: paidNow })) ?? null,
    },
    quality: quality && {
      columns: quality.columns,
      email_status: Object.fromEntries(
        quality.emailStatus.map(({ status, leads }) => [status, leads]),
      ),
      domain_match: quality.domainMatch,
      answers: {
        paid_now: quality.answers.paidNow,
        shared: quality.answers.shared,
        known: quality.answers.known.map(({ daysMax, leads }) => ({ days_max: daysMax, leads })),
      },
    },
    trouble: {
      reasons: trouble.reasons.map(({ command, leads, places, reason, status }) => ({
        status,
        reason,
        leads,
        places: places.map(sourceOf),
        command,
      })),
      rejects: trouble.rejects.map((one) => ({ ...sourceOf(one), reason: one.reason })),
      disturbances: trouble.disturbances,
      advice: trouble.advice,
    },
    series: seriesJson(run, { ...time, histograms: time }),
  };
}

export function seriesJson(run: Run, { asked, buckets, histograms, widthMs }: RunSeries) {
  const { creditsMax, leads, onTheirWay, timeMsMin, toPay } = forecastOf(run, asked);
  const limit = run.pace?.limit ?? null;
  return {
    width_ms: widthMs,
    limit:
      limit === null || limit === 'off' ? limit : { requests: limit.requests, per_ms: limit.perMs },
    forecast: {
      leads,
      to_pay: toPay,
      on_their_way: onTheirWay,
      credits_max: creditsMax,
      time_ms_min: timeMsMin,
    },
    buckets: buckets.map((bucket) => ({
      at: new Date(bucket.at).toISOString(),
      found: bucket.found,
      not_found: bucket.notFound,
      failed: bucket.failed,
      credits: bucket.credits,
      submits: bucket.submits,
      polls: bucket.polls,
      others: bucket.others,
      peak: bucket.peak,
      throttled: bucket.throttled,
      paused_ms: bucket.pausedMs,
    })),
    histograms: {
      answers_ms: stepsJson(histograms.answers),
      http_ms: stepsJson(histograms.http),
    },
  };
}

/** Each step with a value, from its lowest value up to below `to`; values beyond the last step are on it. */
function stepsJson(histogram: Histogram) {
  return histogram
    .map((count, step) => ({ from: boundOf(step), to: boundOf(step + 1), count }))
    .filter(({ count }) => count > 0);
}
