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

/** What an enrichment was before it ended: as a row, which costs less than an object. */
type Seen = readonly [
  isAwaited: 0 | 1,
  runId: number,
  paidBy: number | null,
  submittedAt: number | null,
  pollCount: number,
  thousandths: number,
];

/** What one verb counts for one run, by the second. */
interface Noted {
  readonly seconds: Map<number, SeriesCounts>;
  readonly values: Partial<Record<keyof RunHistograms, number[]>>;
}

export type Counting = ReturnType<typeof prepareCounting>;

/** What it counts is written at the end of the verb that is performed `within` it. */
export function prepareCounting(db: Database.Database) {
  const look = db
    .prepare<[number], Seen>(
      `SELECT state = 'awaiting', run_id, paid_by, submitted_at, poll_count, thousandths
       FROM enrichments WHERE id = ?`,
    )
    .raw();
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
  const countsOf = (runId: number, at: number): SeriesCounts =>
    countsAt(notedOf(runId).seconds, at);
  const addValue = (runId: number, name: keyof RunHistograms, value: number): void => {
    const { values } = notedOf(runId);
    const counts = (values[name] ??= []);
    const step = stepOf(value);
    while (counts.length <= step) counts.push(0);
    counts[step] = (counts[step] ?? 0) + 1;
  };

  return {
    look: (id: number): Seen | undefined => look.get(id),
    addLeads(runId: number, at: number, count: IngestCount): void {
      const leads = Object.values(count).reduce((sum, one) => sum + one, 0);
      const { awaiting: onTheirWay, cached: known, queued: toPay } = count;
      if (leads > 0) addCounts(countsOf(runId, at), { leads, known, toPay, onTheirWay });
    },
    /** What became of sends of one run, where that was news. */
    addSent(records: readonly SubmitRecord[]): void {
      const [first] = records.filter(({ kind }) => kind === 'accepted');
      const [, , sender] = (first && look.get(first.id)) ?? [];
      for (const { at, id, kind } of records) {
        if (kind === 'accepted' && typeof sender === 'number') countsOf(sender, at).accepted += 1;
        const [, runId] = kind === 'refused' ? (look.get(id) ?? []) : [];
        if (runId !== undefined) countsOf(runId, at).failed += 1;
      }
    },
    /** A delivery has shown that a send was accepted which nobody knew that of. */
    addAccepted(id: number, at: number): void {
      const [, runId, paidBy] = look.get(id) ?? [];
      if (runId !== undefined) countsOf(paidBy ?? runId, at).accepted += 1;
    },
    addPollInVain(id: number, at: number): void {
      const [, runId] = look.get(id) ?? [];
      if (runId !== undefined) countsOf(runId, at).inVain += 1;
    },
    /** An enrichment has ended; `before` is what it was before. */
    addAnswer(before: Seen, settlement: Settlement, by: 'submit' | 'polled' | 'delivered'): void {
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

/** What was counted in the second of that moment, to add to. Credits are rounded when they are written. */
function countsAt(seconds: Noted['seconds'], at: number): SeriesCounts {
  const second = bucketOf(at, WIDTH_MS_MIN);
  let counts = seconds.get(second);
  if (counts === undefined) {
    counts = noCounts();
    seconds.set(second, counts);
  }
  return counts;
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
      for (const { at, ...counts } of seconds) addCounts(countsAt(bySecond, at), counts);
      write(runId, { seconds: bySecond, values: { http: [...http] } });
    }),
  } satisfies Partial<Verbs>;
}
