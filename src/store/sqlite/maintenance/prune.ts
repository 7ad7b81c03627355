// Removes old runs from the file, with everything that only they still needed. What prevents a second payment stays,
// however old its run is.
import type Database from 'better-sqlite3';
import type { PruneReport, PruneTimes } from '../../../ports/store/maintenance.js';
import { costsNoMore, IS_UNSETTLED, RAN_IN_PRUNED } from '../../maintenance/what-may-leave.js';
import type { Verbs } from '../database/transactions.js';
import { HAS_DONE_FILES } from '../files.js';
import { reclaim, removeRows } from './reclaim.js';
import { bytesOf } from './size.js';
import {
  FORGET_HASHES,
  IS_OLD_DELIVERY,
  MARK_RUNS,
  removeChosen,
  TABLES_OF_RUN,
} from './what-may-leave.js';

type Counts = Omit<PruneReport, 'bytesBefore' | 'bytesAfter'>;
type Execute = (sql: string, ...values: number[]) => number;

const IS_OF_PRUNED = `${RAN_IN_PRUNED}
  AND id NOT IN (SELECT enrichment_id FROM leads WHERE enrichment_id IS NOT NULL)`;

const HAS_NOTHING_PAID = `pruned_at IS NOT NULL AND id NOT IN (SELECT run_id FROM enrichments)
  AND id NOT IN (SELECT paid_by FROM enrichments WHERE paid_by IS NOT NULL)`;

export function preparePrune(db: Database.Database) {
  const freshFor = db.prepare<[], { job: string; freshForMs: number | null }>(
    `SELECT job, NULL AS freshForMs FROM runs WHERE job NOT IN (SELECT job FROM fresh_for)
     UNION ALL
     SELECT * FROM (SELECT job, longest_ms FROM fresh_for ORDER BY longest_ms DESC, job LIMIT 1)
     LIMIT 1`,
  );
  return {
    longestFreshFor: () => {
      const { job, freshForMs } = freshFor.get() ?? { job: '', freshForMs: 0 };
      if (freshForMs === null) return { kind: 'unknown', job };
      return { kind: 'known', freshForMs, job };
    },
    prune: (times, isForReal) => {
      const bytesBefore = bytesOf(db);
      const counts = removeRows(
        db,
        () => remove(db, times),
        () => isForReal,
      );
      if (!isForReal) return { ...counts, bytesBefore, bytesAfter: null };
      // An earlier prune may have been cut off here.
      if (db.pragma('freelist_count', { simple: true }) !== 0) reclaim(db);
      return { ...counts, bytesBefore, bytesAfter: bytesOf(db) };
    },
  } satisfies Partial<Verbs>;
}

function remove(db: Database.Database, { at, before, freshSince }: PruneTimes): Counts {
  const run: Execute = (sql, ...values) => db.prepare<number[]>(sql).run(...values).changes;
  const count = (where: string): number =>
    db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM enrichments WHERE ${where}`).get()
      ?.n ?? 0;
  const ofPruned = 'run_id IN (SELECT id FROM runs WHERE pruned_at IS NOT NULL)';

  const runs = run(MARK_RUNS, at, before);
  const ofRuns = Object.fromEntries(
    TABLES_OF_RUN.map((table) => [table, run(`DELETE FROM ${table} WHERE ${ofPruned}`)]),
  ) as Record<(typeof TABLES_OF_RUN)[number], number>;
  run(FORGET_HASHES, before);
  const isLeaving = `${IS_OF_PRUNED} AND ${costsNoMore('?')}`;
  const paid = removeChosen(db, 'enrichments', isLeaving, freshSince, freshSince);
  const journal = removeChosen(db, 'deliveries', IS_OLD_DELIVERY, before);
  // `events --follow` goes by their numbers.
  const events = run(
    'DELETE FROM events WHERE received_at < ? AND id < (SELECT max(id) FROM events)',
    before,
  );
  // The row of a run stays while an enrichment of it does: it says whose account paid, and what its columns were taken
  // for. The row of a run over a drop folder stays too: it says which files are in the table that is still there.
  run(`DELETE FROM runs WHERE ${HAS_NOTHING_PAID} AND NOT (${HAS_DONE_FILES})`);
  run(`UPDATE runs SET columns = '[]', mapping = '[]' WHERE ${HAS_NOTHING_PAID}`);
  return {
    runs,
    leads: ofRuns.leads,
    rejects: ofRuns.rejects,
    enrichments: paid.enrichments,
    results: paid.results,
    deliveries: journal.deliveries,
    events,
    keptFresh: count(`${IS_OF_PRUNED} AND NOT ${IS_UNSETTLED}`),
    keptUnsettled: count(`${IS_OF_PRUNED} AND ${IS_UNSETTLED}`),
  };
}
