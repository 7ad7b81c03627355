// What became of a paid request. The one question: can the platform have accepted it without our
// knowing the ticket? Then it is uncertain, and nobody repeats it (design.md, invariant 3).

import type { SluiceError } from '../domain/errors.js';
import type { SubmitAnswer } from '../domain/ports/platform.js';
import { firstValueAt } from '../domain/wire-path.js';
import {
  type Asked,
  credentialsProblem,
  creditsProblem,
  errorProblem,
  misplacedProblem,
  redirectProblem,
  said,
  silenceProblem,
  unreadable,
  unreadableProblem,
} from './asked.js';
import type { Answer } from './exchange.js';
import { describeFailure } from './failure-words.js';
import { parseJson, reasonOf } from './reason.js';
import type { Sent } from './sender.js';
import { type StatusKind, statusKind } from './status-kind.js';
import { decodeTicket } from './ticket.js';
import { isSignal } from './wire-signal.js';

const NO_TICKET = 'without an enrichment id';

/** Judges what was sent to POST /enrich. */
export function judgeSubmit(sent: Sent, asked: Asked): SubmitAnswer {
  if (sent.kind === 'answered') return BY_STATUS[statusKind(sent, asked.dialect)](sent, asked);
  const problem = silenceProblem(sent, asked);
  if (sent.kind !== 'lost') return { kind: 'unsent', problem, isFinal: false };
  const reason = `sent, and no answer came: ${describeFailure(sent.cause)}`;
  return { kind: 'uncertain', reason, problem };
}

/** The ticket that an answer to POST /enrich hands back (platform-api.md: `{id: string}`). */
export function ticketIn({ text }: Answer, { dialect }: Asked): string | undefined {
  return decodeTicket(firstValueAt(parseJson(text), dialect.enrich.ticket));
}

const BY_STATUS: Readonly<Record<StatusKind, (answer: Answer, asked: Asked) => SubmitAnswer>> = {
  ok: judgeSuccess,
  refused: (answer, asked) => ({
    kind: 'refused',
    reason:
      reasonOf(answer.text, asked.dialect, asked.hidden) ??
      `the platform answered ${answer.status}`,
  }),
  broken: (answer, asked) => ({
    kind: 'uncertain',
    reason: `the platform answered ${said(asked, answer)}`,
    problem: errorProblem(asked, answer),
  }),
  out_of_credits: (answer, asked) => useless(creditsProblem(asked, answer)),
  credentials: (answer, asked) => useless(credentialsProblem(asked, answer)),
  missing: (answer, asked) => useless(misplacedProblem(asked, answer)),
  misplaced: (answer, asked) => useless(misplacedProblem(asked, answer)),
  redirect: (answer, asked) => useless(redirectProblem(asked, answer)),
};

function judgeSuccess(answer: Answer, asked: Asked): SubmitAnswer {
  const ticket = ticketIn(answer, asked);
  if (ticket !== undefined) return { kind: 'accepted', ticket };
  if (isSignal(asked.dialect.errors.outOfCredits, answer.status, answer.text)) {
    return useless(creditsProblem(asked, answer));
  }
  const reason = `the platform answered ${unreadable(asked, answer, NO_TICKET)}`;
  return { kind: 'uncertain', reason, problem: unreadableProblem(asked, answer, NO_TICKET) };
}

/** Not accepted, and trying again cannot help. */
function useless(problem: SluiceError): SubmitAnswer {
  return { kind: 'unsent', problem, isFinal: true };
}
