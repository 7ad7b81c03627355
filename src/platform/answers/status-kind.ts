// Classifies an answer before its body is read: by its status, and by the signals of the dialect. One list serves all
// calls.
import type { Dialect } from '../../dialect/dialect.js';
import { type Said, saysOne } from '../../dialect/signal.js';
import { parseJson } from '../../model/text/json.js';
import type { Answer } from '../wire/exchange.js';

/**
 * - `ok`: 2xx
 * - `out_of_credits`: 402, or as the dialect says
 * - `credentials`: 401, 403, 407
 * - `missing`: 404, 410
 * - `misplaced`: 405
 * - `redirect`: 3xx
 * - `refused`: any other 4xx
 * - `broken`: 5xx; also 408, which proxies answer when the platform behind them was silent
 */
export type StatusKind =
  | 'ok'
  | 'out_of_credits'
  | 'credentials'
  | 'missing'
  | 'misplaced'
  | 'redirect'
  | 'refused'
  | 'broken';

const BY_STATUS: ReadonlyMap<number, StatusKind> = new Map([
  [401, 'credentials'],
  [403, 'credentials'],
  [404, 'missing'],
  [405, 'misplaced'],
  [407, 'credentials'],
  [408, 'broken'],
  [410, 'missing'],
]);

export function statusKind(answer: Answer, dialect: Dialect): StatusKind {
  const { status } = answer;
  // Words in a 2xx must not hide a success: its body is looked at first.
  if (status >= 300 && saysOne(dialect.errors.outOfCredits, saidIn(answer)))
    return 'out_of_credits';
  const known = BY_STATUS.get(status);
  if (known !== undefined) return known;
  if (status < 300) return 'ok';
  if (status < 400) return 'redirect';
  return status < 500 ? 'refused' : 'broken';
}

/** Whether the platform asks for a pause. A word in a 2xx means nothing if the answer is a success after all. */
export function isThrottled(
  answer: Answer,
  { limits }: Dialect,
  isSuccess: (answer: Answer) => boolean,
): boolean {
  if (!saysOne(limits.throttled, saidIn(answer))) return false;
  return answer.status >= 300 || !isSuccess(answer);
}

/** An answer in the form in which signals look at it. The body is parsed when a signal asks for a value in it. */
export function saidIn({ status, text }: Answer): Said {
  return {
    status,
    text,
    get body() {
      return parseJson(text);
    },
  };
}
