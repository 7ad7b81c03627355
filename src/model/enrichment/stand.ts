// Others' answers stand in for asks that are known: an enrichment is sent for the rest, and ends without a send where
// nothing is left.
import type { Result } from '../result.js';
import { hasValue, mergeResults, partOf } from '../verdict.js';
import { cutOff, reopen, takeOver } from './answer.js';
import { isAnswer } from './arrows.js';
import { type Change, change, type Enrichment, type Locked, move, NEVER } from './locked.js';
import { endOf, knownOf, type Sight, type Stand, sentRequest } from './look.js';
import { isRemembered, NO_INPUTS, toAsks, toAskText } from './stored-request.js';

/** How long an enrichment waits for others before it is looked at again. */
export const WAITS_MS = 1_000;

/** A time longer than any request is under way. */
export const ABANDONED_AFTER_MS = 120_000;

/** Notes which asks of a queued enrichment others' answers stand for. It is sent for the others. */
export function standIn(locked: Locked, row: Enrichment, sight: Sight): void {
  const stands = sight.stands.filter(({ is }) => is !== 'open');
  if (stands.length === 0 && row.sent === row.ask) return;
  const { result } = knownOf({ ...sight, stands });
  const known = stands.flatMap(({ asks }) => asks);
  change(locked, row, {
    sent: toAskText(toAsks(row.ask).filter((ask) => !known.includes(ask))),
    // What is shown of an earlier time is more.
    showsKnown: hasValue(result) && row.olderAnswer === null,
  });
  keep(locked, row, stands, result);
}

/** Ends an enrichment for which nothing is sent: by the answers of others, or in doubt as they are. */
export function conclude(locked: Locked, row: Enrichment, sight: Sight): void {
  const outcome = endOf(sight);
  const { at, result } = knownOf(sight);
  const froms = sight.stands.map(({ from }) => from.row);
  const why = sight.stands.find(({ is }) => is === (outcome === 'failed' ? 'failed' : 'unsure'));
  const isEnd = outcome !== 'uncertain';
  const to: Change = {
    sent: '',
    submittedAt: Math.min(...froms.map(({ submittedAt }) => submittedAt ?? NEVER)),
    settledAt: isEnd ? at : null,
    pollAt: null,
    reason: isAnswer(outcome) ? null : (why?.from.row.reason ?? ''),
    showsKnown: hasValue(result),
    // Nothing of a forgotten person is kept.
    ...(froms.every(isRemembered) ? {} : { inputs: NO_INPUTS }),
  };
  if (move(locked, row, KNOWN[outcome], to)) keep(locked, row, sight.stands, result);
}

const KNOWN = {
  found: 'known',
  not_found: 'known_miss',
  failed: 'known_failed',
  uncertain: 'known_unsure',
} as const;

function keep(locked: Locked, row: Enrichment, stands: readonly Stand[], result: Result): void {
  locked.stands.set(
    row,
    stands.map(({ asks, from }) => ({ ask: toAskText(asks), from: from.row })),
  );
  locked.known.set(row, result);
  if (hasValue(result) || row.settledAt !== null) locked.results.set(row, result);
}

export interface Followed {
  readonly row: Enrichment;
  /** All that stands in for it, as it is now. */
  readonly stands: readonly Stand[];
  /** Its result as it is kept. */
  readonly result: Result;
}

/** Brings a row up to date with the answers that stand in for it: one of them has changed. */
export function follow(locked: Locked, { result, row, stands }: Followed): void {
  const sight = { stands, open: [] };
  if (row.sent !== '') {
    const own = partOf(toAsks(row.sent), sentRequest(row), result);
    const { result: known } = knownOf(sight);
    locked.known.set(row, known);
    locked.results.set(row, mergeResults(known, own));
    const isFound = hasValue(known) || hasValue(own);
    if (row.state === 'not_found' && isFound) move(locked, row, 'known', { reason: null });
    if (row.state === 'found' && !isFound) {
      const reason = stands.find(({ from }) => from.row.reason !== null)?.from.row.reason ?? '';
      move(locked, row, 'withdrawn', { reason });
    }
    const shows = hasValue(known) && row.olderAnswer === null;
    if (shows !== row.showsKnown) change(locked, row, { showsKnown: shows });
    return;
  }
  if (row.state !== 'queued') conclude(locked, row, sight);
}

interface TakingUp {
  readonly runId: number;
  readonly at: number;
  readonly deadlineAt: number;
}

/** Takes over sends of others that are awaited, and cuts off abandoned ones. Returns how many it awaits now. */
export function awaitOthers(locked: Locked, { stands }: Sight, how: TakingUp): number {
  const froms = stands.flatMap(({ from, is }) => (is === 'open' ? from : []));
  return froms.filter(({ row }) => takeUp(locked, row, how)).length;
}

/** Returns whether the run awaits it now, and did not before. */
function takeUp(locked: Locked, row: Enrichment, how: TakingUp): boolean {
  if (row.state === 'timed_out') return reopen(locked, row, how);
  if (row.state === 'awaiting') return row.runId !== how.runId && takeOver(locked, row, how);
  const isAbandoned = (row.submittedAt ?? 0) < how.at - ABANDONED_AFTER_MS;
  if (row.state === 'submitting' && isAbandoned) cutOff(locked, row);
  return false;
}
