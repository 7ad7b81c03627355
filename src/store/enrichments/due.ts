// The rows of awaited enrichments, and when they are due.

import { toEmptiness } from '../../model/enrichment/answer.js';
import { type RequestRow, toAsks, toRequest } from '../../model/enrichment/stored-request.js';
import type { AwaitedEnrichment } from '../../ports/store/enrichments.js';

/** Columns, in SQL, of enrichment `e` with its unread answer `u` and the wider enrichment `w` whose ticket it uses. */
export const AWAITED_ROW = `e.id, e.ticket, coalesce(w.ask, e.ask) AS ask, CASE WHEN w.id IS NOT NULL THEN e.ask END AS part,
  e.inputs, e.submitted_at AS "submittedAt", e.poll_at AS "pollAt", e.deadline_at AS "deadlineAt",
  e.poll_count AS "pollCount", e.was_empty AS "wasEmpty", u.body AS unread`;
export const AWAITED_FROM = `enrichments e LEFT JOIN unread_answers u ON u.enrichment_id = e.id
  LEFT JOIN enrichments w ON w.id = e.served_by`;

export type AwaitedRow = Omit<
  AwaitedEnrichment,
  'request' | 'part' | 'wasEmpty' | 'wasLate' | 'wasBlank'
> &
  RequestRow & { readonly part: string | null; readonly wasEmpty: number };

export function toAwaited(row: AwaitedRow): AwaitedEnrichment {
  const { id, ticket, submittedAt, pollAt, deadlineAt, pollCount, unread } = row;
  const request = toRequest(row);
  const due = { id, ticket, request, submittedAt, pollAt, deadlineAt, pollCount };
  const part = row.part === null ? {} : { part: toAsks(row.part) };
  return { ...due, ...part, ...toEmptiness(row.wasEmpty), unread };
}
