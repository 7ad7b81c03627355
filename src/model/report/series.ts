// The counts of a run over time, for the charts of its report: a bounded number of buckets of one width, and histograms
// with fixed bounds. If there are too many buckets they are merged two by two; sums and maxima stay exact.
import type { Ask } from '../ask.js';
import { sumCredits } from '../credits.js';
import type { Run, RunPlan } from '../run.js';
import { leastRunMs } from '../schedule/rate.js';
import { highestTotal } from '../verdict.js';

/** The counts of a bucket; `peak` is a maximum, and all others are sums. */
export interface SeriesCounts {
  found: number;
  notFound: number;
  failed: number;
  credits: number;
  submits: number;
  polls: number;
  others: number;
  /** The most requests in one window of the limit, or in a second without one, of those that begin in this bucket. */
  peak: number;
  /** How often the platform asked for a pause, by 429 or as its dialect says. */
  throttled: number;
  /** The time for which it asked for pauses, in ms; overlapping pauses count once. */
  pausedMs: number;
}

export interface SeriesBucket extends SeriesCounts {
  readonly at: number;
}

export interface Timeline {
  /** A second, or twice as much, or four times, and so on. */
  readonly widthMs: number;
  readonly buckets: readonly SeriesBucket[];
}

/** The width of a bucket before anything is merged. */
export const WIDTH_MS_MIN = 1_000;
export const BUCKETS_MAX = 240;

export function noCounts(): SeriesCounts {
  return {
    found: 0,
    notFound: 0,
    failed: 0,
    credits: 0,
    submits: 0,
    polls: 0,
    others: 0,
    peak: 0,
    throttled: 0,
    pausedMs: 0,
  };
}

function addCounts(counts: SeriesCounts, more: Readonly<Partial<SeriesCounts>>): void {
  for (const key of Object.keys(more) as (keyof SeriesCounts)[]) {
    const [before, value = 0] = [counts[key], more[key]];
    if (key === 'peak') counts.peak = Math.max(before, value);
    else counts[key] = key === 'credits' ? sumCredits([before, value]) : before + value;
  }
}

export function bucketOf(at: number, widthMs: number): number {
  return Math.floor(at / widthMs) * widthMs;
}

/** Counts in buckets of this width, oldest first. */
export function toBuckets(
  counts: readonly (Readonly<Partial<SeriesCounts>> & { readonly at: number })[],
  widthMs: number,
): SeriesBucket[] {
  const buckets = new Map<number, SeriesBucket>();
  for (const { at, ...more } of counts) {
    const start = bucketOf(at, widthMs);
    const bucket = buckets.get(start) ?? { at: start, ...noCounts() };
    addCounts(bucket, more);
    buckets.set(start, bucket);
  }
  return [...buckets.values()].sort((one, other) => one.at - other.at);
}

/** The same timeline with at most `max` buckets, none narrower than `widthMsMin`: widths are doubled until it fits. */
export function fitTimeline(
  { buckets, widthMs }: Timeline,
  max = BUCKETS_MAX,
  widthMsMin = 0,
): Timeline {
  if (buckets.length <= max && widthMs >= widthMsMin) return { buckets, widthMs };
  const width = widthMs * 2;
  return fitTimeline({ buckets: toBuckets(buckets, width), widthMs: width }, max, widthMsMin);
}

/** The number of values in each step of the ladder, from the lowest step up to the highest with a value. */
export type Histogram = readonly number[];

export function addHistograms(one: Histogram, other: Histogram): Histogram {
  const [longer, shorter] = one.length < other.length ? [other, one] : [one, other];
  return longer.map((count, step) => count + (shorter[step] ?? 0));
}

/** The last step of the ladder: 37 hours, if values are in ms. */
export const STEP_MAX = 54;

/** The step of a value on the ladder 0, 1, 2, 3, 4, 6, 8, 12, …: above 2, each second bound is twice as high. */
export function stepOf(value: number): number {
  if (!(value >= 1)) return 0;
  if (value < 2) return 1;
  const doublings = Math.floor(Math.log2(value));
  return Math.min(STEP_MAX, 2 * doublings + (value >= 1.5 * 2 ** doublings ? 1 : 0));
}

/** The lowest value on a step of a histogram: 0, 1, 2, 3, 4, 6, 8, 12, 16, 24 and so on. */
export function boundOf(step: number): number {
  if (step < 2) return step;
  return 2 ** Math.floor(step / 2) * (step % 2 === 0 ? 1 : 1.5);
}

export interface AskedLeads {
  readonly leads: number;
  /** Those whose answer was not known when the run began. */
  readonly expected: number;
  /** Enrichments that the run had to send for them, by what it asks. */
  readonly toPay: readonly { readonly ask: readonly Ask[]; readonly count: number }[];
  /** Enrichments for them that another run had sent, and that this one awaited. */
  readonly onTheirWay: number;
}

export interface RunForecast extends Omit<AskedLeads, 'toPay'> {
  readonly toPay: number;
  /** Null for a waterfall: each step has its own price. */
  readonly creditsMax: number | null;
  /** The least time that the limit allows, in ms; null without a limit, and for a waterfall. */
  readonly timeMsMin: number | null;
}

export function forecastOf({ pace, priceMax, prices }: RunPlan, asked: AskedLeads): RunForecast {
  const { onTheirWay } = asked;
  const toPay = asked.toPay.reduce((sum, { count }) => sum + count, 0);
  return {
    ...asked,
    toPay,
    creditsMax: priceMax === undefined ? null : highestTotal(asked.toPay, prices),
    timeMsMin: pace === undefined ? null : leastRunMs(pace, toPay, onTheirWay),
  };
}

/** Until when a run was worked on, if no process works on it: its end, or when it was left, but for its last bucket; else `at`. */
export function leftAt(
  { endedAt, endedBefore, left, state }: Run,
  timeline: Timeline,
  at: number,
): number {
  const end = endedAt ?? left?.at ?? at;
  if (endedBefore !== undefined) return endedBefore;
  const last = timeline.buckets.at(-1);
  if (state === 'finished' || last === undefined) return end;
  return Math.min(end, last.at + timeline.widthMs);
}
