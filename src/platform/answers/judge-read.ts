import { type Said } from '../../dialect/signal.js';
import { firstValueAt } from '../../dialect/wire-path.js';
import type { SluiceError } from '../../model/errors.js';
import { type JsonValue, parseJson } from '../../model/text/json.js';
import type { ReadAnswer } from '../../ports/platform.js';
import type { Answer } from '../wire/exchange.js';
import type { Sent } from '../wire/sender.js';
import {
  decodeEntry,
  decodeState,
  findEntries,
  hasReason,
  isEmpty,
  noEntriesIn,
  type Reading,
  type WireEntry,
} from './decode-answer.js';
import { missingEntries, toAnswer } from './odd.js';
import {
  type Asked,
  answerProblem,
  problem,
  silenceProblem,
  unreadableProblem,
} from './problems.js';
import { type StatusKind, statusKind } from './status-kind.js';
import { isKeyOf, type OpenTicket, type Place } from './ticket.js';

/** Statuses for which trying again cannot help. */
const FINAL: ReadonlySet<StatusKind> = new Set(['credentials', 'misplaced', 'redirect']);

interface Came {
  readonly answer: Answer;
  readonly said: Said;
  readonly asked: Asked;
  readonly reading: Reading;
}

export function judgeRead(sent: Sent, ticket: OpenTicket, asked: Asked): ReadAnswer {
  if (sent.kind !== 'answered') {
    return unavailable(silenceProblem(sent, asked), false, sent.kind === 'throttled');
  }
  const { dialect, hidden } = asked;
  const body = parseJson(sent.text);
  const said = { status: sent.status, text: sent.text, body };
  const came = { answer: sent, said, asked, reading: { dialect, part: 'read', hidden } } as const;
  const kind = statusKind(sent, dialect);
  // The text of an error may hold guesses, which are good for its reason alone.
  const isReadable = body !== undefined && (kind === 'ok' || sent.flaw === undefined);
  const entries = isReadable ? findEntries(body, dialect.answer.read) : undefined;
  const own =
    entries &&
    (ticket.place === undefined ? findOwn(entries, ticket) : entryAt(body, came, ticket.place));
  if (kind !== 'ok') return judgeError(own, kind, came);
  return own === undefined ? judgeWithoutEntry(entries, ticket, came) : judgeEntry(own, came);
}

/** Whether a 2xx is about results at all, whatever words are in it. */
export function isResult({ status, text }: Answer, { dialect, hidden }: Asked): boolean {
  const body = parseJson(text);
  if (body === undefined) return false;
  const reading = { dialect, part: 'read', hidden } as const;
  const hasEntries = findEntries(body, dialect.answer.read) !== undefined;
  return hasEntries || decodeState({ status, text, body }, reading)?.kind === 'pending';
}

/** The entry at its place, if the list has as many entries as the bulk call had items; null is an entry too. */
function entryAt(
  body: JsonValue | undefined,
  { reading }: Came,
  place: Place,
): WireEntry | undefined {
  const list = firstValueAt(body, reading.dialect.answer.read.entries);
  if (!Array.isArray(list) || list.length !== place.count) return undefined;
  const raw = list[place.index];
  return raw === undefined ? undefined : { raw, ticket: undefined, key: undefined };
}

/** The entry of the ticket. An entry without a ticket counts only if it is the only one. */
function findOwn(
  entries: readonly WireEntry[],
  { ticket, digest }: OpenTicket,
): WireEntry | undefined {
  if (digest !== undefined) return entries.find(({ key }) => isKeyOf(digest, key));
  const [first] = entries;
  const isAlone = entries.length === 1 && first?.ticket === undefined;
  return isAlone ? first : entries.find((entry) => entry.ticket === ticket);
}

function judgeError(
  own: WireEntry | undefined,
  kind: Exclude<StatusKind, 'ok'>,
  came: Came,
): ReadAnswer {
  const { answer, asked, said, reading } = came;
  const entry = own === undefined ? {} : { entry: own.raw };
  const state = decodeState({ ...said, ...entry }, reading);
  if (state !== undefined) return toAnswer(state, { ...said, ...entry }, { ...reading, asked });
  if (kind !== 'out_of_credits')
    return unavailable(answerProblem(kind, asked, answer), FINAL.has(kind));
  // The account is empty, but values that were found before are there all the same.
  const judged = own === undefined ? undefined : judgeEntry(own, came);
  if (judged?.kind === 'done' && !isEmpty(judged.result)) return judged;
  // Reading costs nothing: a platform that speaks of credits here has only failed.
  return unavailable(answerProblem('broken', asked, answer));
}

function judgeWithoutEntry(
  entries: readonly WireEntry[] | undefined,
  { ticket, digest, place }: OpenTicket,
  came: Came,
): ReadAnswer {
  const { answer, asked, said, reading } = came;
  const state = decodeState(said, reading);
  const isOfOthers = entries !== undefined && entries.length > 0;
  // If there are entries of others, an end that the body states is theirs.
  const isEnd = state?.kind === 'failed' || state?.kind === 'done';
  if (state !== undefined && !(isOfOthers && isEnd)) {
    return toAnswer(state, said, { ...reading, asked });
  }
  const { body } = said;
  if (body === undefined) return unavailable(unreadableProblem(asked, answer, 'without JSON'));
  const all = entries ?? noEntriesIn(body, reading.dialect.answer.read);
  if (all === undefined) return judgeMissing(body, came);
  if (digest !== undefined) return judgeOthers(all, answer, asked);
  if (place !== undefined) {
    const lack = `without the ${place.count} entries of the bulk call, which are known by their order`;
    return unavailable(unreadableProblem(asked, answer, lack));
  }
  const [first] = all;
  // Platforms may say `done` a moment before the values are there: the caller reads an empty result again.
  if (first === undefined) return { kind: 'done', result: {} };
  return unavailable(otherTicketProblem(asked, ticket, first.ticket));
}

/** Judges JSON without a place for entries: it is a result in another shape, unless it says what went wrong. */
function judgeMissing(body: JsonValue, { answer, asked, said, reading }: Came): ReadAnswer {
  const section = reading.dialect.answer.read;
  if (typeof body !== 'object' || body === null || hasReason(body, section)) {
    return unavailable(unreadableProblem(asked, answer, 'without a result'));
  }
  return missingEntries(said, { ...reading, asked });
}

/** An entry without our key is another lead's, whatever else it says. */
function judgeOthers(entries: readonly WireEntry[], answer: Answer, asked: Asked): ReadAnswer {
  // The entries of others may be there first.
  if (entries.length === 0 || entries.some(({ key }) => key !== undefined)) {
    return { kind: 'pending' };
  }
  const lack = 'without metadata in any entry of the bulk call';
  return unavailable(unreadableProblem(asked, answer, lack));
}

function judgeEntry({ raw }: WireEntry, { asked, said, reading }: Came): ReadAnswer {
  const decoded = decodeEntry(raw, said, reading);
  return toAnswer(decoded, { ...said, entry: raw }, { ...reading, asked });
}

function otherTicketProblem(asked: Asked, ticket: string, other: string | undefined): SluiceError {
  const what = other === undefined ? 'several without an id' : other;
  const message = `The platform at ${asked.url} was asked for the enrichment ${ticket} and answered with ${what}: that result is not used.`;
  return problem(message);
}

function unavailable(reason: SluiceError, isFinal = false, isThrottled = false): ReadAnswer {
  return { kind: 'unavailable', problem: reason, isFinal, isThrottled };
}
