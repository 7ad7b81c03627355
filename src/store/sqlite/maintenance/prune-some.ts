// Removes a little of what old runs left, in one short transaction: what prune removes, but for the rows of the runs
// themselves and what a run may still show. The file keeps its size, and new rows go where old ones were.
import type Database from 'better-sqlite3';
import type { PruneTimes } from '../../../ports/store/maintenance.js';
import { costsNoMore, RAN_IN_PRUNED } from '../../maintenance/what-may-leave.js';
import type { Verbs } from '../database/transactions.js';
import {
  FORGET_HASHES,
  IS_OLD_DELIVERY,
  MARK_RUNS,
  removeChosen,
  TABLES_OF_RUN,
} from './what-may-leave.js';

/** Above every id: no lead of the run refers to an enrichment. */
const NONE = '9223372036854775807';
/** To look at a lead takes so much less than to remove it. */
const LOOKS_A_ROW = 50;
/** A row with the cells of many leads counts as so many. */
const ROWS_A_BLOCK = 20;

/** Does at most `most` rows' work, and returns how many it did: with less than `most` it has come to its end. */
type Step = (times: PruneTimes, most: number) => number;

export function preparePruneSome(db: Database.Database) {
  const steps: readonly Step[] = [
    ({ at, before }, most) =>
      db.prepare<number[]>(`${MARK_RUNS} LIMIT ?`).run(at, before, most).changes,
    (_, most) => clearRuns(db, most),
    ({ before }) => db.prepare<[number]>(FORGET_HASHES).run(before).changes,
    (_, most) => lookAtRuns(db, most),
    ({ freshSince }, most) => removeEnrichments(db, freshSince, most),
    ({ before }, most) => removeDeliveries(db, before, most),
    ({ before }, most) => removeEvents(db, before, most),
  ];
  const work = db.transaction((times: PruneTimes, rowsMax: number): boolean => {
    let left = rowsMax;
    for (const step of steps) {
      left -= step(times, left);
      if (left <= 0) return false;
    }
    return true;
  });
  return {
    pruneSome: (times, rowsMax) => {
      // SQLite would look for what refers to a row through whole tables: the steps go by the same references, and what
      // refers to a row goes before that row.
      db.pragma('foreign_keys = OFF');
      // Nothing writes the file anew afterwards, so what is deleted is overwritten. Where SQLite moved rows before, it
      // leaves copies in the unused part of pages, until prune.
      db.pragma('secure_delete = ON');
      try {
        return { isDone: work.immediate(times, rowsMax) };
      } finally {
        db.pragma('secure_delete = OFF');
        db.pragma('foreign_keys = ON');
      }
    },
  } satisfies Partial<Verbs>;
}

/** The lines of runs that are pruned. */
function clearRuns(db: Database.Database, most: number): number {
  const runs = db.prepare<[], { id: number }>(
    `SELECT id FROM runs WHERE pruned_at IS NOT NULL AND least_enrichment IS NOT ${NONE}`,
  );
  const clear = db.prepare<[number]>(`UPDATE runs SET least_enrichment = ${NONE} WHERE id = ?`);
  let left = most;
  for (const { id } of runs.all()) {
    for (const table of TABLES_OF_RUN) {
      const some = db.prepare<[number, number]>(`DELETE FROM ${table} WHERE run_id = ? LIMIT ?`);
      const rows = table === 'lead_cells' ? ROWS_A_BLOCK : 1;
      left -= rows * some.run(id, Math.ceil(left / rows)).changes;
      if (left <= 0) return most;
    }
    clear.run(id);
  }
  return most - left;
}

/** Up to which enrichment no run refers to any: each run's is kept until its leads change. */
function lookAtRuns(db: Database.Database, most: number): number {
  const runs = db.prepare<[], { id: number; leads: number }>(
    'SELECT id, lead_count AS leads FROM runs WHERE least_enrichment IS NULL',
  );
  const look = db.prepare<[number]>(
    `UPDATE runs SET least_enrichment =
       coalesce((SELECT min(enrichment_id) FROM leads WHERE run_id = runs.id), ${NONE})
     WHERE id = ?`,
  );
  let left = most;
  for (const { id, leads } of runs.all()) {
    if (left <= 0) return most;
    look.run(id);
    left -= 1 + Math.floor(leads / LOOKS_A_ROW);
  }
  return most - Math.max(0, left);
}

type Place = 'enrichment_id' | 'delivery_id';

/** Where the last piece ended; what it left behind is looked at again only after all others. */
function placeOf(db: Database.Database, column: Place): number {
  return db.prepare<[], number>(`SELECT ${column} FROM pruning`).pluck().get() ?? 0;
}

function keepPlace(db: Database.Database, column: Place, id: number): void {
  db.prepare<[number]>(`INSERT INTO pruning (id, ${column}) VALUES (1, ?)
    ON CONFLICT (id) DO UPDATE SET ${column} = excluded.${column} WHERE ${column} <> excluded.${column}`).run(
    id,
  );
}

function removeEnrichments(db: Database.Database, freshSince: number, most: number): number {
  const after = placeOf(db, 'enrichment_id');
  const ids = db
    .prepare<[number, number], number>(
      `SELECT id FROM enrichments
       WHERE id > ? AND id < (SELECT min(least_enrichment) FROM runs) ORDER BY id LIMIT ?`,
    )
    .pluck()
    .all(after, most);
  const last = ids.at(-1) ?? after;
  const isLeaving = `id > ? AND id <= ? AND ${RAN_IN_PRUNED} AND ${costsNoMore('?')}`;
  removeChosen(db, 'enrichments', isLeaving, after, last, freshSince, freshSince);
  keepPlace(db, 'enrichment_id', ids.length < most ? 0 : last);
  return ids.length;
}

/** They came in the order of their numbers. */
function removeDeliveries(db: Database.Database, before: number, most: number): number {
  const after = placeOf(db, 'delivery_id');
  const rows = db
    .prepare<[number, number], { id: number; receivedAt: number }>(
      'SELECT id, received_at AS receivedAt FROM deliveries WHERE id > ? ORDER BY id LIMIT ?',
    )
    .all(after, most);
  const young = rows.findIndex(({ receivedAt }) => receivedAt >= before);
  const old = young === -1 ? rows : rows.slice(0, young);
  const last = old.at(-1)?.id ?? after;
  removeChosen(db, 'deliveries', `id > ? AND id <= ? AND ${IS_OLD_DELIVERY}`, after, last, before);
  keepPlace(db, 'delivery_id', old.length < most ? 0 : last);
  return old.length;
}

function removeEvents(db: Database.Database, before: number, most: number): number {
  const rows = db
    .prepare<[number], { id: number; receivedAt: number }>(
      `SELECT id, received_at AS receivedAt FROM events
       WHERE id < (SELECT max(id) FROM events) ORDER BY id LIMIT ?`,
    )
    .all(most);
  const young = rows.findIndex(({ receivedAt }) => receivedAt >= before);
  const last = (young === -1 ? rows : rows.slice(0, young)).at(-1)?.id ?? 0;
  return db.prepare<[number]>('DELETE FROM events WHERE id <= ?').run(last).changes;
}
