// Whether a settled enrichment answers a lead once more, without a payment.
import type { EnrichmentState } from '../../domain/enrichment.js';

interface SettledRow {
  readonly state: EnrichmentState;
  readonly ticket: string | null;
  readonly settled_at: number | null;
}

/** A failed one without a ticket was refused: nothing was paid for, and nothing was learnt that lasts. */
export function wasAccepted({ state, ticket }: SettledRow): boolean {
  return state !== 'failed' || ticket !== null;
}

export function isFresh(row: SettledRow, freshSince: number): boolean {
  return wasAccepted(row) && row.settled_at !== null && row.settled_at >= freshSince;
}
