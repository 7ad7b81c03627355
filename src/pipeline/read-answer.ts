// What one poll's answer means for its enrichment: the end, or another look later.
import type { ReadAnswer } from '../domain/ports/platform.js';
import type { AwaitedEnrichment, Postponement, Settlement } from '../domain/ports/store.js';
import { judgeResult } from '../domain/verdict.js';
import type { RunContext } from './run-context.js';

type NextStep =
  | { readonly kind: 'settle'; readonly settlement: Settlement }
  | { readonly kind: 'postpone'; readonly postponement: Postponement }
  /** It stays as it is: the run ends, and the next one asks again. */
  | { readonly kind: 'leave' };

/** Decides; the caller writes it down. */
export function readAnswer(
  awaited: AwaitedEnrichment,
  answer: ReadAnswer,
  context: RunContext,
): NextStep {
  const at = context.clock.now();
  const { id } = awaited;
  switch (answer.kind) {
    case 'done': {
      learnLatency(awaited, at, context);
      // "Done" can come a moment before the data is filled in: an empty success is read once more.
      const isEmpty = Object.keys(answer.result).length === 0;
      if (isEmpty && !awaited.wasEmpty) return again(awaited, at, context, true);
      const verdict = judgeResult(awaited.request, answer.result, context.terms.prices);
      return { kind: 'settle', settlement: { id, at, result: answer.result, ...verdict } };
    }
    case 'failed':
      return { kind: 'settle', settlement: { id, at, outcome: 'failed', reason: answer.reason } };
    case 'unavailable':
    case 'pending':
    case 'unknown': {
      if (answer.kind === 'unavailable' && (answer.isFinal || context.drain.aborted)) {
        // The question was cut short, or the run ends over it: no reason to give a paid answer up.
        return { kind: 'leave' };
      }
      // Only a poll made after the deadline gives up: the answer may have come while nobody asked.
      if (at < awaited.deadlineAt) return again(awaited, at, context, awaited.wasEmpty);
      const reason = `no answer by the deadline: ${WHY[answer.kind]}`;
      return { kind: 'settle', settlement: { id, at, outcome: 'timed_out', reason } };
    }
  }
}

/** A ticket from an earlier process says how long nobody asked, not how long the platform took. */
function learnLatency(awaited: AwaitedEnrichment, at: number, context: RunContext): void {
  const { pollAt, pollCount, submittedAt } = awaited;
  if (submittedAt < context.startedAt) return;
  // The limit may have held the first poll back after it was due.
  context.schedule.observe((pollCount === 0 ? Math.min(pollAt, at) : at) - submittedAt);
}

/** An empty success is looked at once more after this, however old its ticket: the data follows at once or never. */
const SECOND_LOOK_MS = 2_000;

const WHY = {
  pending: 'the platform was still at work',
  unknown: 'the platform did not know the id',
  unavailable: 'the platform did not answer',
} as const;

function again(
  awaited: AwaitedEnrichment,
  at: number,
  context: RunContext,
  wasEmpty: boolean,
): NextStep {
  const isSecondLook = wasEmpty && !awaited.wasEmpty;
  const waitMs = isSecondLook
    ? SECOND_LOOK_MS
    : context.schedule.nextWaitMs(at - awaited.submittedAt, context.platform.isScarce());
  const pollAt = Math.min(at + waitMs, Math.max(awaited.deadlineAt, at));
  return { kind: 'postpone', postponement: { id: awaited.id, pollAt, wasEmpty } };
}
