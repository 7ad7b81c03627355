// What a store holds for fingerprints, and what of it counts: as an answer, as on its way, or not at all.
import type { EnrichmentState } from '../../../../model/enrichment/arrows.js';
import type { Fingerprints, PeekedState } from '../../../../ports/store/enrichments.js';

/** What came before an enrichment: shown until it has an answer, and counted until it was accepted. */
export interface Before {
  readonly older_answer: number | null;
  readonly predecessor: number | null;
}

export const NOTHING_BEFORE: Before = { older_answer: null, predecessor: null };

export interface KnownRow extends Before {
  readonly id: number;
  readonly run_id: number;
  readonly paid_by: number | null;
  readonly state: EnrichmentState;
  readonly ticket: string | null;
  readonly settled_at: number | null;
  readonly answered_at: number | null;
  readonly served_by: number | null;
}

/** In SQL, of table `enrichments`. */
export const KNOWN_ROW =
  'id, run_id, paid_by, state, ticket, settled_at, answered_at, older_answer, predecessor, served_by';

/** What a store holds at this moment, in the transaction of a verb. */
export interface Known {
  /** The enrichment that counts for a fingerprint. */
  current(fingerprint: Uint8Array): KnownRow | undefined;
  byId(id: number): KnownRow | undefined;
}

/** What is known of its own question. */
export function peekOwn(known: Known, lead: Fingerprints, freshSince: number): PeekedState {
  const row = known.current(lead.fingerprint);
  return row === undefined ? 'new' : peekRow(known, row, freshSince);
}

export function peekRow(
  known: Pick<Known, 'byId'>,
  row: KnownRow,
  freshSince: number,
): PeekedState {
  if (row.state === 'queued' || !wasAccepted(row)) {
    const older = olderOf(known, row);
    const counts = older !== undefined && (isReadAgain(older) || isFresh(older, freshSince));
    return counts ? 'fresh' : 'new';
  }
  if (row.state === 'uncertain') return 'uncertain';
  if (row.settled_at === null || row.state === 'timed_out') return 'open';
  return isFresh(row, freshSince) ? 'fresh' : 'new';
}

/** What counts in place of one that was never accepted, also while it is read again. */
export function olderOf(known: Pick<Known, 'byId'>, { predecessor }: Before): KnownRow | undefined {
  const row = predecessor === null ? undefined : known.byId(predecessor);
  return row && { ...row, settled_at: row.answered_at ?? row.settled_at };
}

/** What came before the one that takes its place. */
export function beforeNext(row: KnownRow): Before {
  const isAnswered = row.state !== 'failed' || row.answered_at !== null;
  return {
    older_answer: isAnswered ? row.id : row.older_answer,
    predecessor: wasAccepted(row) ? row.id : row.predecessor,
  };
}

/** A failed enrichment without a ticket was refused: nothing was paid for, and nothing was learnt that lasts. */
export function wasAccepted({ state, ticket }: KnownRow): boolean {
  return state !== 'failed' || ticket !== null;
}

/** Whether a settled enrichment answers a lead again, without a payment. */
export function isFresh(row: KnownRow, freshSince: number): boolean {
  return wasAccepted(row) && row.settled_at !== null && row.settled_at >= freshSince;
}

/** Its ticket is read again: its answer counts as on its way. */
export function isReadAgain({ state }: KnownRow): boolean {
  return state === 'awaiting';
}
