// Decides what an answer, polled or delivered, means for its enrichment: the end, or another look later.

import type { EnrichmentRequest } from '../../model/ask.js';
import type { SluiceError } from '../../model/errors.js';
import { STILL_UNREAD } from '../../model/report/fail-on.js';
import { hitsOf, judgeResult } from '../../model/verdict.js';
import type { ReadAnswer } from '../../ports/platform.js';
import type {
  AwaitedEnrichment,
  Postponement,
  Settlement,
  UnreadAnswer,
} from '../../ports/store/enrichments.js';
import type { SettlingContext } from '../run-context.js';
import { pressureOf } from './due-tickets.js';
import { secondLook } from './second-look.js';
import { toUnread } from './unread-answers.js';

type NextStep =
  | { readonly kind: 'settle'; readonly settlement: Settlement }
  | { readonly kind: 'postpone'; readonly postponement: Postponement }
  /** The answer came and cannot be read: the enrichment stays awaited. */
  | { readonly kind: 'unread'; readonly answer: UnreadAnswer; readonly problem?: SluiceError }
  /** The enrichment stays as it is: the run ends, and the next run asks again. */
  | { readonly kind: 'leave' };

export interface Heard {
  readonly by: 'poll' | 'webhook';
  readonly at: number;
  /** Whether there is no second look, because the answer can be read no other time. */
  readonly isLast?: boolean;
}

/** In place of an answer: the platform asks to wait, and no look was possible. */
export const HELD = { kind: 'held' } as const;

export function readAnswer(
  awaited: AwaitedEnrichment<string | null>,
  answer: ReadAnswer | typeof HELD,
  context: SettlingContext,
  heard: Heard,
): NextStep {
  const { at } = heard;
  const { id } = awaited;
  switch (answer.kind) {
    case 'done': {
      const { readings } = context;
      const isFirst = !awaited.wasEmpty && heard.isLast !== true;
      const isEmpty = isEmptySuccess(awaited.request, answer);
      const unread = readings.isUnread(awaited.request, answer) ? answer.odd : undefined;
      // The second look at an empty answer says nothing new about how long it took.
      if (!awaited.wasEmpty) learnLatency(awaited, context, heard);
      if (isFirst && (unread !== undefined || (isEmpty && readings.looksTwice))) {
        return again(awaited, at, context, true);
      }
      if (unread !== undefined) {
        return { kind: 'unread', answer: toUnread(id, unread), problem: unread.problem };
      }
      readings.note(hitsOf(awaited.request, answer.result), answer.odd);
      const { result } = answer;
      const verdict = judgeResult(awaited.request, result, context.terms.prices);
      // An answer that was kept unread was looked at twice before.
      if (isEmpty && heard.isLast === true && awaited.unread === null) readings.onlyLooks += 1;
      return { kind: 'settle', settlement: { id, at, result, ...verdict } };
    }
    case 'failed':
      return { kind: 'settle', settlement: { id, at, outcome: 'failed', reason: answer.reason } };
    case 'unavailable':
    case 'held':
    case 'pending':
    case 'unknown': {
      if (answer.kind === 'pending') {
        learnPending(awaited, context, heard);
        if (answer.outOfCredits !== undefined) context.backlog.stopSending(answer.outOfCredits);
      }
      if (answer.kind === 'unavailable' && (answer.isFinal || context.drain.aborted)) {
        // The poll was cut short, or the run ends because of it: no reason to give up a paid answer.
        return { kind: 'leave' };
      }
      // Only a poll after the deadline gives up: the answer may have come while no process polled. A poll without an
      // answer gives up only after three others: if webhooks are awaited, the first poll may be this one.
      const isTooEarly = answer.kind === 'unavailable' && awaited.pollCount < POLLS_BEFORE_END;
      if (at < awaited.deadlineAt || isTooEarly) {
        return again(awaited, at, context, awaited.wasEmpty);
      }
      if (awaited.unread !== null) {
        return { kind: 'unread', answer: { id, body: awaited.unread, reason: STILL_UNREAD } };
      }
      const reason = `no answer by the deadline: ${WHY[answer.kind]}`;
      return { kind: 'settle', settlement: { id, at, outcome: 'timed_out', reason } };
    }
  }
}

/** For example a status without its address. */
export function isEmptySuccess(request: EnrichmentRequest, answer: ReadAnswer): boolean {
  if (answer.kind !== 'done' || answer.isMiss === true) return false;
  return hitsOf(request, answer.result).length === 0;
}

/** The age of a ticket from an earlier process says nothing about how long the platform took. */
function learnLatency(
  { id, submittedAt }: AwaitedEnrichment<string | null>,
  { schedule, startedAt }: SettlingContext,
  { by, at }: Heard,
): void {
  if (isOwn(submittedAt, startedAt, at)) schedule.observe(id, at - submittedAt, by);
}

/** A request that seems to be sent later than now was sent before the clock was set back. */
function isOwn(submittedAt: number, startedAt: number, at: number): boolean {
  return submittedAt >= startedAt && submittedAt <= at;
}

function learnPending(
  { id, submittedAt }: AwaitedEnrichment<string | null>,
  { schedule, startedAt }: SettlingContext,
  { at }: Heard,
): void {
  if (isOwn(submittedAt, startedAt, at)) schedule.observePending(id, at - submittedAt);
}

/** The number of earlier polls of a ticket after which a poll without an answer may end it. */
const POLLS_BEFORE_END = 3;

const WHY = {
  pending: 'the platform was still at work',
  unknown: 'the platform did not know the id',
  unavailable: 'the platform did not answer',
  held: 'the platform asked to wait for longer',
} as const;

function again(
  awaited: AwaitedEnrichment<string | null>,
  at: number,
  context: SettlingContext,
  wasEmpty: boolean,
): NextStep {
  const pressure = pressureOf(context);
  const isSecondLook = wasEmpty && !awaited.wasEmpty;
  const { submittedAt } = awaited;
  const pendingMs = at - (submittedAt <= at ? submittedAt : Math.min(context.startedAt, at));
  const { readEveryMs } = context.platform;
  const waitMs = isSecondLook
    ? secondLook.waitMs
    : context.schedule.nextWaitMs(pendingMs, pressure);
  const isLate = isSecondLook || at >= awaited.deadlineAt;
  const lateMs = Math.max(secondLook.waitMs, readEveryMs);
  const latest = Math.max(awaited.deadlineAt, isLate ? at + lateMs : 0);
  const pollAt = Math.min(at + Math.max(waitMs, readEveryMs), latest);
  return { kind: 'postpone', postponement: { id: awaited.id, pollAt, wasEmpty } };
}
