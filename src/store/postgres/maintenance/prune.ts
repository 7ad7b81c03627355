// Removes old runs, with everything that only they still needed. What prevents a second payment stays, however old its
// run is.
import type { FreshForKnown, PruneReport, PruneTimes } from '../../../ports/store/maintenance.js';
import { IS_UNSETTLED } from '../../maintenance/what-may-leave.js';
import type { Database, Sql } from '../database/database.js';
import { HAS_DONE_FILES } from '../files.js';
import { lockEveryAccount, type Verbs } from '../verbs.js';
import {
  FORGET_HASHES,
  IS_LEAVING,
  IS_OF_PRUNED,
  IS_OLD_DELIVERY,
  markRuns,
  removeRows,
  TABLES_OF_RUN,
  TABLES_PRUNED,
} from './leaving.js';
import { clearAway } from './reclaim.js';
import { bytesOf } from './size.js';

type Counts = Omit<PruneReport, 'bytesBefore' | 'bytesAfter'>;

const RUNS_MAX = 2_147_483_647;

const HAS_NOTHING_PAID = `pruned_at IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM enrichments WHERE enrichments.run_id = runs.id)
  AND NOT EXISTS (SELECT 1 FROM enrichments WHERE enrichments.paid_by = runs.id)`;

/** Undoes a transaction, and is not a failure. */
const TAKEN_BACK = new Error('taken back');

export const pruneReads = {
  longestFreshFor: async (sql): Promise<FreshForKnown> => {
    const unknown = await sql.row<{ job: string }>(
      'SELECT job FROM runs WHERE job NOT IN (SELECT job FROM fresh_for) LIMIT 1',
    );
    if (unknown !== undefined) return { kind: 'unknown', job: unknown.job };
    const longest = await sql.row<{ job: string; freshForMs: number }>(
      'SELECT job, longest_ms AS "freshForMs" FROM fresh_for ORDER BY longest_ms DESC, job LIMIT 1',
    );
    return { kind: 'known', ...(longest ?? { job: '', freshForMs: 0 }) };
  },
} satisfies Partial<Verbs>;

/** What is only counted is removed, and that is undone. Then other verbs do not wait for long: nothing is cleared away. */
export async function prune(
  database: Database,
  times: PruneTimes,
  isForReal: boolean,
): Promise<PruneReport> {
  const how = { kind: 'write', isLong: true } as const;
  let counts: Counts | undefined;
  const bytesBefore = await database.perform(bytesOf, { kind: 'snapshot' });
  const work = async (sql: Sql): Promise<Counts> => {
    counts = await remove(sql, times);
    if (!isForReal) throw TAKEN_BACK;
    return counts;
  };
  try {
    counts = await database.perform(work, how);
  } catch (error) {
    if (error !== TAKEN_BACK) throw error;
  }
  if (!isForReal) return { ...(counts as Counts), bytesBefore, bytesAfter: null };
  await clearAway(database, TABLES_PRUNED);
  const bytesAfter = await database.perform(bytesOf, { kind: 'snapshot' });
  return { ...(counts as Counts), bytesBefore, bytesAfter };
}

async function remove(sql: Sql, times: PruneTimes): Promise<Counts> {
  const { before, freshSince } = times;
  await lockEveryAccount(sql);
  const ids = async (text: string, value: number): Promise<number[]> =>
    (await sql.rows<{ id: number }>(text, [value])).map(({ id }) => id);
  const count = async (where: string): Promise<number> =>
    (await sql.row<{ n: number }>(`SELECT count(*) AS n FROM enrichments WHERE ${where}`))?.n ?? 0;

  const runs = await markRuns(sql, times, RUNS_MAX);
  const ofRuns: Partial<Record<(typeof TABLES_OF_RUN)[number], number>> = {};
  for (const table of TABLES_OF_RUN) {
    ofRuns[table] = await sql.run(
      `DELETE FROM ${table} USING runs WHERE run_id = runs.id AND pruned_at IS NOT NULL AND NOT is_cleared`,
    );
  }
  await sql.run('UPDATE runs SET is_cleared = true WHERE pruned_at IS NOT NULL AND NOT is_cleared');
  await sql.run(FORGET_HASHES, [before]);
  const leaving = await ids(
    `SELECT id FROM enrichments WHERE ${IS_LEAVING} ORDER BY id FOR UPDATE`,
    freshSince,
  );
  const paid = await removeRows(sql, 'enrichments', leaving);
  const old = await ids(`SELECT id FROM deliveries WHERE ${IS_OLD_DELIVERY} ORDER BY id`, before);
  const journal = await removeRows(sql, 'deliveries', old);
  // `events --follow` goes by their numbers.
  const events = await sql.run(
    'DELETE FROM events WHERE received_at < $1 AND id < (SELECT max(id) FROM events)',
    [before],
  );
  // The row of a run stays while an enrichment of it does: it says whose account paid, and what its columns were taken
  // for. The row of a run over a drop folder stays too: it says which files are in the table that is still there.
  await sql.run(`DELETE FROM runs WHERE ${HAS_NOTHING_PAID} AND NOT (${HAS_DONE_FILES})`);
  await sql.run(`UPDATE runs SET columns = '[]', mapping = '[]' WHERE ${HAS_NOTHING_PAID}`);
  return {
    runs,
    leads: ofRuns.leads ?? 0,
    rejects: ofRuns.rejects ?? 0,
    enrichments: paid.enrichments,
    results: paid.results,
    deliveries: journal.deliveries,
    events,
    keptFresh: await count(`${IS_OF_PRUNED} AND NOT ${IS_UNSETTLED}`),
    keptUnsettled: await count(`${IS_OF_PRUNED} AND ${IS_UNSETTLED}`),
  };
}
