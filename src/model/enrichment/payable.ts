// Decides what counts for a fingerprint: as an answer, as on its way, or not at all; and so what would be paid for.
import type { PeekedState } from '../../ports/store/enrichments.js';
import type { EnrichmentState } from './arrows.js';
import type { Enrichment } from './locked.js';

/** Whether no answer is taken for it any more. */
export function hasEnded(state: EnrichmentState): boolean {
  return state === 'found' || state === 'not_found' || state === 'failed';
}

export function peekRow(row: Enrichment, freshSince: number): PeekedState {
  if (row.state === 'queued' || !wasAccepted(row)) return 'new';
  if (row.state === 'uncertain') return 'uncertain';
  if (row.state === 'submitting') return 'sending';
  if (row.settledAt === null || row.state === 'timed_out') return 'open';
  return isFresh(row, freshSince) ? 'fresh' : 'new';
}

/** A failed enrichment without a ticket was refused: nothing was paid for, and nothing lasting was learnt. */
export function wasAccepted({ state, ticket }: Enrichment): boolean {
  return state !== 'failed' || ticket !== null;
}

export function isFresh(row: Enrichment, freshSince: number): boolean {
  return wasAccepted(row) && row.settledAt !== null && row.settledAt >= freshSince;
}
