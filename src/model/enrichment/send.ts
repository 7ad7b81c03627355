// The effects of a send and of its answer on an enrichment.
import type { SubmitRecord } from '../../ports/store/enrichments.js';
import { change, type Enrichment, type Held, learn, move, NEVER } from './held.js';

const CUT_OFF = 'cut off between sending and saving: the platform may have accepted it';

/** Each claim counts. `countedAt`: the quarter of an hour to which its cost belongs; `priceMax`: the most it may be. */
export function claim(
  held: Held,
  row: Enrichment,
  { at, countedAt, priceMax }: { readonly at: number; countedAt: number; priceMax: number },
): boolean {
  const { runId, sendCount } = row;
  return move(held, row, 'claimed', {
    submittedAt: at,
    paidBy: runId,
    countedAt,
    priceMax,
    sendCount: sendCount + 1,
  });
}

/** Returns whether the outcome of a send changed anything: the answer to one send says nothing about the next. */
export function record(held: Held, one: SubmitRecord): boolean {
  const row = held.rows.get(one.id);
  if (row?.sendCount !== one.send || !take(held, row, one)) return false;
  if (one.kind === 'accepted') learn(held, one.ticket, row);
  return true;
}

function take(held: Held, row: Enrichment, one: SubmitRecord): boolean {
  switch (one.kind) {
    case 'accepted': {
      const { callId = 0, deadlineAt, pollAt, ticket } = one;
      return move(held, row, 'accepted', { ticket, callId, pollAt, deadlineAt, reason: null });
    }
    case 'unsent':
      return move(held, row, 'unsent', { paidBy: null, reason: null });
    case 'refused':
      return move(held, row, 'refused', { settledAt: one.at, reason: one.reason });
    case 'uncertain':
      return move(held, row, 'lost', { reason: one.reason });
  }
}

/** Marks an enrichment that no process sends any more, and that may or may not have been accepted. */
export function cutOff(held: Held, row: Enrichment): boolean {
  return move(held, row, 'cut_off', { reason: CUT_OFF });
}

/** Queues it again for this run, because the user said so. The earlier send of this run may be charged all the same. */
export function requeue(held: Held, row: Enrichment, runId: number): boolean {
  const { ask, id, lostSends, paidBy } = row;
  const isQueued = move(held, row, 'requeued', {
    runId,
    lostSends: paidBy === runId ? lostSends + 1 : 0,
    paidBy: null,
    reason: null,
    isResent: true,
    // What stood in for it may not be known any more.
    ...(paidBy === null && { sent: ask, looks: true }),
  });
  if (isQueued && paidBy !== null) {
    held.givenUp.push(id);
    // Its cost stays held, beside the next send.
    held.costs.set(row, null);
  }
  return isQueued;
}

/** Makes a run work on it. With `at`, an answer that could not be read is looked at again then. */
export function takeOver(
  held: Held,
  row: Enrichment,
  { at, runId }: { readonly runId: number; readonly at?: number },
): boolean {
  const isUnread = row.pollAt === NEVER && at !== undefined;
  return move(held, row, 'taken_over', isUnread ? { runId, pollAt: at } : { runId });
}

/** Makes it count no more for its fingerprint. */
export function retire(held: Held, row: Enrichment): void {
  change(held, row, { isCurrent: false });
}
