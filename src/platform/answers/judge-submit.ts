// Judges a paid request by one question: can the platform have accepted it without our knowing the ticket? If so, it is
// uncertain, and is repeated only when the user says so.

import { saysOne } from '../../dialect/signal.js';
import type { SubmitAnswer } from '../../ports/platform.js';
import { reasonOf } from '../redact/reason.js';
import type { Answer } from '../wire/exchange.js';
import type { Sent } from '../wire/sender.js';
import { judgeAtOnce, missAtOnce } from './judge-at-once.js';
import {
  type Asked,
  answerProblem,
  describeFailure,
  said,
  silenceProblem,
  unreadable,
  unreadableProblem,
} from './problems.js';
import { saidIn, statusKind } from './status-kind.js';
import { ticketIn } from './ticket.js';

const NO_TICKET = 'without an enrichment id';
const NO_RESULT = 'without a result and without an enrichment id';

type NotAccepted = Exclude<SubmitAnswer, { kind: 'accepted' }>;

export function judgeSubmit(sent: Sent, asked: Asked, key?: string): SubmitAnswer {
  const { enrich, result } = asked.dialect;
  const mayHaveResult = enrich !== null && enrich.result !== 'never';
  if (mayHaveResult && sent.kind === 'answered' && mayBeMiss(sent, asked)) {
    const miss = missAtOnce({ answer: sent, asked, ticket: undefined, key });
    if (miss !== undefined) return miss;
  }
  return judgePaid<SubmitAnswer>(sent, asked, enrich?.notAccepted ?? [], (answer) => {
    const ticket = ticketIn(answer, enrich?.ticket ?? []);
    if (!mayHaveResult) {
      if (ticket !== undefined) return { kind: 'accepted', ticket };
      return judgeUnreadable(answer, asked, NO_TICKET);
    }
    const readable = result === null ? undefined : ticket;
    return (
      judgeAtOnce({ answer, asked, ticket: readable, key }) ??
      judgeUnreadable(answer, asked, NO_RESULT)
    );
  });
}

function mayBeMiss(answer: Answer, asked: Asked): boolean {
  const kind = statusKind(answer, asked.dialect);
  return (kind === 'refused' || kind === 'missing') && !isRefused(answer, asked);
}

/**
 * Judges any paid request: one table holds every failure, and `judgeSuccess` judges a 2xx. `notAccepted`: the statuses of
 * which the platform says that nothing was accepted.
 */
export function judgePaid<Success>(
  sent: Sent,
  asked: Asked,
  notAccepted: readonly number[],
  judgeSuccess: (answer: Answer) => Success,
): Success | NotAccepted {
  if (sent.kind !== 'answered') return judgeSilence(sent, asked);
  const kind = statusKind(sent, asked.dialect);
  if (kind !== 'ok' && kind !== 'out_of_credits' && isRefused(sent, asked)) {
    return { kind: 'refused', reason: refusalOf(sent, asked) };
  }
  if (kind !== 'ok' && notAccepted.includes(sent.status)) {
    return { kind: 'unsent', problem: answerProblem(kind, asked, sent), isFinal: false };
  }
  switch (kind) {
    case 'ok':
      return judgeSuccess(sent);
    case 'refused':
      return { kind: 'refused', reason: refusalOf(sent, asked) };
    case 'broken':
      return {
        kind: 'uncertain',
        reason: `the platform answered ${said(asked, sent)}`,
        problem: answerProblem(kind, asked, sent),
      };
    case 'out_of_credits':
    case 'credentials':
    case 'missing':
    case 'misplaced':
    case 'redirect':
      // The request was not accepted, and trying again cannot help.
      return { kind: 'unsent', problem: answerProblem(kind, asked, sent), isFinal: true };
  }
}

export function judgeUnreadable(answer: Answer, asked: Asked, lack: string): NotAccepted {
  if (saysOne(asked.dialect.errors.outOfCredits, saidIn(answer))) {
    return {
      kind: 'unsent',
      problem: answerProblem('out_of_credits', asked, answer),
      isFinal: true,
    };
  }
  if (isRefused(answer, asked)) return { kind: 'refused', reason: refusalOf(answer, asked) };
  const reason = `the platform answered ${unreadable(asked, answer, lack)}`;
  return { kind: 'uncertain', reason, problem: unreadableProblem(asked, answer, lack) };
}

function isRefused(answer: Answer, { dialect }: Asked): boolean {
  return saysOne(dialect.errors.refused, saidIn(answer));
}

function judgeSilence(sent: Exclude<Sent, Answer>, asked: Asked): NotAccepted {
  const problem = silenceProblem(sent, asked);
  if (sent.kind === 'lost') {
    const reason = `sent, and no answer came: ${describeFailure(sent.cause)}`;
    return { kind: 'uncertain', reason, problem };
  }
  if (sent.kind === 'barred') return { kind: 'unsent', problem, isFinal: true };
  const isThrottled = sent.kind === 'throttled' || sent.kind === 'must_wait';
  return isThrottled ? { kind: 'throttled', problem } : { kind: 'unsent', problem, isFinal: false };
}

function refusalOf({ text, status }: Answer, { dialect, hidden }: Asked): string {
  return reasonOf(text, dialect, hidden) ?? `the platform answered ${status}`;
}
