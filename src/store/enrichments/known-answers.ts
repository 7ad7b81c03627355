// Which answer counts and is shown: what is known is never replaced by less.
import type { EnrichmentState } from '../../model/enrichment.js';

export interface SettledRow {
  readonly state: EnrichmentState;
  readonly ticket: string | null;
  readonly settled_at: number | null;
}

/** A failed enrichment without a ticket was refused: nothing was paid for, and nothing was learnt that lasts. */
export function wasAccepted({ state, ticket }: SettledRow): boolean {
  return state !== 'failed' || ticket !== null;
}

/** No answer is taken for it. Only `retry` and `forget` change it, which count the runs that it appears in anew. */
export function hasEnded(state: string): boolean {
  return state === 'found' || state === 'not_found' || state === 'failed';
}

/** Whether a settled enrichment answers a lead again, without a payment. */
export function isFresh(row: SettledRow, freshSince: number): boolean {
  return wasAccepted(row) && row.settled_at !== null && row.settled_at >= freshSince;
}

/** An ended enrichment, by its id: it counts for a successor that was never accepted, also while it is read again. */
export const ENDED_BY_ID = `SELECT id, run_id, state, ticket, ${answeredAt('e')} AS settled_at
  FROM enrichments e WHERE id = ?`;

export interface EndedRow extends SettledRow {
  readonly id: number;
  readonly run_id: number;
}

/** Its ticket is read again: its answer counts as on its way. */
export function isReadAgain({ state }: SettledRow): boolean {
  return state === 'awaiting';
}

/** Whether enrichment `e` has an answer, or had one before its ticket was read again. */
function isAnswered(e: string): string {
  return `(${e}.state = 'found' OR ${e}.state = 'not_found' OR ${e}.answered_at IS NOT NULL)`;
}

/** When that answer came. */
export function answeredAt(e: string): string {
  return `coalesce(${e}.answered_at, ${e}.settled_at)`;
}

/** The older answer `o` of each enrichment `e` that has none itself. */
export const OLDER_ANSWER = `enrichments o ON o.id = e.older_answer AND NOT ${isAnswered('e')} AND ${isAnswered('o')}`;

/** Whether the row shows an older answer for `e`: another enrichment's, or its own from before it was asked again. */
export const IS_ASKED_AGAIN = `(e.state <> 'found' AND e.state <> 'not_found'
  AND (o.id IS NOT NULL OR e.answered_at IS NOT NULL))`;

/** What is shown of the older answer of an enrichment: 1 found, 2 not_found; null where it has none. */
export const OLDER_SHOWN = `(SELECT iif(o.state = 'found', 1, 2) FROM enrichments o
  WHERE o.id = enrichments.older_answer AND ${isAnswered('o')})`;

/** Whether the run of lead `l` asked for enrichment `e`, and pays. */
export const IS_API = '(l.is_first = 1 AND e.paid_by IS l.run_id)';

/** What a row shows of lead `l`, which has no enrichment. */
const UNASKED_STATUS = `iif(l.not_asked = 1, 'not_asked', 'skipped')`;

/** What a row shows of lead `l` with enrichment `e` and its older answer `o`. */
export const SHOWN_STATUS = `CASE
    WHEN e.id IS NULL THEN ${UNASKED_STATUS}
    WHEN o.state = 'found' THEN 'found'
    WHEN ${IS_ASKED_AGAIN} THEN 'not_found'
    ELSE e.state END`;
