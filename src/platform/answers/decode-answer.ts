// Decodes the body of a result, read by ticket or from a webhook: its entries, and the meaning of each
// (docs/platform-api.md, Enrichment result).
import type { AnswerSection } from '../../dialect/answer.js';
import type { AnswerPart, Dialect } from '../../dialect/dialect.js';
import { type Said, type Signals, saysOne, saysPlainly } from '../../dialect/signal.js';
import { firstValueAt, stepsOf, valueAt, valueBehind } from '../../dialect/wire-path.js';
import type { Result } from '../../model/result.js';
import { isJsonObject, type JsonValue } from '../../model/text/json.js';
import type { Hidden } from '../redact/find-hidden.js';
import { NO_REASON, reasonIn, saysError } from '../redact/reason.js';
import { decodeObjects, decodeResult } from './decode-result.js';
import { ticketAt } from './ticket.js';
import { unreadPaths } from './unread.js';

/** The part of a dialect by which an answer is read, and the values that its reasons must not repeat. */
export interface Reading {
  readonly dialect: Dialect;
  readonly part: AnswerPart;
  readonly hidden: Hidden;
}

export interface WireEntry {
  readonly ticket: string | undefined;
  /** Text of ours that came back; it is not known here whether it is a key. */
  readonly key: string | undefined;
  readonly raw: JsonValue;
}

/** `at` is the key of the section whose paths all lead to nothing. */
export type Oddity =
  | { readonly lack: 'missing'; readonly at: 'entries' | 'blocks' }
  | { readonly lack: 'unread'; readonly paths: readonly string[] };

export type EntryAnswer =
  /** `isDry`: the account has no credits, and the result comes when it has some. */
  | { readonly kind: 'pending'; readonly isDry?: true }
  /** `isMiss`: the platform says that nothing was found, and not only by leaving something out. */
  | {
      readonly kind: 'done';
      readonly result: Result;
      readonly oddity?: Oddity;
      readonly isMiss?: true;
    }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'unknown' };

const ENTRIES_MAX = 10_000;
const KEY_LENGTH_MAX = 100;

/** Undefined if the body has no place for entries, which means another protocol. At most 10,000. */
export function findEntries(body: JsonValue, section: AnswerSection): WireEntry[] | undefined {
  const found = firstValueAt(body, section.entries);
  const entries = isJsonObject(found) ? [found] : found;
  if (!Array.isArray(entries)) return undefined;
  const objects = decodeObjects(entries, ENTRIES_MAX);
  // A list of texts or numbers holds values, and no entry.
  if (objects.length === 0 && entries.some(isValue)) return undefined;
  return objects.map((raw) => ({
    raw,
    ticket: ticketAt(raw, section.ticket),
    key: keyIn(raw, section.metadata),
  }));
}

function isValue(value: JsonValue): boolean {
  return typeof value !== 'object' && value !== '';
}

function keyIn(raw: JsonValue, metadata: readonly string[]): string | undefined {
  const key = firstValueAt(raw, metadata);
  return typeof key === 'string' && key.length <= KEY_LENGTH_MAX ? key : undefined;
}

/** The meaning of one entry; the body may state it for all entries. */
export function decodeEntry(raw: JsonValue, said: Said, reading: Reading): EntryAnswer {
  const { dialect, part } = reading;
  const state = decodeState({ ...said, entry: raw }, reading);
  if (state !== undefined) return state;
  const result = decodeResult(firstValueAt(raw, dialect.answer[part].blocks), dialect);
  // An entry with a reason and without a single value is a failure, whatever its batch says.
  const reason = isEmpty(result) ? reasonFor(raw, said, reading) : undefined;
  if (reason !== undefined) return { kind: 'failed', reason };
  const oddity =
    findOddity(raw, reading) ??
    (isEmpty(result) ? findStrange({ ...said, entry: raw }, reading) : undefined);
  return oddity === undefined ? { kind: 'done', result } : { kind: 'done', result, oddity };
}

