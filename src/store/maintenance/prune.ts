// Removes old runs, with everything that only they still needed. Facts that prevent a second payment stay, however old
// their run is.
import type { PruneReport, PruneTimes } from '../../ports/store/maintenance.js';
import { HAS_DONE_FILES } from '../files.js';
import { countOf, lockEveryAccount, type Sql, type Transactions } from '../sql.js';
import { type Disk, orTakenBack } from './disk.js';
import {
  FORGET_HASHES,
  FORGET_REFUSED,
  IS_LEAVING,
  IS_OF_PRUNED,
  IS_OLD_DELIVERY,
  IS_UNSETTLED,
  markRuns,
  removeRows,
  TABLES_OF_RUN,
  TABLES_PRUNED,
} from './leaving.js';

type Counts = Omit<PruneReport, 'bytesBefore' | 'bytesAfter'>;

const RUNS_MAX = 2_147_483_647;

const HAS_NOTHING_PAID = `pruned_at IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM enrichments WHERE enrichments.run_id = runs.id)
  AND NOT EXISTS (SELECT 1 FROM enrichments WHERE enrichments.paid_by = runs.id)
  AND NOT EXISTS (SELECT 1 FROM runs steps WHERE steps.step_of = runs.id)`;

/** A prune that only counts clears no space, so that other verbs do not wait for long. */
export async function prune(
  database: Transactions,
  disk: Disk,
  times: PruneTimes,
  isForReal: boolean,
): Promise<PruneReport> {
  const measure = () => database.perform((sql) => disk.measure(sql), { kind: 'snapshot' });
  const { bytes: bytesBefore } = await measure();
  const counts = await orTakenBack(
    database,
    (sql) => remove(sql, times),
    () => isForReal,
  );
  if (!isForReal) return { ...counts, bytesBefore, bytesAfter: null };
  await disk.clearAway(TABLES_PRUNED);
  const { bytes: bytesAfter } = await measure();
  return { ...counts, bytesBefore, bytesAfter };
}

async function remove(sql: Sql, times: PruneTimes): Promise<Counts> {
  const { before, freshSince } = times;
  await lockEveryAccount(sql);
  const runs = await markRuns(sql, times, RUNS_MAX);
  const ofRuns: Partial<Record<string, number>> = {};
  for (const table of Object.keys(TABLES_OF_RUN)) {
    ofRuns[table] = await sql.run(
      `DELETE FROM ${table} WHERE run_id IN (SELECT id FROM runs WHERE pruned_at IS NOT NULL AND NOT is_cleared)`,
    );
  }
  await sql.run('UPDATE runs SET is_cleared = true WHERE pruned_at IS NOT NULL AND NOT is_cleared');
  await sql.run(FORGET_HASHES, [before]);
  await sql.run(FORGET_REFUSED, [before]);
  const leaving = await sql.list<number>(
    `SELECT id FROM enrichments WHERE ${IS_LEAVING} ORDER BY id FOR UPDATE`,
    [freshSince],
  );
  const paid = await removeRows(sql, 'enrichments', leaving);
  const old = await sql.list<number>(
    `SELECT id FROM deliveries WHERE ${IS_OLD_DELIVERY} ORDER BY id`,
    [before],
  );
  const journal = await removeRows(sql, 'deliveries', old);
  // The newest event stays, because `events --follow` reads by their numbers.
  const events = await sql.run(
    'DELETE FROM events WHERE received_at < $1 AND id < (SELECT max(id) FROM events)',
    [before],
  );
  await sql.run(`DELETE FROM runs WHERE ${HAS_NOTHING_PAID} AND step_of IS NOT NULL`);
  // The row of a run stays while an enrichment of it does, or of a step of it: it says whose account paid, and which columns fed which
  // inputs. The row of a run over a drop folder stays too: it says which files are in the table that still exists.
  await sql.run(`DELETE FROM runs WHERE ${HAS_NOTHING_PAID} AND NOT (${HAS_DONE_FILES})`);
  await sql.run(`UPDATE runs SET columns = '[]', mapping = '[]' WHERE ${HAS_NOTHING_PAID}`);
  return {
    runs,
    leads: ofRuns['leads'] ?? 0,
    rejects: ofRuns['rejects'] ?? 0,
    enrichments: paid.enrichments,
    results: paid.results,
    deliveries: journal.deliveries,
    events,
    keptFresh: await countOf(sql, `enrichments WHERE ${IS_OF_PRUNED} AND NOT ${IS_UNSETTLED}`),
    keptUnsettled: await countOf(sql, `enrichments WHERE ${IS_OF_PRUNED} AND ${IS_UNSETTLED}`),
  };
}
