// The numbers that runs count over time. A verb counts in memory while it works, and writes the counts at its end,
// within its transaction: one row for each run and bucket, for any number of enrichments. From then until the commit,
// no other verb counts for the same run.
import { fromThousandths, toThousandths } from '../../model/credits.js';
import {
  addCounts,
  addHistograms,
  BUCKETS_MAX,
  bucketOf,
  fitTimeline,
  noCounts,
  type SeriesBucket,
  type SeriesCounts,
  stepOf,
  WIDTH_MS_MIN,
} from '../../model/report/series.js';
import type { IngestCount, Settlement } from '../../ports/store/enrichments.js';
import type { NotedRequests, RunHistograms } from '../../ports/store/series.js';
import type { Sql, Verbs } from '../sql.js';

const KEYS = Object.keys(noCounts()) as (keyof SeriesCounts)[];
const SERIES_COLUMNS = KEYS.map((key) =>
  key === 'credits' ? 'thousandths' : key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);

const NO_HISTOGRAMS = JSON.stringify({
  polled: [],
  delivered: [],
  polls: [],
  http: [],
} satisfies RunHistograms);

/** The state of an enrichment before it ended: as a tuple, which costs less than an object. */
export type Seen = readonly [
  isAwaited: 0 | 1,
  runId: number,
  paidBy: number | null,
  submittedAt: number | null,
  pollCount: number,
  thousandths: number,
];

/** The way by which an answer came: the reply to its submission, a poll or a webhook. */
export type AnsweredBy = 'submit' | 'polled' | 'delivered';

interface Noted {
  readonly seconds: Map<number, SeriesCounts>;
  readonly values: Partial<Record<keyof RunHistograms, number[]>>;
}

