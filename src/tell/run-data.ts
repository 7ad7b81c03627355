// The data of a run for scripts: constant keys, and null for what was not looked up.

import type { RunReport } from '../app/run/run-options.js';
import type { Span } from '../html/charts/answered-chart.js';
import { tellMoney } from '../model/credits.js';
import { billOf } from '../model/report/bill.js';
import { type BudgetUse, leftOfBudget } from '../model/report/next-step.js';
import type { OpenCharges } from '../model/report/open-charges.js';
import { refusedData } from '../model/report/refused-deliveries.js';
import type {
  AskCost,
  CostFigures,
  PlaceOfLine,
  RunFigures,
  SeenBeside,
} from '../model/report/run-figures.js';
import { boundOf, forecastOf, type Histogram, leftAt } from '../model/report/series.js';
import { sizeData } from '../model/report/state-size.js';
import { type Run, type ShownState, shownState } from '../model/run.js';
import { capData } from '../model/schedule/caps.js';
import { formatRate } from '../model/schedule/rate.js';
import type { RunTally } from '../model/tally.js';
import type { StepTally } from '../model/waterfall/provenance.js';
import type { RunSeries } from '../ports/store/runs.js';
import type { Part, Section } from './page.js';
import { eachOf } from './shared.js';

/** A run, and what is known of it: its end, once it has been reported, or what a look beside it has found. */
export interface KnownRun {
  readonly run: Run;
  readonly tally: RunTally;
  readonly report?: RunReport | undefined;
  readonly seen?: SeenBeside | undefined;
  readonly charges?: OpenCharges | null;
  readonly cost?: CostFigures;
}

export function runData(known: KnownRun) {
  const { report, run, seen, tally } = known;
  const { balance, exported, listed } = report ?? {};
  const table = exported?.out === null ? null : exported;
  const { credits, money } = billOf(tally, run.credit);
  const budget = budgetUseIn(known);
  return {
    run: run.id,
    job: run.job,
    state: stateOf(known),
    stoppedWhy: run.left?.said ?? null,
    leads: tally.leads,
    rejects: tally.rejects,
    byStatus: tally.byStatus,
    askedAgain: tally.askedAgain,
    reasons: tally.reasons,
    inPart: tally.inPart.reasons,
    enrichments: tally.enrichments,
    fromCache: tally.fromCache,
    knownInPart: tally.knownInPart ?? 0,
    credits,
    steps: tally.steps?.map(stepData) ?? null,
    money,
    mayBeCharged: tally.steps === undefined ? (chargesOf(known)?.credits ?? null) : null,
    budget: budget?.credits ?? null,
    budgetSpent: budget?.spent ?? null,
    budgetLeft: budget && leftOfBudget(budget),
    pricesAssumed: run.arePricesAssumed,
    byAsk: byAskOf(known)?.map(askData) ?? null,
    balanceBefore: balance?.before ?? null,
    balanceAfter: balance?.after ?? null,
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    out: table?.out ?? run.output.out,
    rows: table?.rows ?? null,
    rejectsFile: exported?.rejects ?? null,
    reportFile: report?.reportFile ?? null,
    changes: report?.changes ?? null,
    positions: exported?.further.positions ?? null,
    companies: exported?.further.companies ?? null,
    key: exported?.key ?? null,
    changedCells: exported?.changed ?? null,
    list: listed?.listId ?? seen?.list?.listId ?? null,
    listed: listed?.added ?? seen?.list?.added ?? null,
    pendingDeliveries: seen?.pendingDeliveries ?? null,
    refusedDeliveries: (report?.refused ?? seen?.refused)?.map(refusedData) ?? null,
    disturbances:
      seen?.disturbances.map(({ count, lastAt, type }) => ({ type, count, lastAt })) ?? null,
    caps: seen?.caps.map(capData) ?? null,
    pausedAt: seen?.pausedAt ?? null,
    durationMs: report === undefined ? null : report.endedAt - report.startedAt,
    ...sizeData(seen?.stateSize ?? null),
  };
}

function stepData({ credit, ...step }: StepTally) {
  const each = eachOf(step.credits, step.bought, credit);
  return { ...step, money: credit && tellMoney(step.credits, credit), each };
}

export function budgetUseIn({ report, seen }: KnownRun): BudgetUse | null {
  return report?.budget ?? seen?.budget ?? null;
}

export function chargesOf({ charges, cost, report }: KnownRun): OpenCharges | null {
  return charges ?? cost?.charges ?? report?.charges ?? null;
}

