// The free question that shows, before anything is paid for, whether the address, the credentials and
// the protocol are right (platform-api.md, GET /schema/people).
import type { SluiceError } from '../domain/errors.js';
import { isJsonObject } from '../domain/json.js';
import { valueAt } from '../domain/wire-path.js';
import { answerProblem } from './answer-problem.js';
import { type Asked, silenceProblem, unreadableProblem } from './asked.js';
import type { Answer } from './exchange.js';
import { parseJson } from './reason.js';
import type { Sent } from './sender.js';
import { statusKind } from './status-kind.js';

export type Check =
  | { readonly kind: 'fine' }
  /** `isPassing`: the platform may be well again in a moment. */
  | { readonly kind: 'wrong'; readonly problem: SluiceError; readonly isPassing: boolean };

/** Judges what was sent to GET /schema/people. */
export function judgeCheck(sent: Sent, asked: Asked): Check {
  if (sent.kind !== 'answered') return wrong(silenceProblem(sent, asked), sent.kind === 'lost');
  const kind = statusKind(sent, asked.dialect);
  if (kind !== 'ok') return wrong(answerProblem(kind, asked, sent), kind === 'broken');
  if (isPeopleSchema(sent)) return { kind: 'fine' };
  return wrong(unreadableProblem(asked, sent, 'without a people schema'));
}

/** Whether a 2xx is a people schema: an object with `schema` or `properties`. */
export function isPeopleSchema({ text }: Answer): boolean {
  const body = parseJson(text);
  return isJsonObject(valueAt(body, 'schema')) || Array.isArray(valueAt(body, 'properties'));
}

function wrong(problem: SluiceError, isPassing = false): Check {
  return { kind: 'wrong', problem, isPassing };
}