/** Undefined if the signals state none, so that only the values count. */
export function decodeState(said: Said, reading: Reading): EntryAnswer | undefined {
  const { dialect, part } = reading;
  const section = dialect.answer[part];
  const read = () => decodeResult(firstValueAt(said.entry, section.blocks), dialect);
  if (saysOne(section.outOfCredits, said)) {
    // Values that were found before the account ran dry are paid for.
    const result = read();
    return isEmpty(result) ? { kind: 'pending', isDry: true } : { kind: 'done', result };
  }
  // A body without an entry may be in progress by what it lacks; that is not an end.
  const whole = { ...said, entry: said.entry ?? said.body };
  if (saysOne(section.pending, whole)) return { kind: 'pending' };
  if (saysOne(section.notFound, said)) {
    const miss = { kind: 'done', result: withoutBareStatus(read()) } as const;
    return saysPlainly(section.notFound, said) ? { ...miss, isMiss: true } : miss;
  }
  if (saysOne(section.failed, said)) {
    const { body, entry } = said;
    const own = entry === undefined ? undefined : reasonFor(entry, said, reading);
    return { kind: 'failed', reason: own ?? reasonFor(body, said, reading) ?? NO_REASON };
  }
  return saysOne(section.unknown, said) ? { kind: 'unknown' } : undefined;
}

/** A status is no value where its address is not there. One ask may be missed, and another one found. */
function withoutBareStatus({ find_email, ...others }: Result): Result {
  return find_email?.email === undefined ? others : { find_email, ...others };
}

function findOddity(raw: JsonValue, { dialect, part }: Reading): Oddity | undefined {
  const { blocks } = dialect.answer[part];
  const place = blocks.find((path) => (valueAt(raw, path) ?? null) !== null);
  if (place === undefined) {
    return isNothingAt(raw, blocks) ? undefined : { lack: 'missing', at: 'blocks' };
  }
  const paths = unreadPaths(raw, place, dialect, part);
  return paths.length === 0 ? undefined : { lack: 'unread', paths };
}

/**
 * Finds a word beside no value that has no known meaning: the dialect lists words for a miss, and words for other
 * states at the same place, or it lists the words of an end; this word is not among them. If the dialect lists neither,
 * any other word is that of an end.
 */
function findStrange(said: Said, { dialect, part }: Reading): Oddity | undefined {
  const { pending, done, notFound, failed, unknown, outOfCredits, ignored } = dialect.answer[part];
  const others = [pending, failed, unknown, outOfCredits].flat().flatMap(({ at = [] }) => at);
  const missed = wordPlaces(notFound).filter((place) => others.includes(place));
  // A word that one of the other signals lists would have been that signal.
  const strange = [...missed, ...wordPlaces(done)].find((place) => {
    const word = valueAt(said.entry, place) ?? valueAt(said.body, place);
    if (typeof word !== 'string' || word === '' || ignored.includes(place)) return false;
    const here = done.filter(({ at = [] }) => at.includes(place));
    return missed.includes(place) || !saysOne(here, said);
  });
  return strange === undefined ? undefined : { lack: 'unread', paths: [strange] };
}

function wordPlaces(signals: Signals): string[] {
  const words = signals.filter(({ values = [] }) => values.some((one) => typeof one === 'string'));
  return words.flatMap(({ at = [] }) => at);
}

/** Undefined if the place is missing, or the body gives a reason for its being empty. */
export function noEntriesIn(body: JsonValue, section: AnswerSection): [] | undefined {
  const isNone = isNothingAt(body, section.entries) && !hasReason(body, section);
  return isNone && isJsonObject(body) ? [] : undefined;
}

export function hasReason(body: JsonValue, section: AnswerSection): boolean {
  return saysError(body, section.reason);
}

/** Whether null or an empty text is at one of the paths, or null above it: the place exists, and holds nothing. */
function isNothingAt(value: JsonValue, paths: readonly string[]): boolean {
  return paths.some((path) => {
    let current: JsonValue | undefined = value;
    for (const step of stepsOf(path)) {
      current = valueBehind(current, step);
      if (current === null) return true;
    }
    return current === '';
  });
}

export function isEmpty(result: Result): boolean {
  return Object.keys(result).length === 0;
}

/** An error answer may give its reason where errors do. A word for the end of a search is none. */
function reasonFor(
  value: JsonValue | undefined,
  said: Said,
  { dialect, part, hidden }: Reading,
): string | undefined {
  const { done, reason } = dialect.answer[part];
  const { status = 200 } = said;
  const ends = done.filter((signal) => saysOne([signal], { ...said, entry: value }));
  const own = reason.filter((path) => !ends.some(({ at = [] }) => at.includes(path)));
  return reasonIn(value, status < 300 ? own : [...own, ...dialect.errors.reason], hidden);
}
