// Removes old runs from the file, with everything that only they still needed. What prevents a second payment stays,
// however old its run is.
import type Database from 'better-sqlite3';
import type { PruneReport, PruneTimes } from '../../ports/store/maintenance.js';
import type { Verbs } from '../database/transactions.js';
import { answeredAt } from '../enrichments/known-answers.js';
import { HAS_DONE_FILES } from '../files.js';
import { reclaim, removeRows } from './reclaim.js';

type Counts = Omit<PruneReport, 'bytesBefore' | 'bytesAfter'>;
type Execute = (sql: string, ...values: number[]) => number;

/** The ended runs that are old enough. The newest run stays, so that no number is given twice. */
const IS_OLD = `state IN ('finished', 'replaced', 'cancelled') AND ended_at < ? AND pruned_at IS NULL
  AND id < (SELECT max(id) FROM runs)`;

const IS_OF_PRUNED = `run_id IN (SELECT id FROM runs WHERE pruned_at IS NOT NULL)
  AND (paid_by IS NULL OR paid_by IN (SELECT id FROM runs WHERE pruned_at IS NOT NULL))
  AND id NOT IN (SELECT enrichment_id FROM leads WHERE enrichment_id IS NOT NULL)`;

const HAS_NOTHING_PAID = `pruned_at IS NOT NULL AND id NOT IN (SELECT run_id FROM enrichments)
  AND id NOT IN (SELECT paid_by FROM enrichments WHERE paid_by IS NOT NULL)`;

/** Such an enrichment is asked for again at once. Beside a fresh answer both stay. */
const WAS_NEVER_ACCEPTED = `((state = 'queued' AND lost_sends = 0)
  OR (state = 'failed' AND ticket IS NULL))
  AND (predecessor IS NULL
    OR (SELECT ${answeredAt('o')} FROM enrichments o WHERE o.id = predecessor) < ?)`;

/** An enrichment is not stale while another refers to it: that one shows its answer, or counts only after it. */
const IS_STALE = `state IN ('found', 'not_found', 'failed') AND (settled_at < ? OR is_current = 0)
  AND id NOT IN (SELECT older_answer FROM enrichments
                 WHERE older_answer IS NOT NULL AND state <> 'found' AND state <> 'not_found')
  AND id NOT IN (SELECT predecessor FROM enrichments
                 WHERE predecessor IS NOT NULL AND (state = 'queued' OR state = 'failed'))`;

/** An answer may still come, or the enrichment may have been paid for: no run asks for it again by itself. */
const IS_UNSETTLED = `state IN ('queued', 'submitting', 'awaiting', 'timed_out', 'uncertain')`;

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
      const bytesBefore = sizeOf(db);
      const counts = removeRows(
        db,
        () => remove(db, times),
        () => isForReal,
      );
      if (!isForReal) return { ...counts, bytesBefore, bytesAfter: null };
      // An earlier prune may have been cut off here.
      if (db.pragma('freelist_count', { simple: true }) !== 0) reclaim(db);
      return { ...counts, bytesBefore, bytesAfter: sizeOf(db) };
    },
  } satisfies Partial<Verbs>;
}

function remove(db: Database.Database, { at, before, freshSince }: PruneTimes): Counts {
  const run: Execute = (sql, ...values) => db.prepare<number[]>(sql).run(...values).changes;
  const count = (where: string): number =>
    db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM enrichments WHERE ${where}`).get()
      ?.n ?? 0;
  const ofPruned = 'run_id IN (SELECT id FROM runs WHERE pruned_at IS NOT NULL)';

  const runs = run(`UPDATE runs SET pruned_at = ? WHERE ${IS_OLD}`, at, before);
  const leads = run(`DELETE FROM leads WHERE ${ofPruned}`);
  run(`DELETE FROM lead_cells WHERE ${ofPruned}`);
  const rejects = run(`DELETE FROM rejects WHERE ${ofPruned}`);
  run(`DELETE FROM lists WHERE ${ofPruned}`);
  run(`DELETE FROM read_files WHERE ${ofPruned}`);
  for (const table of ['series', 'series_buckets']) run(`DELETE FROM ${table} WHERE ${ofPruned}`);
  // Those that are still there are hashed once more.
  run('DELETE FROM hashed_files WHERE noted_at < ?', before);
  // The last id stays taken: a late webhook names its enrichment by it.
  const enrichments = run(
    `DELETE FROM enrichments WHERE id < (SELECT max(id) FROM enrichments) AND ${IS_OF_PRUNED}
       AND ((${WAS_NEVER_ACCEPTED}) OR (${IS_STALE}))`,
    freshSince,
    freshSince,
  );
  const results = run(
    'DELETE FROM results WHERE enrichment_id NOT IN (SELECT id FROM enrichments)',
  );
  run('DELETE FROM unread_answers WHERE enrichment_id NOT IN (SELECT id FROM enrichments)');
  run('DELETE FROM delivery_keys WHERE abs(id) NOT IN (SELECT id FROM enrichments)');
  const { deliveries, events } = removeJournals(run, before);
  // The row of a run stays while an enrichment of it does: it says whose account paid, and what its columns were taken
  // for. The row of a run over a drop folder stays too: it says which files are in the table that is still there.
  run(`DELETE FROM runs WHERE ${HAS_NOTHING_PAID} AND NOT (${HAS_DONE_FILES})`);
  run(`UPDATE runs SET columns = '[]', mapping = '[]' WHERE ${HAS_NOTHING_PAID}`);
  run(`UPDATE runs SET plan = json_set(plan, '$.sources', json('[]')) WHERE pruned_at IS NOT NULL`);
  return {
    runs,
    leads,
    rejects,
    enrichments,
    results,
    deliveries,
    events,
    keptFresh: count(`${IS_OF_PRUNED} AND NOT (${IS_UNSETTLED})`),
    keptUnsettled: count(`${IS_OF_PRUNED} AND ${IS_UNSETTLED}`),
  };
}

function removeJournals(run: Execute, before: number): Pick<Counts, 'deliveries' | 'events'> {
  run('CREATE TEMP TABLE IF NOT EXISTS old_deliveries (id INTEGER PRIMARY KEY)');
  run('DELETE FROM old_deliveries');
  run(
    `INSERT INTO old_deliveries SELECT id FROM deliveries
     WHERE received_at < ? AND id < (SELECT max(id) FROM deliveries)
       AND id NOT IN (SELECT delivery_id FROM pending_deliveries)
       AND (enrichment_id IS NULL
         OR enrichment_id NOT IN (SELECT id FROM enrichments WHERE ${IS_UNSETTLED}))`,
    before,
  );
  const old = 'IN (SELECT id FROM old_deliveries)';
  run(`DELETE FROM handled_deliveries WHERE delivery_id ${old}`);
  run(`DELETE FROM unknown_tickets WHERE delivery_id ${old}`);
  run(`DELETE FROM unread_deliveries WHERE delivery_id ${old}`);
  return {
    deliveries: run(`DELETE FROM deliveries WHERE id ${old}`),
    // `events --follow` goes by their numbers.
    events: run(
      'DELETE FROM events WHERE received_at < ? AND id < (SELECT max(id) FROM events)',
      before,
    ),
  };
}

function sizeOf(db: Database.Database): number {
  const pages = db.pragma('page_count', { simple: true }) as number;
  return pages * (db.pragma('page_size', { simple: true }) as number);
}
