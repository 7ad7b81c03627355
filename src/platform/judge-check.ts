// The free question that shows, before anything is paid for, whether the address, the credentials and
// the protocol are right (platform-api.md, GET /schema/people).

import type { SluiceError } from '../domain/errors.js';
import { isJsonObject } from '../domain/json.js';
import { valueAt } from '../domain/wire-path.js';
import {
  type Asked,
  credentialsProblem,
  creditsProblem,
  errorProblem,
  misplacedProblem,
  redirectProblem,
  silenceProblem,
  unreadableProblem,
} from './asked.js';
import type { Answer } from './exchange.js';
import { parseJson } from './reason.js';
import type { Sent } from './sender.js';
import { type StatusKind, statusKind } from './status-kind.js';

export type Check =
  | { readonly kind: 'fine' }
  /** `isPassing`: the platform may be well again in a moment. */
  | { readonly kind: 'wrong'; readonly problem: SluiceError; readonly isPassing: boolean };

/** Judges what was sent to GET /schema/people. */
export function judgeCheck(sent: Sent, asked: Asked): Check {
  if (sent.kind === 'answered') return BY_STATUS[statusKind(sent, asked.dialect)](sent, asked);
  return wrong(silenceProblem(sent, asked), sent.kind === 'lost');
}

/** Whether a 2xx is a people schema: an object with `schema` or `properties`. */
export function isPeopleSchema({ text }: Answer): boolean {
  const body = parseJson(text);
  return isJsonObject(valueAt(body, 'schema')) || Array.isArray(valueAt(body, 'properties'));
}

const BY_STATUS: Readonly<Record<StatusKind, (answer: Answer, asked: Asked) => Check>> = {
  ok: (answer, asked) =>
    isPeopleSchema(answer)
      ? { kind: 'fine' }
      : wrong(unreadableProblem(asked, answer, 'without a people schema')),
  credentials: (answer, asked) => wrong(credentialsProblem(asked, answer)),
  out_of_credits: (answer, asked) => wrong(creditsProblem(asked, answer)),
  missing: (answer, asked) => wrong(misplacedProblem(asked, answer)),
  misplaced: (answer, asked) => wrong(misplacedProblem(asked, answer)),
  redirect: (answer, asked) => wrong(redirectProblem(asked, answer)),
  refused: (answer, asked) => wrong(errorProblem(asked, answer)),
  broken: (answer, asked) => wrong(errorProblem(asked, answer), true),
};

function wrong(problem: SluiceError, isPassing = false): Check {
  return { kind: 'wrong', problem, isPassing };
}