export function byAskOf({ cost, report }: KnownRun): readonly AskCost[] | null {
  return cost?.byAsk ?? report?.byAsk ?? null;
}

/**
 * No process works on a run that this process has just reported. A run that was not looked at counts as being worked
 * on.
 */
export function stateOf({ report, run, seen }: KnownRun): ShownState {
  const { isAtWork = true, task = null } = seen ?? {};
  const pausedAt = seen?.pausedAt ?? (run.left?.by === 'paused' ? (report?.endedAt ?? null) : null);
  return shownState(run, { isAtWork: report === undefined && isAtWork, pausedAt, task });
}

/** What `sluice report --json` prints: the run, and its further figures. */
export function figuresData(figures: RunFigures) {
  const { at, cost, quality, run, seen, state, tally, time, trouble } = figures;
  const placeOf = ({ line, source }: PlaceOfLine) => ({
    source: run.sources[source] ?? null,
    line,
  });
  const { budget, caps = [], charges, forecastMax } = cost;
  return {
    ...runData({ run, tally, seen, cost }),
    state,
    at,
    cost: {
      paid: billOf(tally).credits,
      mayBeCharged: tally.steps === undefined ? charges.credits : null,
      budget,
      caps: caps.map(capData),
      forecastMax,
    },
    quality: quality && {
      ...quality,
      emailStatus: new Map(quality.emailStatus.map(({ leads, status }) => [status, leads])),
    },
    trouble: {
      ...trouble,
      reasons: trouble.reasons.map((one) => ({ ...one, places: one.places.map(placeOf) })),
      rejects: trouble.rejects.map((one) => ({ ...placeOf(one), reason: one.reason })),
    },
    series: seriesData(run, { ...time, histograms: time }),
  };
}

function askData({ money, ...one }: AskCost) {
  return { ...one, money: money === undefined ? null : tellMoney(1, money) };
}

export function seriesData(run: Run, { asked, buckets, histograms, widthMs }: RunSeries) {
  const { expected: _, ...forecast } = forecastOf(run, asked);
  return {
    widthMs,
    limit: run.pace === undefined ? null : formatRate(run.pace.limit),
    forecast,
    buckets,
    histograms: {
      answersMs: stepsOf(histograms.answers),
      httpMs: stepsOf(histograms.http),
    },
  };
}

/** Each step with a value, from its lowest value up to below `to`; values beyond the last step are on it. */
function stepsOf(histogram: Histogram) {
  return histogram
    .map((count, step) => ({ from: boundOf(step), to: boundOf(step + 1), count }))
    .filter(({ count }) => count > 0);
}

type Figures = Omit<RunFigures, 'run' | 'seen' | 'tally'>;

export interface ToldRun extends KnownRun, Partial<Figures> {
  /** The name of the dropped file of its job. */
  readonly file?: string | null;
  /** What draws its time; without it no chart is told. */
  readonly charts?: Charts;
  /** Sentences about the next steps, where its trouble is not known. */
  readonly next?: readonly string[];
}

export interface Charts {
  readonly answersOverTime: (told: Known) => Part[];
  readonly timeSection: (told: Known) => Section[];
}

/** A run of which the state is known. */
export type Known = ToldRun & { readonly state: ShownState };
export type Timed = Known & Pick<RunFigures, 'time'>;

/** The time in ms in a range of a run in which processes worked on it. */
export function workedMs({ idleMs = 0 }: Run, { from, to }: Span): number {
  return Math.max(0, to - from - idleMs);
}

/**
 * The range from the first count to the last, even if the clock changed the run's own times. It grows only while a
 * process works on the run.
 */
export function spanOf({ at, run, state, time }: Timed): Span {
  const { buckets, widthMs } = time;
  const [first, last] = [buckets[0], buckets.at(-1)];
  const now = at ?? run.endedAt ?? run.startedAt;
  const isAtWork = state === 'reading' || state === 'working';
  const end = isAtWork ? (run.endedAt ?? now) : leftAt(run, time, now);
  if (first === undefined || last === undefined) return { from: run.startedAt, to: end };
  return {
    // A bucket begins before its counts, so one that begins less than a bucket before the run does not extend the
    // range.
    from: first.at < run.startedAt - widthMs ? first.at : run.startedAt,
    to: Math.max(end, Math.min(last.at + widthMs, Math.max(end, last.at + 1))),
  };
}
