// A question that costs nothing, from its request to what it tells. A throttled one is repeated under the
// limit; one that may be repeated is asked again as well while the platform may be well in a moment.
import { SluiceError } from '../model/errors.js';
import { type Asked, silenceProblem, unreadableProblem } from './asked.js';
import { answerProblem } from './wire/answer-problem.js';
import type { Answer } from './wire/exchange.js';
import type { RoutedCall, Sent } from './wire/sender.js';
import { type StatusKind, statusKind } from './wire/status-kind.js';
import type { Wire } from './wire.js';

export interface Question<T> {
  readonly call: RoutedCall;
  readonly asked: Asked;
  /** What a 2xx tells; undefined where it is not what was expected. */
  readonly read: (answer: Answer) => T | undefined;
  /** What such a 2xx lacks: `without a draft`. */
  readonly lack: string;
  /**
   * What an error, or a 2xx that cannot be read, tells here that it does not elsewhere; undefined for one
   * that means the same.
   */
  readonly readError?: (
    kind: StatusKind,
    answer: Answer,
  ) => { readonly value: T } | { readonly problem: SluiceError } | undefined;
}

type Told<T> =
  | { readonly value: T }
  | {
      readonly problem: SluiceError;
      /** The platform may be well again in a moment. */
      readonly isPassing?: boolean;
      /** It may have done what was asked all the same. */
      readonly isUncertain?: boolean;
    };

/** Waits before the repeats of a question that a passing trouble ended. */
const PAUSES_MS = [1_000, 2_000, 4_000];

/**
 * Asks once.
 * @throws SluiceError `platform`
 */
export async function askOnce<T>(
  wire: Wire,
  question: Question<T>,
  signal?: AbortSignal,
): Promise<T> {
  const told = await ask(wire, question, signal);
  if ('problem' in told) throw told.problem;
  return told.value;
}

/**
 * Asks once for something to be changed.
 * @throws SluiceError `platform`, with the fact `uncertain` where it may have been changed all the same
 */
export async function askToChange<T>(
  wire: Wire,
  question: Question<T>,
  signal?: AbortSignal,
): Promise<T> {
  const told = await ask(wire, question, signal);
  if (!('problem' in told)) return told.value;
  const { problem, isUncertain } = told;
  if (isUncertain !== true) throw problem;
  const { code, message, facts, cause } = problem;
  throw new SluiceError(code, message, { ...facts, uncertain: true }, { cause });
}

/**
 * Asks again, three times at most, after a lost or broken answer: only for what does no harm twice.
 * @throws SluiceError `platform`
 */
export async function askRepeatedly<T>(
  wire: Wire,
  question: Question<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    const told = await ask(wire, question, signal);
    if (!('problem' in told)) return told.value;
    if (told.isPassing !== true) throw told.problem;
    await wire.clock.sleep(pauseMs, signal);
  }
  return askOnce(wire, question, signal);
}

async function ask<T>(
  wire: Wire,
  question: Question<T>,
  signal: AbortSignal | undefined,
): Promise<Told<T>> {
  const isSuccess = (answer: Answer) => question.read(answer) !== undefined;
  return judge(await wire.sendFree(question.call, isSuccess, signal), question);
}

function judge<T>(sent: Sent, { asked, read, lack, readError }: Question<T>): Told<T> {
  if (sent.kind !== 'answered') {
    const isLost = sent.kind === 'lost';
    return { problem: silenceProblem(sent, asked), isPassing: isLost, isUncertain: isLost };
  }
  const kind = statusKind(sent, asked.dialect);
  if (kind === 'ok') {
    const value = read(sent);
    if (value !== undefined) return { value };
  }
  const told = readError?.(kind, sent);
  if (told !== undefined) return told;
  if (kind === 'ok') {
    const problem = unreadableProblem(asked, sent, lack);
    return { problem, isPassing: sent.flaw !== undefined, isUncertain: true };
  }
  const isBroken = kind === 'broken';
  return { problem: answerProblem(kind, asked, sent), isPassing: isBroken, isUncertain: isBroken };
}
