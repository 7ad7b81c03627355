// The effect of a look, a webhook, a deadline or another run on an enrichment.
import type { Postponement, Settlement, UnreadAnswer } from '../../ports/store/enrichments.js';
import { toThousandths } from '../credits.js';
import { hasValue, mergeResults } from '../verdict.js';
import {
  type Change,
  change,
  costOf,
  type Enrichment,
  type Locked,
  move,
  NEVER,
} from './locked.js';
import { isRemembered } from './stored-request.js';

/** The reason of an enrichment that was sent without our knowledge, until its answer is taken. */
const CLAIMED = 'claimed by a webhook';
const CUT_OFF = 'cut off between sending and saving: the platform may have accepted it';

/** Returns whether it has changed: an answer is taken in any state in which one may still come, a second is not. */
export function settle(locked: Locked, settlement: Settlement): boolean {
  const row = locked.rows.get(settlement.id);
  if (row === undefined || !end(locked, row, settlement)) return false;
  const known = locked.known.get(row) ?? {};
  if ('result' in settlement) locked.results.set(row, mergeResults(known, settlement.result));
  // What is withheld must not stand among the values of others, which are shown.
  else if (settlement.withheld !== undefined && !locked.known.has(row)) {
    locked.results.set(row, settlement.withheld.result);
  }
  // An unread answer stays if the enrichment times out, for a later run that goes on polling.
  if (settlement.outcome !== 'timed_out') locked.unread.set(row, null);
  return true;
}

function end(locked: Locked, row: Enrichment, settlement: Settlement): boolean {
  const { at, outcome } = settlement;
  const ended: Change = { settledAt: at, pollAt: null, deadlineAt: null };
  switch (outcome) {
    case 'timed_out':
      return timeOut(locked, row, settlement);
    case 'failed': {
      const { reason, withheld } = settlement;
      const thousandths = toThousandths(withheld?.credits ?? 0);
      // The answer from before it was read again stands (`answeredAt`).
      return move(locked, row, 'failed', { ...ended, thousandths, reason });
    }
    case 'found':
    case 'not_found':
      return move(locked, row, hasValue(locked.known.get(row) ?? {}) ? 'found' : outcome, {
        ...ended,
        thousandths: toThousandths(settlement.credits),
        reason: null,
        answeredAt: null,
      });
  }
}

/** Takes an answer back: others have got its ticket since, and it is not known to be about this one. */
export function withdraw(locked: Locked, row: Enrichment, reason: string): void {
  move(locked, row, 'withdrawn', { reason, answeredAt: null });
}

function timeOut(
  locked: Locked,
  row: Enrichment,
  { at, reason }: Extract<Settlement, { outcome: 'timed_out' | 'failed' }>,
): boolean {
  const { answeredAt } = row;
  if (answeredAt === null) {
    return move(locked, row, 'timed_out', { settledAt: at, pollAt: null, reason });
  }
  return move(locked, row, 'stood', {
    settledAt: answeredAt,
    answeredAt: null,
    pollAt: null,
    deadlineAt: null,
    reason: null,
  });
}

/** Notes a look that found it pending still, or an empty answer to look at again. Returns whether it is awaited. */
export function postpone(locked: Locked, { id, pollAt, wasEmpty }: Postponement): boolean {
  const row = locked.rows.get(id);
  if (row === undefined) return false;
  return move(locked, row, 'postponed', { pollAt, wasEmpty, pollCount: row.pollCount + 1 });
}

/** Keeps an answer that no dialect has read yet: it is due at no time by itself. Returns whether it is kept. */
export function keepUnread(locked: Locked, { body, id, reason }: UnreadAnswer): boolean {
  const row = locked.rows.get(id);
  if (row === undefined || !move(locked, row, 'unread', { pollAt: NEVER, reason })) return false;
  locked.unread.set(row, body);
  return true;
}

/** Makes a look due now. Once for each enrichment: the holder of a key could otherwise make us poll it all day. */
export function dueNow(locked: Locked, row: Enrichment, at: number): void {
  if (row.pollCount > 0 || row.pollAt === null) return;
  move(locked, row, 'due_now', { pollAt: Math.min(row.pollAt, at) });
}

