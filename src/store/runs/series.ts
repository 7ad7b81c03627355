// What a verb counts for runs over time, for every store. It counts in memory while it works, and its store writes that
// at its end, within its transaction: one row for each run and bucket, however many enrichments the verb was about.
import { fromThousandths, toThousandths } from '../../model/credits.js';
import {
  addCounts,
  addHistograms,
  bucketOf,
  noCounts,
  type SeriesBucket,
  type SeriesCounts,
  stepOf,
  WIDTH_MS_MIN,
} from '../../model/report/series.js';
import type { IngestCount, Settlement } from '../../ports/store/enrichments.js';
import type { NotedRequests, RunHistograms } from '../../ports/store/series.js';

const KEYS = Object.keys(noCounts()) as (keyof SeriesCounts)[];
/** The columns of `series_buckets`, but for the run and `at`. */
export const SERIES_COLUMNS = KEYS.map((key) =>
  key === 'credits' ? 'thousandths' : key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);

/** `histograms` of a run that begins. */
export const NO_HISTOGRAMS = JSON.stringify({
  polled: [],
  delivered: [],
  polls: [],
  http: [],
} satisfies RunHistograms);

/** What an enrichment was before it ended: as a row, which costs less than an object. */
export type Seen = readonly [
  isAwaited: 0 | 1,
  runId: number,
  paidBy: number | null,
  submittedAt: number | null,
  pollCount: number,
  thousandths: number,
];

/** What brought an answer: the reply to its submission, a poll or a webhook. */
export type AnsweredBy = 'submit' | 'polled' | 'delivered';

/** What one verb counts for one run. */
interface Noted {
  readonly seconds: Map<number, SeriesCounts>;
  readonly values: Partial<Record<keyof RunHistograms, number[]>>;
}

export type SeriesNotes = ReturnType<typeof createSeriesNotes>;

/** What one verb counts. */
export function createSeriesNotes() {
  const runs = new Map<number, Noted>();

  const notedOf = (runId: number): Noted => {
    let noted = runs.get(runId);
    if (noted === undefined) {
      noted = { seconds: new Map(), values: {} };
      runs.set(runId, noted);
    }
    return noted;
  };
  const countsOf = (runId: number, at: number): SeriesCounts =>
    countsAt(notedOf(runId).seconds, bucketOf(at, WIDTH_MS_MIN));
  const addValue = (runId: number, name: keyof RunHistograms, value: number): void => {
    const { values } = notedOf(runId);
    const counts = (values[name] ??= []);
    const step = stepOf(value);
    while (counts.length <= step) counts.push(0);
    counts[step] = (counts[step] ?? 0) + 1;
  };

  return {
    runs: runs as ReadonlyMap<number, Noted>,
    clear: (): void => runs.clear(),
    addLeads: (runId: number, at: number, count: IngestCount): void => {
      const leads = Object.values(count).reduce((sum, one) => sum + one, 0);
      const { awaiting: onTheirWay, cached: known, queued: toPay } = count;
      if (leads > 0) addCounts(countsOf(runId, at), { leads, known, toPay, onTheirWay });
    },
    /** A send was accepted, for the run that sent it. */
    addAccepted: (paidBy: number, at: number): void => {
      countsOf(paidBy, at).accepted += 1;
    },
    addRefused: (runId: number, at: number): void => {
      countsOf(runId, at).failed += 1;
    },
    addPollInVain: (runId: number, at: number): void => {
      countsOf(runId, at).inVain += 1;
    },
    /** An enrichment has ended; `before` is what it was before. */
    addAnswer: (before: Seen, settlement: Settlement, by: AnsweredBy): void => {
      const { at, outcome } = settlement;
      if (outcome === 'timed_out') return;
      const [, runId, paidBy, submittedAt, pollCount, thousandths] = before;
      const counts = countsOf(runId, at);
      counts[outcome === 'not_found' ? 'notFound' : outcome] += 1;
      // An answer that is read once more may cost something else than it did.
      const cost = 'credits' in settlement ? toThousandths(settlement.credits) : 0;
      const payer = paidBy === runId || paidBy === null ? counts : countsOf(paidBy, at);
      payer.credits += fromThousandths(cost - thousandths);
      if (by === 'submit') return;
      counts[by] += 1;
      addValue(runId, 'polls', pollCount + (by === 'polled' ? 1 : 0));
      if (submittedAt !== null) addValue(runId, by, at - submittedAt);
    },
    addRequests: (runId: number, { http, seconds }: NotedRequests): void => {
      const noted = notedOf(runId);
      for (const { at, ...counts } of seconds) addCounts(countsOf(runId, at), counts);
      noted.values.http = [...addHistograms(noted.values.http ?? [], http)];
    },
  };
}

/** The counts of a bucket, to add to. Credits are rounded when they are written. */
function countsAt(buckets: Map<number, SeriesCounts>, at: number): SeriesCounts {
  let counts = buckets.get(at);
  if (counts === undefined) {
    counts = noCounts();
    buckets.set(at, counts);
  }
  return counts;
}

/** What was counted, in buckets of this width. */
export function toBuckets({ seconds }: Noted, widthMs: number): SeriesBucket[] {
  const buckets = new Map<number, SeriesCounts>();
  for (const [second, counts] of seconds) {
    addCounts(countsAt(buckets, bucketOf(second, widthMs)), counts);
  }
  return [...buckets].map(([at, counts]) => ({ ...counts, at }));
}

/** `histograms` of a run with what was counted; undefined where that has no values. */
export function addToHistograms(histograms: string, { values }: Noted): string | undefined {
  if (Object.keys(values).length === 0) return undefined;
  const known = JSON.parse(histograms) as RunHistograms;
  const more = Object.entries(values).map(([name, counts]) => [
    name,
    addHistograms(known[name as keyof RunHistograms] ?? [], counts),
  ]);
  return JSON.stringify({ ...known, ...Object.fromEntries(more) });
}

/** Values in the order of the columns. */
export function toSeriesRow(counts: SeriesCounts): number[] {
  return KEYS.map((key) => (key === 'credits' ? toThousandths(counts.credits) : counts[key]));
}

/** From the columns and, at the end, `at`. */
export function toSeriesBucket(row: readonly number[]): SeriesBucket {
  const counts = noCounts();
  for (const [i, key] of KEYS.entries()) {
    const value = row[i] ?? 0;
    counts[key] = key === 'credits' ? fromThousandths(value) : value;
  }
  return { at: row[KEYS.length] ?? 0, ...counts };
}
