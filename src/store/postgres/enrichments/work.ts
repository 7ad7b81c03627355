// What is left to do and to pay for a run, and how it takes up what other runs, or a crash, left behind.
import type { RunWork } from '../../../ports/store/enrichments.js';
import { NEVER } from '../../enrichments/due.js';
import { type CommittedRow, CUT_OFF, toCommitment, toWork } from '../../enrichments/work.js';
import { revisitLists } from '../contact-lists.js';
import type { Sql } from '../database/database.js';
import type { Verbs } from '../verbs.js';
import { markFirst, requeueUncertain } from './put-back.js';

/** Of enrichments `e`: answers of leads of run $1. */
const OF_LEADS = 'EXISTS (SELECT 1 FROM leads WHERE enrichment_id = e.id AND run_id = $1)';

/** Those of `which` are locked in the order of their ids before they change. */
function change(set: string, which: string): string {
  return `WITH locked AS (SELECT id FROM enrichments e WHERE ${which} ORDER BY id FOR UPDATE)
    UPDATE enrichments e SET ${set} FROM locked WHERE e.id = locked.id`;
}

async function work(sql: Sql, runId: number): Promise<RunWork> {
  const rows = await sql.rows<{ state: string; n: number }>(
    `SELECT CASE WHEN poll_at = ${NEVER} THEN 'unread' ELSE state END AS state, count(*) AS n FROM enrichments
     WHERE run_id = $1 AND state IN ('queued', 'submitting', 'awaiting') GROUP BY 1`,
    [runId],
  );
  return toWork(rows);
}

export const workReads = {
  work,
  commitment: async (sql, runId) => {
    // A lost send counts beside the send that followed it. What no run pays for and was sent is queued again.
    const rows = await sql.rows<CommittedRow>(
      `SELECT ask,
         (count(*) FILTER (WHERE paid_by = $1 AND served_by IS NULL
             AND state IN ('submitting', 'awaiting', 'timed_out', 'uncertain'))
           + sum(lost_sends))::bigint AS open,
         sum(thousandths)::bigint AS thousandths
       FROM enrichments
       WHERE paid_by = $1 OR (run_id = $1 AND paid_by IS NULL AND state = 'queued') GROUP BY ask`,
      [runId],
    );
    return toCommitment(rows);
  },
} satisfies Partial<Verbs>;

export const workWrites = {
  recover: async (sql, runId) => {
    // A job that uses another account now must not ask the new account for tickets of the old account.
    await sql.run(
      change(
        'run_id = $1',
        `e.state = 'awaiting' AND e.run_id IN
           (SELECT other.id FROM runs own JOIN runs other USING (job, account)
            WHERE own.id = $1 AND other.id <> $1)`,
      ),
      [runId],
    );
    return sql.run(
      change(
        `state = 'uncertain', reason = $2`,
        `e.state = 'submitting' AND e.run_id IN
           (SELECT id FROM runs WHERE job = (SELECT job FROM runs WHERE id = $1))`,
      ),
      [runId, CUT_OFF],
    );
  },
  adopt: async (sql, runId, abandonedBefore) => {
    const givenUp = await sql.run(
      change(
        `state = 'uncertain', reason = $3`,
        `e.state = 'submitting' AND e.submitted_at < $2 AND ${OF_LEADS}`,
      ),
      [runId, abandonedBefore, CUT_OFF],
    );
    await sql.run(
      change('run_id = $1', `e.state IN ('queued', 'awaiting') AND e.run_id <> $1 AND ${OF_LEADS}`),
      [runId],
    );
    const left = await work(sql, runId);
    if (left.queued > 0) await markFirst(sql, runId);
    const elsewhere = await sql.row<{ n: number }>(
      `SELECT count(*) AS n FROM enrichments e WHERE state = 'submitting' AND ${OF_LEADS}`,
      [runId],
    );
    return { ...left, givenUp, elsewhere: elsewhere?.n ?? 0 };
  },
  requeueUncertain: async (sql, runId) => {
    const rows = await sql.rows<{ id: number }>(
      `SELECT id FROM enrichments e WHERE state = 'uncertain' AND ${OF_LEADS} ORDER BY id FOR UPDATE`,
      [runId],
    );
    if (rows.length === 0) return 0;
    await requeueUncertain(
      sql,
      rows.map(({ id }) => id),
      runId,
    );
    await markFirst(sql, runId);
    await revisitLists(sql, [runId]);
    return rows.length;
  },
} satisfies Partial<Verbs>;
