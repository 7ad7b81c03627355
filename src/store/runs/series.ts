// What a run counts over time. A verb counts in memory while it works, and writes at its end, within its transaction:
// one row for each run and bucket, however many enrichments it was about. A run that began before this was counted has
// no series, and gets none. Nothing in it names a person: `forget` leaves it as it is.
import type Database from 'better-sqlite3';
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
  type Timeline,
  WIDTH_MS_MIN,
} from '../../model/telemetry/series.js';
import type { IngestCount, Settlement, SubmitRecord } from '../../ports/store/enrichments.js';
import type { RunHistograms } from '../../ports/store/series.js';
import { atomic, snapshot, type Verbs } from '../database/transactions.js';

/** In the order of the columns. */
const KEYS = Object.keys(noCounts()) as (keyof SeriesCounts)[];
const COLUMNS = KEYS.map((key) =>
  key === 'credits' ? 'thousandths' : key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);

const NO_VALUES: RunHistograms = { polled: [], delivered: [], polls: [], http: [] };

/** What an enrichment was before it ended. */
interface Seen {
  readonly runId: number;
  readonly paidBy: number | null;
  readonly submittedAt: number | null;
  readonly pollCount: number;
  readonly thousandths: number;
}

/** What one verb counts for one run, by the second. */
interface Noted {
  readonly seconds: Map<number, SeriesCounts>;
  readonly values: Partial<Record<keyof RunHistograms, number[]>>;
}

export type Counting = ReturnType<typeof prepareCounting>;

/** What it counts is written at the end of the verb that is performed `within` it. */
export function prepareCounting(db: Database.Database) {
  const look = db.prepare<[number], Seen>(
    `SELECT run_id AS runId, paid_by AS paidBy, submitted_at AS submittedAt, poll_count AS pollCount, thousandths
     FROM enrichments WHERE id = ?`,
  );
  const write = prepareWrite(db);
  const runs = new Map<number, Noted>();

  const notedOf = (runId: number): Noted => {
    let noted = runs.get(runId);
    if (noted === undefined) {
      noted = { seconds: new Map(), values: {} };
      runs.set(runId, noted);
    }
    return noted;
  };
  const add = (runId: number, at: number, more: Readonly<Partial<SeriesCounts>>): void =>
    addToSecond(notedOf(runId).seconds, at, more);
  const addValue = (runId: number, name: keyof RunHistograms, value: number): void => {
    const { values } = notedOf(runId);
    const counts = (values[name] ??= []);
    const step = stepOf(value);
    while (counts.length <= step) counts.push(0);
    counts[step] = (counts[step] ?? 0) + 1;
  };

  /** For the run that works on the enrichment. */
  const addTo = (id: number, at: number, more: Readonly<Partial<SeriesCounts>>): void => {
    const seen = look.get(id);
    if (seen !== undefined) add(seen.runId, at, more);
  };

  return {
    look: (id: number): Seen | undefined => look.get(id),
    addTo,
    addLeads(runId: number, at: number, count: IngestCount): void {
      const leads = Object.values(count).reduce((sum, one) => sum + one, 0);
      const { awaiting: onTheirWay, cached: known, queued: toPay } = count;
      if (leads > 0) add(runId, at, { leads, known, toPay, onTheirWay });
    },
    /** What became of sends of one run, where that was news. */
    addSent(records: readonly SubmitRecord[]): void {
      const accepted = records.filter(({ kind }) => kind === 'accepted');
      const sender = accepted[0] && look.get(accepted[0].id)?.paidBy;
      for (const { at } of accepted)
        if (typeof sender === 'number') add(sender, at, { accepted: 1 });
      for (const { at, id, kind } of records) if (kind === 'refused') addTo(id, at, { failed: 1 });
    },
    /** An enrichment has ended; `before` is what it was before. */
    addAnswer(before: Seen, settlement: Settlement, by: 'submit' | 'polled' | 'delivered'): void {
      if (settlement.outcome === 'timed_out') return;
      const { at, outcome } = settlement;
      const { runId, paidBy, submittedAt, pollCount, thousandths } = before;
      add(runId, at, {
        [outcome === 'not_found' ? 'notFound' : outcome]: 1,
        ...(by === 'submit' ? {} : { [by]: 1 }),
      });
      const cost = 'credits' in settlement ? toThousandths(settlement.credits) : 0;
      // An answer that is read once more may cost something else than it did.
      if (cost !== thousandths) {
        add(paidBy ?? runId, at, { credits: fromThousandths(cost - thousandths) });
      }
      if (by === 'submit') return;
      addValue(runId, 'polls', pollCount + (by === 'polled' ? 1 : 0));
      if (submittedAt !== null) addValue(runId, by, at - submittedAt);
    },
    within<A extends unknown[], R>(verb: (...args: A) => R): (...args: A) => R {
      return (...args) => {
        // A verb that failed has left what it counted.
        runs.clear();
        const result = verb(...args);
        for (const [runId, noted] of runs) write(runId, noted);
        return result;
      };
    },
  };
}

function addToSecond(
  seconds: Noted['seconds'],
  at: number,
  more: Readonly<Partial<SeriesCounts>>,
): void {
  const second = bucketOf(at, WIDTH_MS_MIN);
  const counts = seconds.get(second) ?? noCounts();
  addCounts(counts, more);
  seconds.set(second, counts);
}

