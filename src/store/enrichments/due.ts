// When awaited enrichments are due, and what their rows say of them.
import type { AwaitedEnrichment, Belief, Postponement } from '../../ports/store/enrichments.js';
import { type RequestRow, toAsks, toRequest } from './stored-request.js';

/** When one is due whose answer came and cannot be read: the last moment that a date can name. */
export const NEVER = 8_640_000_000_000_000;

/** `was_empty` in a row: 1 where an empty success was read, 2 where it held nothing at all; 2 more for a late look. */
const BLANK = 2;
const LATE = 2;

/** `was_empty`, as it is kept. */
export function emptinessOf({
  wasBlank,
  wasEmpty,
  wasLate,
}: Pick<Postponement, 'wasBlank' | 'wasEmpty' | 'wasLate'>): number {
  if (!wasEmpty) return 0;
  return (wasBlank ? BLANK : 1) + (wasLate ? LATE : 0);
}

/** The same of a miss that was believed: what it held does not matter for its second look. */
export function emptinessOfBelief({ kind }: Belief): number {
  return emptinessOf({ wasEmpty: true, wasLate: kind === 'late' });
}

/** In SQL, of enrichment `e`, with its unread answer `u` and the wider one `w` that it has its ticket from. */
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
  const [wasEmpty, wasLate] = [row.wasEmpty > 0, row.wasEmpty > LATE];
  const wasBlank = row.wasEmpty === BLANK || row.wasEmpty === BLANK + LATE;
  const due = { id, ticket, request, submittedAt, pollAt, deadlineAt, pollCount };
  const part = row.part === null ? {} : { part: toAsks(row.part) };
  return { ...due, ...part, wasEmpty, wasLate, wasBlank, unread };
}
