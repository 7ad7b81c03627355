// What a run counts over time (src/store/runs/series.ts), in the database. A verb writes it at its end: from then on until
// it is committed, no other verb counts for the same run.
import {
  BUCKETS_MAX,
  fitTimeline,
  type SeriesBucket,
  type Timeline,
  WIDTH_MS_MIN,
} from '../../../model/report/series.js';
import type { RunHistograms } from '../../../ports/store/series.js';
import {
  addToHistograms,
  createSeriesNotes,
  NO_HISTOGRAMS,
  SERIES_COLUMNS,
  type SeriesNotes,
  toBuckets,
  toSeriesBucket,
  toSeriesRow,
} from '../../runs/series.js';
import type { Sql } from '../database/database.js';
import type { Verbs } from '../verbs.js';

interface Head {
  readonly runId: number;
  readonly widthMs: number;
  readonly histograms: string;
}

const HEAD = 'SELECT run_id AS "runId", width_ms AS "widthMs", histograms FROM series';

const COLUMNS = ['run_id', 'at', ...SERIES_COLUMNS];
const SUMS = SERIES_COLUMNS.map((name) =>
  name === 'peak'
    ? 'peak = greatest(b.peak, excluded.peak)'
    : `${name} = b.${name} + excluded.${name}`,
);
const ARRAYS = COLUMNS.map((_, i) => `$${i + 1}::bigint[]`);
// How many buckets the run had before this statement comes back with each row.
const ADD_BUCKETS = `INSERT INTO series_buckets AS b (${COLUMNS.join(', ')})
  SELECT * FROM unnest(${ARRAYS.join(', ')})
  ON CONFLICT (run_id, at) DO UPDATE SET ${SUMS.join(', ')}
  RETURNING run_id AS "runId", (SELECT count(*) FROM series_buckets o WHERE o.run_id = b.run_id) AS before`;

/** Inside another verb's transaction: from now on the run counts. */
export async function beginSeries(sql: Sql, runId: number): Promise<void> {
  await sql.run('INSERT INTO series (run_id, width_ms, histograms) VALUES ($1, $2, $3)', [
    runId,
    WIDTH_MS_MIN,
    NO_HISTOGRAMS,
  ]);
}

/** The last statements of a verb: adds what it counted to the rows of each run that has a series. */
export async function writeSeries(sql: Sql, { runs }: SeriesNotes): Promise<void> {
  if (runs.size === 0) return;
  const heads = await sql.rows<Head>(`${HEAD} WHERE run_id = ANY($1) ORDER BY run_id FOR UPDATE`, [
    [...runs.keys()],
  ]);
  const added = heads.flatMap(({ runId, widthMs }) => {
    const noted = runs.get(runId);
    return noted === undefined ? [] : toBuckets(noted, widthMs).map((one) => ({ runId, ...one }));
  });
  const full = await addBuckets(sql, added);
  for (const head of heads.filter(({ runId }) => full.has(runId))) await fit(sql, head);
  const histograms = heads.flatMap((head) => {
    const noted = runs.get(head.runId);
    const text = noted && addToHistograms(head.histograms, noted);
    return text === undefined ? [] : [{ runId: head.runId, text }];
  });
  if (histograms.length === 0) return;
  await sql.run(
    `UPDATE series SET histograms = h.text FROM unnest($1::bigint[], $2::text[]) AS h (run_id, text)
     WHERE series.run_id = h.run_id`,
    [histograms.map(({ runId }) => runId), histograms.map(({ text }) => text)],
  );
}

type AddedBucket = SeriesBucket & { readonly runId: number };

/** Returns the runs that may have too many buckets now. */
async function addBuckets(sql: Sql, added: readonly AddedBucket[]): Promise<Set<number>> {
  if (added.length === 0) return new Set();
  const rows = added.map(({ at, runId, ...counts }) => [runId, at, ...toSeriesRow(counts)]);
  const before = await sql.rows<{ runId: number; before: number }>(
    ADD_BUCKETS,
    COLUMNS.map((_, i) => rows.map((row) => row[i] ?? 0)),
  );
  const sizes = new Map<number, number>();
  for (const { runId, before: size } of before) sizes.set(runId, (sizes.get(runId) ?? size) + 1);
  return new Set([...sizes].filter(([, size]) => size > BUCKETS_MAX).map(([runId]) => runId));
}

/** Where there are too many, they are merged. */
async function fit(sql: Sql, { runId, widthMs }: Head): Promise<void> {
  const buckets = await readBuckets(sql, runId);
  const fitted = fitTimeline({ widthMs, buckets });
  if (fitted.widthMs === widthMs) return;
  await sql.run('DELETE FROM series_buckets WHERE run_id = $1', [runId]);
  await addBuckets(
    sql,
    fitted.buckets.map((one) => ({ runId, ...one })),
  );
  await sql.run('UPDATE series SET width_ms = $1 WHERE run_id = $2', [fitted.widthMs, runId]);
}

async function readBuckets(sql: Sql, runId: number): Promise<SeriesBucket[]> {
  const rows = await sql.rows<Record<string, number>>(
    `SELECT ${SERIES_COLUMNS.join(', ')}, at FROM series_buckets WHERE run_id = $1 ORDER BY at`,
    [runId],
  );
  return rows.map((row) => toSeriesBucket([...SERIES_COLUMNS, 'at'].map((name) => row[name] ?? 0)));
}

export const seriesReads = {
  series: async (sql, runId) => {
    const head = await sql.row<Head>(`${HEAD} WHERE run_id = $1`, [runId]);
    if (head === undefined) return null;
    const histograms = JSON.parse(head.histograms) as RunHistograms;
    const timeline: Timeline = { widthMs: head.widthMs, buckets: await readBuckets(sql, runId) };
    return { ...timeline, histograms };
  },
} satisfies Partial<Verbs>;

export const seriesWrites = {
  noteRequests: async (sql, runId, requests) => {
    const notes = createSeriesNotes();
    notes.addRequests(runId, requests);
    await writeSeries(sql, notes);
  },
} satisfies Partial<Verbs>;
