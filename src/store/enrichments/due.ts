import { NEVER } from '../../model/enrichment/locked.js';
import { type RequestRow, toRequest } from '../../model/enrichment/stored-request.js';
import type { AwaitedEnrichment } from '../../ports/store/enrichments.js';
import type { Sql } from '../sql.js';

/** Columns, in SQL, of enrichment `e` with the question that was sent for it. */
export const AWAITED_ROW = `e.id, e.ticket, e.sent AS ask, e.inputs, e.submitted_at AS "submittedAt", e.poll_at AS "pollAt", e.deadline_at AS "deadlineAt",
  e.poll_count AS "pollCount", e.was_empty AS "wasEmpty",
  (SELECT u.body FROM unread_answers u WHERE u.enrichment_id = e.id) AS unread`;

export type AwaitedRow = Omit<AwaitedEnrichment, 'request' | 'wasEmpty'> &
  RequestRow & { readonly wasEmpty: boolean | 0 | 1 };

export function toAwaited(row: AwaitedRow): AwaitedEnrichment {
  const { id, ticket, submittedAt, pollAt, deadlineAt, pollCount, unread } = row;
  const request = toRequest(row);
  const due = { id, ticket, request, submittedAt, pollAt, deadlineAt, pollCount };
  return { ...due, wasEmpty: Boolean(row.wasEmpty), unread };
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
