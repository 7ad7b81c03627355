// What the answer to a question for a result means.
import type { SluiceError } from '../domain/errors.js';
import type { JsonValue } from '../domain/json.js';
import type { ReadAnswer } from '../domain/ports/platform.js';
import {
  type Asked,
  credentialsProblem,
  errorProblem,
  misplacedProblem,
  problem,
  redirectProblem,
  silenceProblem,
  unreadableProblem,
} from './asked.js';
import { isKeyOf, type OpenTicket } from './batch-ticket.js';
import {
  decodeEntry,
  decodeFailure,
  findEntries,
  isPending,
  type WireEntry,
} from './decode-answer.js';
import type { Answer } from './exchange.js';
import { parseJson } from './reason.js';
import type { Sent } from './sender.js';
import { type StatusKind, statusKind } from './status-kind.js';

/** Judges what was asked about `ticket`. */
export function judgeRead(sent: Sent, ticket: OpenTicket, asked: Asked): ReadAnswer {
  if (sent.kind !== 'answered') return unavailable(silenceProblem(sent, asked));
  if (asked.dialect.result.pending.statuses.includes(sent.status)) return { kind: 'pending' };
  return BY_STATUS[statusKind(sent, asked.dialect)](sent, asked, ticket);
}

/** Whether a 2xx speaks of results at all, whatever words stand in it. */
export function isResult({ text }: Answer, { dialect }: Asked): boolean {
  const body = parseJson(text);
  return (
    body !== undefined && (isPending(body, dialect) || findEntries(body, dialect) !== undefined)
  );
}

type Judge = (answer: Answer, asked: Asked, ticket: OpenTicket) => ReadAnswer;

const BY_STATUS: Readonly<Record<StatusKind, Judge>> = {
  ok: judgeBody,
  missing: () => ({ kind: 'unknown' }),
  credentials: (answer, asked) => unavailable(credentialsProblem(asked, answer), true),
  misplaced: (answer, asked) => unavailable(misplacedProblem(asked, answer), true),
  redirect: (answer, asked) => unavailable(redirectProblem(asked, answer), true),
  out_of_credits: (answer, asked) => unavailable(errorProblem(asked, answer)),
  refused: (answer, asked) => unavailable(errorProblem(asked, answer)),
  broken: (answer, asked) => unavailable(errorProblem(asked, answer)),
};

function judgeBody(answer: Answer, asked: Asked, { ticket, digest }: OpenTicket): ReadAnswer {
  const body = parseJson(answer.text);
  if (body === undefined) {
    return unavailable(unreadableProblem(asked, answer, 'without JSON'));
  }
  if (isPending(body, asked.dialect)) return { kind: 'pending' };
  const entries = findEntries(body, asked.dialect);
  if (entries === undefined) {
    const failure = decodeFailure(body, body, asked.dialect, asked.hidden);
    return failure ?? unavailable(unreadableProblem(asked, answer, 'without a result'));
  }
  if (digest !== undefined) return judgeShared(entries, digest, body, answer, asked);
  // `done` can come a moment before the data is filled in (field-notes.md).
  if (entries.length === 0) return decodeEntry({}, body, asked.dialect, asked.hidden);
  const [first] = entries;
  const isAlone = entries.length === 1 && first?.ticket === undefined;
  const own = isAlone ? first : entries.find((entry) => entry.ticket === ticket);
  if (own === undefined) return unavailable(otherTicketProblem(asked, ticket, first?.ticket));
  return decodeEntry(own.raw, body, asked.dialect, asked.hidden);
}

/** The result of a whole bulk call: an entry without our key is another lead's, whatever else it says. */
function judgeShared(
  entries: readonly WireEntry[],
  digest: string,
  body: JsonValue,
  answer: Answer,
  asked: Asked,
): ReadAnswer {
  const own = entries.find(({ key }) => isKeyOf(digest, key));
  if (own !== undefined) return decodeEntry(own.raw, body, asked.dialect, asked.hidden);
  if (entries.length === 0) {
    const failure = decodeFailure(body, body, asked.dialect, asked.hidden);
    return failure ?? { kind: 'pending' };
  }
  // The entries of others may be there first.
  if (entries.some(({ key }) => key !== undefined)) return { kind: 'pending' };
  const lack = 'without metadata in any entry of the bulk call';
  return unavailable(unreadableProblem(asked, answer, lack));
}

function otherTicketProblem(asked: Asked, ticket: string, other: string | undefined): SluiceError {
  const what = other === undefined ? 'several without an id' : other;
  const message = `The platform at ${asked.url} was asked for the enrichment ${ticket} and answered with ${what}: that result is not used.`;
  return problem(message, { url: asked.url, ticket, answered: other ?? null });
}

function unavailable(reason: SluiceError, isFinal = false): ReadAnswer {
  return { kind: 'unavailable', problem: reason, isFinal };
}
