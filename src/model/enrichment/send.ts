// The outcomes of an enrichment's sends, but for what its state alone decides (src/store/enrichments/submits.ts).
import { change, type Enrichment, type Locked, move, NEVER } from './locked.js';

/** Its process says nothing of the platform. */
export const CUT_OFF = 'cut off between sending and saving: the platform may have accepted it';

/** Marks an enrichment that no process sends any more, and that may or may not have been accepted. */
export function cutOff(locked: Locked, row: Enrichment): boolean {
  return move(locked, row, 'cut_off', { reason: CUT_OFF });
}

/** Queues it again for this run, because the user said so. The earlier send of this run may be charged all the same. */
export function requeue(locked: Locked, row: Enrichment, runId: number): boolean {
  const { ask, id, lostSends, paidBy } = row;
  const isQueued = move(locked, row, 'requeued', {
    runId,
    lostSends: paidBy === runId ? lostSends + 1 : 0,
    paidBy: null,
    reason: null,
    isResent: true,
    // What stood in for it may not be known any more.
    ...(paidBy === null && { sent: ask, looks: true }),
  });
  if (isQueued && paidBy !== null) {
    locked.givenUp.push(id);
    // Its cost stays reserved, beside the next send.
    locked.costs.set(row, null);
  }
  return isQueued;
}

/** Makes a run work on it. With `at`, an answer that could not be read is looked at again then. */
export function takeOver(
  locked: Locked,
  row: Enrichment,
  { at, runId }: { readonly runId: number; readonly at?: number },
): boolean {
  const isUnread = row.pollAt === NEVER && at !== undefined;
  return move(locked, row, 'taken_over', isUnread ? { runId, pollAt: at } : { runId });
}

/** Makes it count no more for its fingerprint. */
export function retire(locked: Locked, row: Enrichment): void {
  change(locked, row, { isCurrent: false });
}
