// Asks again for what failed: its ticket is read again, or it is sent anew. Each outcome in a few statements.
import type { RetriedWork, RetryTimes } from '../../../ports/store/enrichments.js';
import {
  decideRetry,
  RETRIED,
  RETRIED_ROW,
  type RetriedRow,
  type RetryDecision,
} from '../../enrichments/retry.js';
import { IS_REMEMBERED } from '../../enrichments/stored-request.js';
import { ENDED_RUNS_MAX, IS_DOUBTED } from '../../enrichments/trusts.js';
import { revisitLists } from '../contact-lists.js';
import type { Sql } from '../database/database.js';
import { reopenRun } from '../runs/runs.js';
import { lockAccountOf, type Verbs } from '../verbs.js';
import { keyOf } from './known.js';
import { markFirst, reopenTimedOut, requeueUncertain, retire } from './put-back.js';

export const retryWrites = {
  retry: async (sql, runId, only, times) => {
    await lockAccountOf(sql, runId);
    const work = { queued: 0, awaiting: 0, answered: 0 };
    for (const outcome of RETRIED.filter((one) => only.includes(one))) {
      const rows = await sql.rows<RetriedRow>(
        `SELECT ${RETRIED_ROW} FROM enrichments
         WHERE id IN (SELECT enrichment_id FROM leads WHERE run_id = $1) AND state = $2 AND ${IS_REMEMBERED}
         ORDER BY id FOR UPDATE`,
        [runId, outcome],
      );
      if (rows.length > 0) await retryAll(sql, runId, rows, times, work);
    }
    if (work.queued + work.awaiting > 0) await reopenRun(sql, runId, times.at);
    await revisitLists(sql, [runId]);
    await markFirst(sql, runId);
    return work;
  },
  doubtMisses: async (sql, runId, at) => {
    const account = await lockAccountOf(sql, runId);
    const awaited = await sql.run(
      `UPDATE enrichments SET state = 'awaiting', poll_at = $2, deadline_at = $2, believed = NULL,
         answered_at = settled_at, settled_at = NULL
       WHERE id = ANY (ARRAY(
         SELECT id FROM enrichments WHERE run_id = $1 AND ${IS_DOUBTED} ORDER BY id FOR UPDATE))`,
      [runId, at],
    );
    if (awaited > 0) await revisitLists(sql, [runId]);
    const ended = await sql.rows<{ id: number }>(
      `SELECT id FROM runs
       WHERE id IN (SELECT run_id FROM enrichments WHERE ${IS_DOUBTED}) AND state = 'finished' AND pruned_at IS NULL
         AND id <> $1 AND account = $2
       ORDER BY id DESC LIMIT ${ENDED_RUNS_MAX}`,
      [runId, account],
    );
    return { awaited, endedRuns: ended.map(({ id }) => id) };
  },
} satisfies Partial<Verbs>;

/** Adds to `work` what is left to do. */
async function retryAll(
  sql: Sql,
  runId: number,
  rows: readonly RetriedRow[],
  times: RetryTimes,
  work: Record<keyof RetriedWork, number>,
): Promise<void> {
  const newest = await readNewest(sql, rows);
  const steps: Record<RetryDecision['step'], number[]> = {
    share: [],
    reopen: [],
    requeue: [],
    reread: [],
    replace: [],
  };
  const moves = new Map<number, number>();
  for (const row of rows) {
    const key = keyOf(row.fingerprint);
    const known = newest.get(key);
    const { id, left, step } = decideRetry(row, known, times.askAnew);
    work[left] += 1;
    steps[step].push(id);
    // A new one has an id below zero until it is written.
    const by = step === 'replace' ? -steps.replace.length : id;
    if (known !== undefined && known.id === id) newest.set(key, asLeft(known, by, step));
    if (by !== row.id) moves.set(row.id, by);
  }
  await reopenTimedOut(sql, steps.reopen, runId, times);
  await requeueUncertain(sql, steps.requeue, runId);
  await reread(sql, steps.reread, runId, times);
  await retire(sql, steps.replace);
  const created = await copy(sql, steps.replace, runId);
  await move(
    sql,
    runId,
    [...moves.keys()],
    [...moves.values()].map((id) => (id < 0 ? (created[-1 - id] as number) : id)),
  );
}