/** The naming of an enrichment by a webhook: by a ticket, and within a bulk call. */
interface Naming {
  readonly ticket: string | null;
  readonly callId: number | null;
  readonly at: number;
}

export function settleDelivered(locked: Locked, settlement: Settlement, naming: Naming): boolean {
  const row = noteSent(locked, settlement.id, naming);
  if (row === undefined) return false;
  if (settlement.outcome === 'found' && mayBeOutdone(row)) outdo(locked, row, naming);
  return settle(locked, settlement);
}

/** Whether an earlier send, whose answer was lost, may still bring what the last one has not. */
export function mayBeOutdone({
  inputs,
  sendCount,
  state,
}: Pick<Enrichment, 'inputs' | 'sendCount' | 'state'>): boolean {
  return (state === 'not_found' || state === 'failed') && sendCount > 1 && isRemembered({ inputs });
}

function outdo(locked: Locked, row: Enrichment, { at, callId, ticket }: Naming): void {
  if (ticket === null || ticket === row.ticket) return;
  const { lostSends } = row;
  move(locked, row, 'reread', {
    ticket,
    callId: callId ?? 0,
    pollAt: at,
    deadlineAt: at,
    settledAt: null,
    lostSends: Math.max(0, lostSends - 1),
  });
  learn(locked, ticket, row);
}

/** Notes that a webhook says that it is pending still; returns whether that brought its ticket to light. */
export function postponeDelivered(
  locked: Locked,
  postponement: Postponement,
  { deadlineAt, ...naming }: Naming & { readonly deadlineAt: number },
): boolean {
  const { id, pollAt, wasEmpty } = postponement;
  const row = noteSent(locked, id, naming);
  const to = { pollAt, wasEmpty, deadlineAt, reason: null };
  const isNews = row !== undefined && move(locked, row, 'heard', to);
  if (!isNews) postpone(locked, postponement);
  return isNews;
}

/**
 * A genuine key or a ticket proves that the send was accepted. Along the arrows it becomes uncertain first, the state
 * from which an answer may still be taken.
 */
function noteSent(
  locked: Locked,
  id: number,
  { at, callId, ticket }: Naming,
): Enrichment | undefined {
  const row = locked.rows.get(id);
  if (row === undefined) return undefined;
  if (row.state === 'queued' && row.sendCount > 0) {
    const { lostSends, paidBy, runId, submittedAt } = row;
    move(locked, row, 'known_sent', {
      submittedAt: submittedAt ?? at,
      paidBy: paidBy ?? runId,
      lostSends: Math.max(0, lostSends - 1),
    });
    // The cost of the lost send is reserved already.
    if (lostSends > 0) locked.costs.set(row, costOf(row));
  }
  if (row.state === 'submitting') move(locked, row, 'known_sent', { reason: CLAIMED });
  if (row.state === 'uncertain' && ticket !== null && row.ticket === null) {
    change(locked, row, { ticket, callId: callId ?? 0 });
    learn(locked, ticket, row);
  }
  return row;
}

function learn({ learnt }: Locked, ticket: string, row: Enrichment): void {
  learnt.set(ticket, [...(learnt.get(ticket) ?? []), row]);
}

/** Polls the ticket of a timed-out enrichment again, by this run and for nothing. */
export function reopen(
  locked: Locked,
  row: Enrichment,
  { at, deadlineAt, runId }: { readonly runId: number; at: number; deadlineAt: number },
): boolean {
  return move(locked, row, 'reopened', {
    runId,
    pollAt: at,
    deadlineAt,
    settledAt: null,
    reason: null,
  });
}

/**
 * Polls an enrichment whose answer may have been misread again, for free; the answer stands meanwhile. The answer
 * was there already, so one look is enough: if the platform no longer knows the ticket, nothing waits for a deadline.
 */
export function reread(
  locked: Locked,
  row: Enrichment,
  { at, runId }: { readonly runId: number; readonly at: number },
): boolean {
  if (row.ticket === null) return false;
  const { answeredAt, settledAt, state } = row;
  return move(locked, row, 'reread', {
    runId,
    pollAt: at,
    deadlineAt: at,
    wasEmpty: false,
    answeredAt: state === 'not_found' ? settledAt : answeredAt,
    settledAt: null,
    reason: null,
  });
}

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
    // The answers that stood in for it may not be known any more.
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
