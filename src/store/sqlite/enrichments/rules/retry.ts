// Decides how an enrichment is tried again whose answer a user still wants.
import type { EnrichmentState } from '../../../../model/enrichment/arrows.js';
import type { RetriedOutcome, RetriedWork } from '../../../../ports/store/enrichments.js';

/** In this order: the successor of a not_found or failed enrichment may itself have timed out, or be uncertain. */
export const RETRIED: readonly RetriedOutcome[] = ['not_found', 'failed', 'timed_out', 'uncertain'];

export interface RetriedRow {
  readonly id: number;
  readonly state: EnrichmentState;
  readonly ticket: string | null;
  readonly fingerprint: Uint8Array;
  readonly lost_sends: number;
}

/** In SQL, of table `enrichments`. */
export const RETRIED_ROW = 'id, state, ticket, fingerprint, lost_sends';

/**
 * What is done with the enrichment `id`, which answers the leads from now on, and what is left to do then:
 * - `share`: nothing
 * - `reopen`: its ticket is asked for again, until a new deadline
 * - `requeue`: it is sent again
 * - `reread`: its ticket is asked for once more; its answer stands meanwhile
 * - `replace`: a new one takes its place, which asks the same
 */
export interface RetryDecision {
  readonly step: 'share' | 'reopen' | 'requeue' | 'reread' | 'replace';
  readonly id: number;
  readonly left: keyof RetriedWork;
}

/** `newest`: what counts for its fingerprint, which may be the row itself. */
export function decideRetry(
  row: RetriedRow,
  newest: RetriedRow | undefined,
  askAnew = false,
): RetryDecision {
  if (row.state === 'timed_out') return { step: 'reopen', id: row.id, left: 'awaiting' };
  if (row.state === 'uncertain') {
    // A wider question has been answered in its place.
    const isAnswered = newest?.state === 'found' || newest?.state === 'not_found';
    if (newest !== undefined && isAnswered)
      return { step: 'share', id: newest.id, left: 'answered' };
    return { step: 'requeue', id: row.id, left: 'queued' };
  }
  const { id, state, ticket } = countingOf(row, newest, askAnew);
  if (state === 'failed' || state === 'not_found') {
    if (ticket !== null && !(askAnew && state === 'failed')) {
      return { step: 'reread', id, left: 'awaiting' };
    }
    if (state === 'failed') return { step: 'replace', id, left: 'queued' };
  }
  if (state === 'awaiting') return { step: 'share', id, left: 'awaiting' };
  const isOpen = state === 'queued' || state === 'submitting';
  return { step: 'share', id, left: isOpen ? 'queued' : 'answered' };
}

function countingOf(row: RetriedRow, newest: RetriedRow | undefined, askAnew: boolean): RetriedRow {
  // Its successor is known by another fingerprint now: the row itself counts.
  if (newest === undefined) return row;
  // An enrichment that was never accepted has nothing to read, and would be paid for.
  return row.ticket !== null && !askAnew && wasNeverAccepted(newest) ? row : newest;
}

/** What was sent and lost may have been accepted. */
function wasNeverAccepted({ state, ticket, lost_sends }: RetriedRow): boolean {
  return (state === 'queued' && lost_sends === 0) || (state === 'failed' && ticket === null);
}
