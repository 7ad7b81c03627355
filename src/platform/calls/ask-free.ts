// Asks questions that cost nothing, from the request to the meaning of its answer. A throttled question is repeated
// under the limit. A question that may be repeated is also asked again while the platform may recover in a moment.
import { SluiceError } from '../../model/errors.js';
import { type JsonValue, parseJson } from '../../model/text/json.js';
import {
  type Asked,
  answerProblem,
  silenceProblem,
  unreadableProblem,
} from '../answers/problems.js';
import { type StatusKind, statusKind } from '../answers/status-kind.js';
import type { Hidden } from '../redact/find-hidden.js';
import type { Answer } from '../wire/exchange.js';
import type { RoutedCall, Sent } from '../wire/sender.js';
import type { Wire } from '../wire/wire.js';

export interface Question<T> {
  readonly route: RoutedCall['route'];
  readonly method: RoutedCall['method'];
  /** The path as `Wire.pathOf` makes it, with the query. */
  readonly path: string;
  readonly body?: JsonValue;
  /** The values that no message may repeat, besides the query and the credentials. */
  readonly hidden?: Hidden;
  /** Reads the value of a 2xx; undefined if it is not as expected. */
  readonly read: (answer: Answer) => T | undefined;
  /** The part that a 2xx answer lacks: `without a draft`. */
  readonly lack: string;
  /**
   * Judges an error, or a 2xx that cannot be read, if it means something special for this question; otherwise
   * undefined.
   */
  readonly readError?: (
    kind: StatusKind,
    answer: Answer,
    asked: Asked,
  ) => { readonly value: T } | { readonly problem: SluiceError } | undefined;
}

type Judged<T> =
  | { readonly value: T }
  | {
      readonly problem: SluiceError;
      /** Whether the platform may recover in a moment. */
      readonly isPassing?: boolean;
      /** Whether the platform may have done what was asked all the same. */
      readonly isUncertain?: boolean;
    };

/** Waits before the repeats of a question after trouble that may pass. */
const PAUSES_MS = [1_000, 2_000, 4_000];

/** @throws SluiceError `platform` */
export async function askOnce<T>(
  wire: Wire,
  signal: AbortSignal | undefined,
  question: Question<T>,
): Promise<T> {
  const { judged } = await ask(wire, signal, question);
  if ('problem' in judged) throw judged.problem;
  return judged.value;
}

/** @throws SluiceError `platform`, with the fact `uncertain` if the change may have been made all the same */
export async function askToChange<T>(
  wire: Wire,
  signal: AbortSignal | undefined,
  question: Question<T>,
): Promise<T> {
  const { judged } = await ask(wire, signal, question);
  if (!('problem' in judged)) return judged.value;
  const { problem, isUncertain } = judged;
  if (isUncertain !== true) throw problem;
  const { code, message, facts, cause } = problem;
  throw new SluiceError(code, message, { ...facts, uncertain: true }, { cause });
}

/**
 * Asks again, at most three times, after a lost or broken answer: only for questions that do no harm twice.
 * @throws SluiceError `platform`
 */
export async function askRepeatedly<T>(
  wire: Wire,
  signal: AbortSignal | undefined,
  question: Question<T>,
): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    const { judged } = await ask(wire, signal, question);
    if (!('problem' in judged)) return judged.value;
    if (judged.isPassing !== true) throw judged.problem;
    await wire.clock.sleep(pauseMs, signal);
  }
  return askOnce(wire, signal, question);
}

export async function ask<T>(
  wire: Wire,
  signal: AbortSignal | undefined,
  question: Question<T>,
): Promise<{ readonly sent: Sent; readonly judged: Judged<T> }> {
  const { route, method, path, body, hidden, read } = question;
  const isSuccess = (answer: Answer) => read(answer) !== undefined;
  const sent = await wire.sendFree(wire.call(route, method, path, body), isSuccess, signal);
  return { sent, judged: judge(sent, wire.asked(path, hidden), question) };
}

function judge<T>(sent: Sent, asked: Asked, { read, lack, readError }: Question<T>): Judged<T> {
  if (sent.kind !== 'answered') {
    const isLost = sent.kind === 'lost';
    return { problem: silenceProblem(sent, asked), isPassing: isLost, isUncertain: isLost };
  }
  const kind = statusKind(sent, asked.dialect);
  const value = kind === 'ok' ? read(sent) : undefined;
  if (value !== undefined) return { value };
  const own = readError?.(kind, sent, asked);
  if (own !== undefined) return own;
  if (kind === 'ok') {
    const problem = unreadableProblem(asked, sent, lack);
    return { problem, isPassing: sent.flaw !== undefined, isUncertain: true };
  }
  const isBroken = kind === 'broken';
  return { problem: answerProblem(kind, asked, sent), isPassing: isBroken, isUncertain: isBroken };
}

/**
 * Whether a 2xx shows that something was done, if no value in it has to be read: JSON, or nothing at all. Some
 * platforms answer an unknown path with 200 and a page of HTML.
 */
export function isDone({ text, flaw }: Answer): boolean {
  return flaw === undefined && (text.trim() === '' || parseJson(text) !== undefined);
}
