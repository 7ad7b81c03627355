// What a run counts over time (src/store/runs/series.ts), in the state file. A run that began before this was counted has no
// series, and gets none. Nothing in it names a person: `forget` leaves it as it is.
import type Database from 'better-sqlite3';
import {
  BUCKETS_MAX,
  fitTimeline,
  type SeriesBucket,
  type Timeline,
  WIDTH_MS_MIN,
} from '../../../model/report/series.js';
import type { SubmitRecord } from '../../../ports/store/enrichments.js';
import type { RunHistograms } from '../../../ports/store/series.js';
import {
  addToHistograms,
  createSeriesNotes,
  NO_HISTOGRAMS,
  SERIES_COLUMNS,
  type Seen,
  type SeriesNotes,
  toBuckets,
  toSeriesBucket,
  toSeriesRow,
} from '../../runs/series.js';
import { atomic, snapshot, type Verbs } from '../database/transactions.js';

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
  const { addAccepted, addAnswer, addLeads, addPollInVain, addRefused, clear, runs } =
    createSeriesNotes();

  return {
    look: (id: number): Seen | undefined => look.get(id),
    addLeads,
    /** What became of sends of one run, where that was news. */
    addSent(records: readonly SubmitRecord[]): void {
      const [first] = records.filter(({ kind }) => kind === 'accepted');
      const [, , sender] = (first && look.get(first.id)) ?? [];
      for (const { at, id, kind } of records) {
        if (kind === 'accepted' && typeof sender === 'number') addAccepted(sender, at);
        const [, runId] = kind === 'refused' ? (look.get(id) ?? []) : [];
        if (runId !== undefined) addRefused(runId, at);
      }
    },
    /** Only a delivery has shown that a send was accepted. */
    addAccepted(id: number, at: number): void {
      const [, runId, paidBy] = look.get(id) ?? [];
      if (runId !== undefined) addAccepted(paidBy ?? runId, at);
    },
    addPollInVain(id: number, at: number): void {
      const [, runId] = look.get(id) ?? [];
      if (runId !== undefined) addPollInVain(runId, at);
    },
    addAnswer,
    within<A extends unknown[], R>(verb: (...args: A) => R): (...args: A) => R {
      return (...args) => {
        // A verb that failed has left what it counted.
        clear();
        const result = verb(...args);
        write(runs);
        return result;
      };
    },
  };
}

interface Head {
  readonly widthMs: number;
  readonly histograms: string;
}

const HEAD = 'SELECT width_ms AS widthMs, histograms FROM series WHERE run_id = ?';

/** Adds what was counted to the rows of each run. */
function prepareWrite(db: Database.Database) {
  const readHead = db.prepare<[number], Head>(HEAD);
  const writeHead = db.prepare<[string, number]>(
    'UPDATE series SET histograms = ? WHERE run_id = ?',
  );
  const sums = SERIES_COLUMNS.map((name) =>
    name === 'peak' ? 'peak = max(peak, ?)' : `${name} = ${name} + ?`,
  );
  const addToBucket = db.prepare<number[]>(
    `UPDATE series_buckets SET ${sums.join(', ')} WHERE run_id = ? AND at = ?`,
  );
  const insert = prepareInsert(db);
  const fit = prepareFit(db);

  return (runs: SeriesNotes['runs']): void => {
    for (const [runId, noted] of runs) {
      const head = readHead.get(runId);
      if (head === undefined) continue;
      let hasMore = false;
      for (const bucket of toBuckets(noted, head.widthMs)) {
        if (addToBucket.run(...toSeriesRow(bucket), runId, bucket.at).changes > 0) continue;
        insert(runId, bucket);
        hasMore = true;
      }
      if (hasMore) fit(runId, head.widthMs);
      const histograms = addToHistograms(head.histograms, noted);
      if (histograms !== undefined) writeHead.run(histograms, runId);
    }
  };
}

function prepareInsert(db: Database.Database) {
  const insert = db.prepare<number[]>(
    `INSERT INTO series_buckets (${SERIES_COLUMNS.join(', ')}, run_id, at)
     VALUES (${SERIES_COLUMNS.map(() => '?').join(', ')}, ?, ?)`,
  );
  return (runId: number, { at, ...counts }: SeriesBucket): void =>
    void insert.run(...toSeriesRow(counts), runId, at);
}

/** After new buckets: where there are too many, they are merged. */
function prepareFit(db: Database.Database) {
  const read = prepareReadBuckets(db);
  const count = db
    .prepare<[number], number>('SELECT count(*) FROM series_buckets WHERE run_id = ?')
    .pluck();
  const clear = db.prepare<[number]>('DELETE FROM series_buckets WHERE run_id = ?');
  const widen = db.prepare<[number, number]>('UPDATE series SET width_ms = ? WHERE run_id = ?');
  const insert = prepareInsert(db);

  return (runId: number, widthMs: number): void => {
    if ((count.get(runId) ?? 0) <= BUCKETS_MAX) return;
    const fitted = fitTimeline({ widthMs, buckets: read(runId) });
    clear.run(runId);
    for (const bucket of fitted.buckets) insert(runId, bucket);
    widen.run(fitted.widthMs, runId);
  };
}

function prepareReadBuckets(db: Database.Database) {
  const read = db
    .prepare<[number], number[]>(
      `SELECT ${SERIES_COLUMNS.join(', ')}, at FROM series_buckets WHERE run_id = ? ORDER BY at`,
    )
    .raw();
  return (runId: number): SeriesBucket[] => read.all(runId).map(toSeriesBucket);
}

/** Inside another verb's transaction: from now on the run counts. */
export function prepareBeginSeries(db: Database.Database) {
  const begin = db.prepare<[number, number, string]>(
    'INSERT INTO series (run_id, width_ms, histograms) VALUES (?, ?, ?)',
  );
  return (runId: number): void => void begin.run(runId, WIDTH_MS_MIN, NO_HISTOGRAMS);
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
    noteRequests: atomic(db, (runId, requests) => {
      const notes = createSeriesNotes();
      notes.addRequests(runId, requests);
      write(notes.runs);
    }),
  } satisfies Partial<Verbs>;
}
