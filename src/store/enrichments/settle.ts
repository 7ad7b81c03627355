import { keepUnread, postpone, settle } from '../../model/enrichment/answer.js';
import { NEVER } from '../../model/enrichment/locked.js';
import { type RequestRow, toRequest } from '../../model/enrichment/stored-request.js';
import type { AwaitedEnrichment, Changed, Look } from '../../ports/store/enrichments.js';
import { accountOf, type Sql } from '../sql.js';
import { read, type Verbs, write } from '../verb.js';
import { lockRows } from './lock-rows.js';
import { changedIn, save } from './save.js';
import { findHolders, judgeShared } from './shared-tickets.js';

/** Columns, in SQL, of enrichment `e` with the question that was sent for it. */
const AWAITED_ROW = `e.id, e.ticket, e.sent AS ask, e.inputs, e.submitted_at, e.poll_at, e.deadline_at, e.poll_count, e.was_empty,
  (SELECT u.body FROM unread_answers u WHERE u.enrichment_id = e.id) AS unread`;

export type AwaitedRow = Omit<AwaitedEnrichment, 'request'> & RequestRow;

export function toAwaited({ ask, inputs, ...row }: AwaitedRow): AwaitedEnrichment {
  return { ...row, request: toRequest({ ask, inputs }) };
}

/** The time of the next poll of enrichments whose answers could not be read. */
export const UNREAD = { from: NEVER, to: NEVER };

/** Makes enrichments that the run awaits due at `at`, if their time is within the range. Returns how many. */
export function makeDue(
  sql: Sql,
  runId: number,
  at: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number> {
  return sql.run(
    `UPDATE enrichments SET poll_at = $1 WHERE id IN (SELECT id FROM enrichments
       WHERE run_id = $2 AND state = 'awaiting' AND poll_at BETWEEN $3 AND $4 ORDER BY id FOR UPDATE)`,
    [at, runId, from, to],
  );
}

/** $2: the ids that are left out; an empty list would match nothing in SQLite, so it has an id that no row has. */
const AWAITED = `SELECT ${AWAITED_ROW} FROM enrichments e
  WHERE e.run_id = $1 AND e.state = 'awaiting' AND NOT e.id = ANY ($2)`;

export const settleVerbs = {
  ticketHolders: read('bounded', async (sql, runId, tickets) =>
    findHolders(sql, await accountOf(sql, runId), tickets),
  ),
  awaited: read('bounded', async (sql, runId, limit, until = NEVER, except = []) => {
    const others = [0, ...except];
    const last = Math.min(Math.floor(until), NEVER - 1);
    const due = await sql.rows<AwaitedRow>(
      `${AWAITED} AND e.poll_at <= $3 ORDER BY e.poll_at, e.id LIMIT $4`,
      [runId, others, last, limit],
    );
    const all = due.map(toAwaited);
    if (due.length === limit || last === NEVER - 1) return all;
    const next = await sql.rows<AwaitedRow>(
      `${AWAITED} AND e.poll_at > $3 AND e.poll_at < ${NEVER} ORDER BY e.poll_at, e.id LIMIT 1`,
      [runId, others, last],
    );
    return [...all, ...next.map(toAwaited)];
  }),
  pollSooner: write(async (sql, runId, pollAt, which) => {
    if (which === 'unread') return makeDue(sql, runId, pollAt, UNREAD);
    const { deadlineAt = NEVER, later } = which;
    const due = await makeDue(sql, runId, pollAt, { from: later + 1, to: NEVER - 1 });
    await sql.run(
      `UPDATE enrichments SET deadline_at = $1 WHERE id IN (SELECT id FROM enrichments
         WHERE run_id = $2 AND state = 'awaiting' AND deadline_at > $1 ORDER BY id FOR UPDATE)`,
      [deadlineAt, runId],
    );
    return due;
  }),
  settle: write('hot', takeLooks),
} satisfies Partial<Verbs>;

/** Part of another verb's transaction. */
export async function takeLooks(sql: Sql, looks: readonly Look[]): Promise<Changed[]> {
  const locked = await lockRows(
    sql,
    looks.map(({ id }) => id),
  );
  const ends = looks.flatMap((one) => ('outcome' in one ? { settlement: one } : []));
  const judged = await judgeShared(sql, locked, ends);
  const changed = [...judged, ...looks.filter((one) => !('outcome' in one))].filter((one) => {
    if ('outcome' in one) return settle(locked, one);
    return 'body' in one ? keepUnread(locked, one) : postpone(locked, one);
  });
  await save(sql, locked);
  return changedIn(locked, changed);
}
