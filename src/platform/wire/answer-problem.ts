// The problem behind an answer that is no success: one table for every call that has no other use for it.
import type { SluiceError } from '../../model/errors.js';
import {
  type Asked,
  credentialsProblem,
  creditsProblem,
  errorProblem,
  misplacedProblem,
  redirectProblem,
} from '../asked.js';
import type { Answer } from './exchange.js';
import type { StatusKind } from './status-kind.js';

/** What failed and what to do, by what the status says. */
export function answerProblem(
  kind: Exclude<StatusKind, 'ok'>,
  asked: Asked,
  answer: Answer,
): SluiceError {
  return BY_STATUS[kind](asked, answer);
}

const BY_STATUS: Readonly<
  Record<Exclude<StatusKind, 'ok'>, (asked: Asked, answer: Answer) => SluiceError>
> = {
  credentials: credentialsProblem,
  out_of_credits: creditsProblem,
  missing: misplacedProblem,
  misplaced: misplacedProblem,
  redirect: redirectProblem,
  refused: errorProblem,
  broken: errorProblem,
};
