// Decides what counts for a fingerprint: as an answer, as on its way, or not at all; and so what would be paid for.
import type { PeekedState } from '../../ports/store/enrichments.js';
import type { EnrichmentState } from './arrows.js';
import type { Enrichment } from './held.js';

/**
 * The enrichments before one: the older answer is shown until it has an answer, and the predecessor counts until it was
 * accepted.
 */
export type Before = Pick<Enrichment, 'olderAnswer' | 'predecessor'>;

export const NOTHING_BEFORE: Before = { olderAnswer: null, predecessor: null };

/** The fields that decide whether an enrichment counts. */
export type Standing = Readonly<
  Before & Pick<Enrichment, 'id' | 'state' | 'ticket' | 'settledAt' | 'answeredAt'>
>;

/** The rows that a store holds at this moment. */
export interface Known<Row extends Standing = Standing> {
  /** The enrichment that counts for a fingerprint. */
  current(fingerprint: Uint8Array): Row | undefined;
  byId(id: number): Row | undefined;
}

/** Whether no answer is taken for it any more. */
export function hasEnded(state: EnrichmentState): boolean {
  return state === 'found' || state === 'not_found' || state === 'failed';
}

export function peekRow(
  known: Pick<Known, 'byId'>,
  row: Standing,
  freshSince: number,
): PeekedState {
  if (row.state === 'queued' || !wasAccepted(row)) {
    const older = olderOf(known, row);
    const counts = older !== undefined && (isReadAgain(older) || wasFresh(older, freshSince));
    return counts ? 'fresh' : 'new';
  }
  if (row.state === 'uncertain') return 'uncertain';
  if (row.state === 'submitting') return 'sending';
  if (row.settledAt === null || row.state === 'timed_out') return 'open';
  return isFresh(row, freshSince) ? 'fresh' : 'new';
}

/** The enrichment that counts in place of one that was never accepted, also while it is read again. */
export function olderOf<Row extends Standing>(
  known: Pick<Known<Row>, 'byId'>,
  { predecessor }: Before,
): Row | undefined {
  return predecessor === null ? undefined : known.byId(predecessor);
}

/** The `Before` of the enrichment that takes its place. */
export function beforeNext(row: Standing): Before {
  const isAnswered = row.state !== 'failed' || row.answeredAt !== null;
  return {
    olderAnswer: isAnswered ? row.id : row.olderAnswer,
    predecessor: wasAccepted(row) ? row.id : row.predecessor,
  };
}

/**
 * Whether it was accepted. A failed enrichment without a ticket was refused: nothing was paid for, and nothing lasting
 * was learnt.
 */
export function wasAccepted({ state, ticket }: Pick<Standing, 'state' | 'ticket'>): boolean {
  return state !== 'failed' || ticket !== null;
}

/** Whether a settled enrichment answers a lead again, without a payment. */
export function isFresh(row: Standing, freshSince: number): boolean {
  return wasAccepted(row) && row.settledAt !== null && row.settledAt >= freshSince;
}

/** The same for an enrichment that another has followed: by its answer from before it was read again, if it has one. */
export function wasFresh(row: Standing, freshSince: number): boolean {
  return wasAccepted(row) && (answeredAt(row) ?? -Infinity) >= freshSince;
}

function answeredAt({ answeredAt: before, settledAt }: Standing): number | null {
  return before ?? settledAt;
}

/** Whether its ticket is read again: its answer counts as on its way. */
export function isReadAgain({ state }: Pick<Standing, 'state'>): boolean {
  return state === 'awaiting';
}
