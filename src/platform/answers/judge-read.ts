// What the answer to a question for a result means.
import type { SluiceError } from '../../model/errors.js';
import { type JsonValue, parseJson } from '../../model/text/json.js';
import type { ReadAnswer } from '../../ports/platform.js';
import type { Answer } from '../wire/exchange.js';
import type { Sent } from '../wire/sender.js';
import {
  decodeEntry,
  decodeFailure,
  findEntries,
  hasReason,
  isPending,
  noEntriesIn,
  type WireEntry,
} from './decode-answer.js';
import { missingEntries, withOdd } from './odd.js';
import {
  type Asked,
  answerProblem,
  problem,
  silenceProblem,
  unreadableProblem,
} from './problems.js';
import { type StatusKind, statusKind } from './status-kind.js';
import { isKeyOf, type OpenTicket } from './ticket.js';

/** Trying again cannot help. */
const FINAL: ReadonlySet<StatusKind> = new Set(['credentials', 'misplaced', 'redirect']);

export function judgeRead(sent: Sent, ticket: OpenTicket, asked: Asked): ReadAnswer {
  if (sent.kind !== 'answered') return unavailable(silenceProblem(sent, asked));
  if (asked.dialect.result.pending.statuses.includes(sent.status)) return { kind: 'pending' };
  const kind = statusKind(sent, asked.dialect);
  if (kind === 'ok') return judgeBody(sent, asked, ticket);
  if (kind === 'missing') return { kind: 'unknown' };
  // Reading costs nothing: a platform that speaks of credits here has only failed.
  const problem = answerProblem(kind === 'out_of_credits' ? 'broken' : kind, asked, sent);
  return unavailable(problem, FINAL.has(kind));
}

/** Whether a 2xx is about results at all, whatever words are in it. */
export function isResult({ text }: Answer, { dialect }: Asked): boolean {
  const body = parseJson(text);
  return (
    body !== undefined && (isPending(body, dialect) || findEntries(body, dialect) !== undefined)
  );
}

function judgeBody(answer: Answer, asked: Asked, { ticket, digest }: OpenTicket): ReadAnswer {
  const { dialect, hidden } = asked;
  const body = parseJson(answer.text);
  if (body === undefined) {
    return unavailable(unreadableProblem(asked, answer, 'without JSON'));
  }
  if (isPending(body, dialect)) return { kind: 'pending' };
  const entries = findEntries(body, dialect) ?? noEntriesIn(body, dialect);
  if (entries === undefined || entries.length === 0) {
    const failure = decodeFailure(body, body, dialect, hidden);
    if (failure !== undefined) return failure;
  }
  if (entries === undefined) return judgeMissing(body, answer, asked);
  if (digest !== undefined) {
    const own = entries.find(({ key }) => isKeyOf(digest, key));
    return own === undefined
      ? judgeOthers(entries, answer, asked)
      : judgeEntry(own, body, answer, asked);
  }
  // Platforms may say `done` a moment before the data is there: the caller reads an empty result again.
  if (entries.length === 0) return { kind: 'done', result: {} };
  const [first] = entries;
  const isAlone = entries.length === 1 && first?.ticket === undefined;
  const own = isAlone ? first : entries.find((entry) => entry.ticket === ticket);
  if (own === undefined) return unavailable(otherTicketProblem(asked, ticket, first?.ticket));
  return judgeEntry(own, body, answer, asked);
}

/** JSON without a place for entries is a result in another shape, unless it says what went wrong. */
function judgeMissing(body: JsonValue, answer: Answer, asked: Asked): ReadAnswer {
  if (typeof body !== 'object' || body === null || hasReason(body, asked.dialect)) {
    return unavailable(unreadableProblem(asked, answer, 'without a result'));
  }
  return missingEntries({ text: answer.text, body }, asked);
}

/** The result of a bulk call without our entry: an entry without our key is another lead's, whatever else it says. */
function judgeOthers(entries: readonly WireEntry[], answer: Answer, asked: Asked): ReadAnswer {
  // The entries of others may be there first.
  if (entries.length === 0 || entries.some(({ key }) => key !== undefined)) {
    return { kind: 'pending' };
  }
  const lack = 'without metadata in any entry of the bulk call';
  return unavailable(unreadableProblem(asked, answer, lack));
}

function judgeEntry(
  { raw }: WireEntry,
  body: JsonValue,
  { text }: Answer,
  asked: Asked,
): ReadAnswer {
  const decoded = decodeEntry(raw, body, asked.dialect, asked.hidden);
  return withOdd(decoded, { text, body, entry: raw }, asked);
}

function otherTicketProblem(asked: Asked, ticket: string, other: string | undefined): SluiceError {
  const what = other === undefined ? 'several without an id' : other;
  const message = `The platform at ${asked.url} was asked for the enrichment ${ticket} and answered with ${what}: that result is not used.`;
  return problem(message, { url: asked.url, ticket, answered: other ?? null });
}

function unavailable(reason: SluiceError, isFinal = false): ReadAnswer {
  return { kind: 'unavailable', problem: reason, isFinal };
}
