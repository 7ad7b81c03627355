// When awaited enrichments are due, and what their rows say of them.
import type { AwaitedEnrichment, Postponement } from '../../ports/store/enrichments.js';
import { type RequestRow, toRequest } from './stored-request.js';

/** When one is due whose answer came and cannot be read: the last moment that a date can name. */
export const NEVER = 8_640_000_000_000_000;

/** `was_empty` in a row: an empty success was read, or one that held nothing at all. */
const EMPTY = 1;
const BLANK = 2;

/** `was_empty`, as it is kept. */
export function emptinessOf({ wasBlank, wasEmpty }: Postponement): number {
  if (!wasEmpty) return 0;
  return wasBlank ? BLANK : EMPTY;
}

export type AwaitedRow = Omit<AwaitedEnrichment, 'request' | 'wasEmpty' | 'wasBlank'> &
  RequestRow & { readonly wasEmpty: number };

export function toAwaited(row: AwaitedRow): AwaitedEnrichment {
  const { id, ticket, submittedAt, pollAt, deadlineAt, pollCount, unread } = row;
  const request = toRequest(row);
  const [wasEmpty, wasBlank] = [row.wasEmpty > 0, row.wasEmpty === BLANK];
  const due = { id, ticket, request, submittedAt, pollAt, deadlineAt, pollCount };
  return { ...due, wasEmpty, wasBlank, unread };
}