interface Head {
  readonly widthMs: number;
  readonly histograms: string;
}

const HEAD = 'SELECT width_ms AS widthMs, histograms FROM series WHERE run_id = ?';

/** Adds what was counted to the rows of a run. */
function prepareWrite(db: Database.Database) {
  const readHead = db.prepare<[number], Head>(HEAD);
  const writeHead = db.prepare<[string, number]>(
    'UPDATE series SET histograms = ? WHERE run_id = ?',
  );
  const sums = COLUMNS.map((name) =>
    name === 'peak' ? 'peak = max(peak, ?)' : `${name} = ${name} + ?`,
  );
  const addToBucket = db.prepare<number[]>(
    `UPDATE series_buckets SET ${sums.join(', ')} WHERE run_id = ? AND at = ?`,
  );
  const insert = prepareInsert(db);
  const fit = prepareFit(db);

  return (runId: number, { seconds, values }: Noted): void => {
    const head = readHead.get(runId);
    if (head === undefined) return;
    const { histograms } = head;
    let { widthMs } = head;
    for (const [second, counts] of seconds) {
      const at = bucketOf(second, widthMs);
      if (addToBucket.run(...toRow(counts), runId, at).changes > 0) continue;
      insert(runId, { ...counts, at });
      widthMs = fit(runId, widthMs);
    }
    if (Object.keys(values).length === 0) return;
    const known = JSON.parse(histograms) as RunHistograms;
    const more = Object.entries(values).map(([name, counts]) => [
      name,
      addHistograms(known[name as keyof RunHistograms] ?? [], counts),
    ]);
    writeHead.run(JSON.stringify({ ...known, ...Object.fromEntries(more) }), runId);
  };
}

function prepareInsert(db: Database.Database) {
  const insert = db.prepare<number[]>(
    `INSERT INTO series_buckets (${COLUMNS.join(', ')}, run_id, at)
     VALUES (${COLUMNS.map(() => '?').join(', ')}, ?, ?)`,
  );
  return (runId: number, { at, ...counts }: SeriesBucket): void =>
    void insert.run(...toRow(counts), runId, at);
}

/** After a new bucket: where there are too many, they are merged. Returns their width. */
function prepareFit(db: Database.Database) {
  const read = prepareReadBuckets(db);
  const count = db
    .prepare<[number], number>('SELECT count(*) FROM series_buckets WHERE run_id = ?')
    .pluck();
  const clear = db.prepare<[number]>('DELETE FROM series_buckets WHERE run_id = ?');
  const widen = db.prepare<[number, number]>('UPDATE series SET width_ms = ? WHERE run_id = ?');
  const insert = prepareInsert(db);

  return (runId: number, widthMs: number): number => {
    if ((count.get(runId) ?? 0) <= BUCKETS_MAX) return widthMs;
    const fitted = fitTimeline({ widthMs, buckets: read(runId) });
    clear.run(runId);
    for (const bucket of fitted.buckets) insert(runId, bucket);
    widen.run(fitted.widthMs, runId);
    return fitted.widthMs;
  };
}

function prepareReadBuckets(db: Database.Database) {
  const read = db
    .prepare<[number], number[]>(
      `SELECT ${COLUMNS.join(', ')}, at FROM series_buckets WHERE run_id = ? ORDER BY at`,
    )
    .raw();
  return (runId: number): SeriesBucket[] => read.all(runId).map(toBucket);
}

function toRow(counts: SeriesCounts): number[] {
  return KEYS.map((key) => (key === 'credits' ? toThousandths(counts.credits) : counts[key]));
}

function toBucket(row: readonly number[]): SeriesBucket {
  const counts = noCounts();
  for (const [i, key] of KEYS.entries()) {
    const value = row[i] ?? 0;
    counts[key] = key === 'credits' ? fromThousandths(value) : value;
  }
  return { at: row[KEYS.length] ?? 0, ...counts };
}

/** Inside another verb's transaction: from now on the run counts. */
export function prepareBeginSeries(db: Database.Database) {
  const begin = db.prepare<[number, number, string]>(
    'INSERT INTO series (run_id, width_ms, histograms) VALUES (?, ?, ?)',
  );
  return (runId: number): void => void begin.run(runId, WIDTH_MS_MIN, JSON.stringify(NO_VALUES));
}

export function prepareSeries(db: Database.Database) {
  const readHead = db.prepare<[number], Head>(HEAD);
  const readBuckets = prepareReadBuckets(db);
  const write = prepareWrite(db);

  return {
    series: snapshot(db, (runId) => {
      const head = readHead.get(runId);
      if (head === undefined) return null;
      const histograms = JSON.parse(head.histograms) as RunHistograms;
      const timeline: Timeline = { widthMs: head.widthMs, buckets: readBuckets(runId) };
      return { ...timeline, histograms };
    }),
    noteRequests: atomic(db, (runId, { http, seconds }) => {
      const bySecond = new Map<number, SeriesCounts>();
      for (const { at, ...counts } of seconds) addToSecond(bySecond, at, counts);
      write(runId, { seconds: bySecond, values: { http: [...http] } });
    }),
  } satisfies Partial<Verbs>;
}