export type SeriesNotes = ReturnType<typeof createSeriesNotes>;

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
    addAccepted: (paidBy: number, at: number): void => {
      countsOf(paidBy, at).accepted += 1;
    },
    addRefused: (runId: number, at: number): void => {
      countsOf(runId, at).failed += 1;
    },
    addPollInVain: (runId: number, at: number): void => {
      countsOf(runId, at).inVain += 1;
    },
    /** Counts an enrichment that has ended; `before` is its state before that. */
    addAnswer: (before: Seen, settlement: Settlement, by: AnsweredBy): void => {
      const { at, outcome } = settlement;
      if (outcome === 'timed_out') return;
      const [, runId, paidBy, submittedAt, pollCount, thousandths] = before;
      const counts = countsOf(runId, at);
      counts[outcome === 'not_found' ? 'notFound' : outcome] += 1;
      // An answer that is read once more may have another price than before.
      const { credits = 0 } = 'credits' in settlement ? settlement : (settlement.withheld ?? {});
      const cost = toThousandths(credits);
      const payer = paidBy === runId || paidBy === null ? counts : countsOf(paidBy, at);
      payer.credits += fromThousandths(cost - thousandths);
      if (by === 'submit') return;
      counts[by] += 1;
      addValue(runId, 'polls', pollCount + (by === 'polled' ? 1 : 0));
      if (submittedAt !== null) addValue(runId, by, Math.max(0, at - submittedAt));
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

function toBuckets({ seconds }: Noted, widthMs: number): SeriesBucket[] {
  const buckets = new Map<number, SeriesCounts>();
  for (const [second, counts] of seconds) {
    addCounts(countsAt(buckets, bucketOf(second, widthMs)), counts);
  }
  return [...buckets].map(([at, counts]) => ({ ...counts, at }));
}

/** The column `histograms` with the new values added; undefined if there are none. */
function addToHistograms(histograms: string, { values }: Noted): string | undefined {
  if (Object.keys(values).length === 0) return undefined;
  const known = JSON.parse(histograms) as RunHistograms;
  const more = Object.entries(values).map(([name, counts]) => [
    name,
    addHistograms(known[name as keyof RunHistograms] ?? [], counts),
  ]);
  return JSON.stringify({ ...known, ...Object.fromEntries(more) });
}

function toSeriesRow(counts: SeriesCounts): number[] {
  return KEYS.map((key) => (key === 'credits' ? toThousandths(counts.credits) : counts[key]));
}

function toSeriesBucket(row: readonly number[]): SeriesBucket {
  const counts = noCounts();
  for (const [i, key] of KEYS.entries()) {
    const value = row[i] ?? 0;
    counts[key] = key === 'credits' ? fromThousandths(value) : value;
  }
  return { at: row[KEYS.length] ?? 0, ...counts };
}

interface Head {
  readonly runId: number;
  readonly widthMs: number;
  readonly histograms: string;
}

const HEAD = 'SELECT run_id AS "runId", width_ms AS "widthMs", histograms FROM series';
const BUCKETS = `SELECT ${SERIES_COLUMNS.join(', ')}, at FROM series_buckets WHERE run_id = $1 ORDER BY at`;
const SUMS = SERIES_COLUMNS.map((name, i) =>
  name === 'peak' ? `peak = greatest(peak, $${i + 3})` : `${name} = ${name} + $${i + 3}`,
);
const ADD_TO_BUCKET = `UPDATE series_buckets SET ${SUMS.join(', ')} WHERE run_id = $1 AND at = $2`;

/** Makes the run count from now on. Part of another verb's transaction. */
export async function beginSeries(sql: Sql, runId: number): Promise<void> {
  const head = { run_id: runId, width_ms: WIDTH_MS_MIN, histograms: NO_HISTOGRAMS };
  await sql.insert('series', [head]);
}

/** Adds the counts to the rows of each run that has a series, as the last statements of a verb. */
export async function writeSeries(sql: Sql, { runs }: SeriesNotes): Promise<void> {
  if (runs.size === 0) return;
  const heads = await sql.rows<Head>(`${HEAD} WHERE run_id = ANY ($1) ORDER BY run_id FOR UPDATE`, [
    [...runs.keys()],
  ]);
  for (const head of heads) {
    const noted = runs.get(head.runId);
    if (noted === undefined) continue;
    const isLonger = await addToBuckets(sql, head.runId, toBuckets(noted, head.widthMs));
    if (isLonger) await fit(sql, head);
    const histograms = addToHistograms(head.histograms, noted);
    if (histograms === undefined) continue;
    await sql.run('UPDATE series SET histograms = $1 WHERE run_id = $2', [histograms, head.runId]);
  }
}

/** Returns whether there are more buckets than before: mostly there is one, which existed. */
async function addToBuckets(
  sql: Sql,
  runId: number,
  buckets: readonly SeriesBucket[],
): Promise<boolean> {
  const more: SeriesBucket[] = [];
  for (const { at, ...counts } of buckets) {
    const found = await sql.run(ADD_TO_BUCKET, [runId, at, ...toSeriesRow(counts)]);
    if (found === 0) more.push({ at, ...counts });
  }
  await insertBuckets(sql, runId, more);
  return more.length > 0;
}

async function insertBuckets(
  sql: Sql,
  runId: number,
  buckets: readonly SeriesBucket[],
): Promise<void> {
  const rows = buckets.map(({ at, ...counts }) => {
    const row = toSeriesRow(counts);
    const columns = SERIES_COLUMNS.map((name, i) => [name, row[i] ?? 0] as const);
    return { run_id: runId, at, ...Object.fromEntries(columns) };
  });
  await sql.insert('series_buckets', rows);
}

async function fit(sql: Sql, { runId, widthMs }: Head): Promise<void> {
  const size = await sql.row<{ n: number }>(
    'SELECT count(*) AS n FROM series_buckets WHERE run_id = $1',
    [runId],
  );
  if (size === undefined || size.n <= BUCKETS_MAX) return;
  const fitted = fitTimeline({ widthMs, buckets: await readBuckets(sql, runId) });
  await sql.run('DELETE FROM series_buckets WHERE run_id = $1', [runId]);
  await insertBuckets(sql, runId, fitted.buckets);
  await sql.run('UPDATE series SET width_ms = $1 WHERE run_id = $2', [fitted.widthMs, runId]);
}

async function readBuckets(sql: Sql, runId: number): Promise<SeriesBucket[]> {
  const rows = await sql.rows<Record<string, number>>(BUCKETS, [runId]);
  return rows.map((row) => toSeriesBucket([...SERIES_COLUMNS, 'at'].map((name) => row[name] ?? 0)));
}

export const seriesReads = {
  series: async (sql, runId) => {
    const head = await sql.row<Head>(`${HEAD} WHERE run_id = $1`, [runId]);
    if (head === undefined) return null;
    const histograms = JSON.parse(head.histograms) as RunHistograms;
    return { widthMs: head.widthMs, buckets: await readBuckets(sql, runId), histograms };
  },
} satisfies Partial<Verbs>;

export const seriesWrites = {
  noteRequests: async (sql, runId, requests) => {
    const notes = createSeriesNotes();
    notes.addRequests(runId, requests);
    await writeSeries(sql, notes);
  },
} satisfies Partial<Verbs>;