/** What counts for the fingerprints of those that may share it. */
async function readNewest(sql: Sql, rows: readonly RetriedRow[]): Promise<Map<string, RetriedRow>> {
  const newest = await sql.rows<RetriedRow>(
    `SELECT ${RETRIED_ROW} FROM enrichments WHERE is_current AND fingerprint IN
       (SELECT fingerprint FROM enrichments WHERE id = ANY($1) AND state IN ('not_found', 'failed', 'uncertain'))
     ORDER BY id FOR UPDATE`,
    [rows.map(({ id }) => id)],
  );
  return new Map(newest.map((row) => [keyOf(row.fingerprint), row]));
}

/** What counts after that step, for the next one that shares it. */
function asLeft(row: RetriedRow, id: number, step: RetryDecision['step']): RetriedRow {
  if (step === 'reread') return { ...row, state: 'awaiting' };
  return step === 'replace' ? { ...row, id, state: 'queued', ticket: null, lost_sends: 0 } : row;
}

/**
 * Their answers may have been misread: the platform is asked for them again, for nothing. They were there already, so one
 * look is enough: where the platform no longer knows the ticket, nothing waits for a deadline.
 */
async function reread(
  sql: Sql,
  ids: readonly number[],
  runId: number,
  { at }: RetryTimes,
): Promise<void> {
  if (ids.length === 0) return;
  await sql.run(
    `UPDATE enrichments SET state = 'awaiting', run_id = $2, poll_at = $3, deadline_at = $3, reason = NULL,
       was_empty = 0, believed = NULL, settled_at = NULL,
       answered_at = CASE WHEN state = 'not_found' THEN settled_at ELSE answered_at END
     WHERE id = ANY($1)`,
    [ids, runId, at],
  );
}

/** New ones that ask the same. Returns their ids, in the same order. */
async function copy(sql: Sql, ids: readonly number[], runId: number): Promise<number[]> {
  if (ids.length === 0) return [];
  // The user wants these: what failed before them does not count in their place.
  const rows = await sql.rows<{ id: number }>(
    `INSERT INTO enrichments (fingerprint, run_id, ask, inputs, wanted, older_answer, predecessor)
     SELECT fingerprint, $2, ask, inputs, wanted,
       CASE WHEN answered_at IS NULL THEN older_answer ELSE id END,
       CASE WHEN ticket IS NULL THEN predecessor END
     FROM enrichments JOIN unnest($1::bigint[]) WITH ORDINALITY AS r (old, ord) ON old = id
     ORDER BY ord RETURNING id`,
    [ids, runId],
  );
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/** The run's leads refer to the new enrichments from now on. */
async function move(
  sql: Sql,
  runId: number,
  from: readonly number[],
  to: readonly number[],
): Promise<void> {
  if (from.length === 0) return;
  await sql.run(
    `UPDATE leads SET enrichment_id = m.new FROM unnest($2::bigint[], $3::bigint[]) AS m (old, new)
     WHERE run_id = $1 AND enrichment_id = m.old`,
    [runId, from, to],
  );
  // Leads that asked for one person twice, and now share: one of them stays on the bill.
  await sql.run(
    `UPDATE leads l SET is_first = false
     WHERE run_id = $1 AND is_first AND enrichment_id = ANY($2) AND EXISTS
       (SELECT 1 FROM leads o WHERE o.enrichment_id = l.enrichment_id AND o.run_id = l.run_id
          AND o.is_first AND o.position < l.position)`,
    [runId, to],
  );
}
