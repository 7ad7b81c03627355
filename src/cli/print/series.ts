// The counts of a run over time, as `sluice status --json --series` prints them.
import { boundOf, forecastOf, type Histogram } from '../../model/report/series.js';
import type { Run } from '../../model/run.js';
import type { RunSeries } from '../../ports/store/series.js';

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
