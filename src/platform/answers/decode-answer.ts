// The body of a result, by ticket and in a webhook: its entries, and what each of them says
// (docs/platform-api.md, Enrichment result).
import type { Dialect } from '../../dialect/dialect.js';
import { firstValueAt, valueAt } from '../../dialect/wire-path.js';
import type { Result } from '../../model/result.js';
import { isJsonObject, type JsonValue } from '../../model/text/json.js';
import type { Hidden } from '../redact/find-hidden.js';
import { NO_REASON, reasonIn, saysError } from '../redact/reason.js';
import { decodeObjects, decodeResult } from './decode-result.js';
import { ticketAt } from './ticket.js';
import { unreadPaths } from './unread.js';

/** One entry, found but not yet decoded. */
export interface WireEntry {
  readonly ticket: string | undefined;
  /** Text of ours that came back; whether it is a key is not known here. */
  readonly key: string | undefined;
  readonly raw: JsonValue;
}

/** `at`: the key of the dialect whose paths all lead to nothing. */
export type Oddity =
  | { readonly lack: 'missing'; readonly at: 'entries' | 'blocks' }
  | { readonly lack: 'unread'; readonly paths: readonly string[] };

export type EntryAnswer =
  | { readonly kind: 'pending' }
  | { readonly kind: 'done'; readonly result: Result; readonly oddity?: Oddity }
  | { readonly kind: 'failed'; readonly reason: string };

/** More than any webhook or result holds. */
const ENTRIES_MAX = 10_000;
/** Our own keys are shorter. */
const KEY_LENGTH_MAX = 100;

/** The first 10,000 entries of a body; undefined where it has no place for entries, which means another protocol. */
export function findEntries(body: JsonValue, { answer }: Dialect): WireEntry[] | undefined {
  const found = firstValueAt(body, answer.entries);
  const entries = isJsonObject(found) ? [found] : found;
  if (!Array.isArray(entries)) return undefined;
  const objects = decodeObjects(entries, ENTRIES_MAX);
  // A list of texts or numbers holds values, and no entry.
  if (objects.length === 0 && entries.some(isValue)) return undefined;
  return objects.map((raw) => ({
    raw,
    ticket: ticketAt(raw, answer.ticket),
    key: keyIn(raw, answer.metadata),
  }));
}

function isValue(value: JsonValue): boolean {
  return typeof value !== 'object' && value !== '';
}

function keyIn(raw: JsonValue, metadata: readonly string[]): string | undefined {
  const key = firstValueAt(raw, metadata);
  return typeof key === 'string' && key.length <= KEY_LENGTH_MAX ? key : undefined;
}

/** What one entry says; `body` may have a type or a state for all entries. */
export function decodeEntry(
  raw: JsonValue,
  body: JsonValue,
  dialect: Dialect,
  hidden: Hidden = [],
): EntryAnswer {
  if (isPending(body, dialect) || isPending(raw, dialect)) return { kind: 'pending' };
  const failure = decodeFailure(raw, body, dialect, hidden);
  if (failure !== undefined) return failure;
  const result = decodeResult(firstValueAt(raw, dialect.answer.blocks), dialect);
  // An entry with a reason and without a single value is a failure, whatever type its batch has.
  const reason = Object.keys(result).length === 0 ? reasonFor(raw, dialect, hidden) : undefined;
  if (reason !== undefined) return { kind: 'failed', reason };
  const oddity = isFull(result) ? undefined : findOddity(raw, dialect);
  return oddity === undefined ? { kind: 'done', result } : { kind: 'done', result, oddity };
}

/** Then nothing that was asked for can be elsewhere. */
function isFull({ find_email, find_phone, social_enrichment }: Result): boolean {
  return Boolean(find_email?.email && find_phone && social_enrichment);
}

function findOddity(raw: JsonValue, dialect: Dialect): Oddity | undefined {
  const { blocks } = dialect.answer;
  const place = blocks.find((path) => (valueAt(raw, path) ?? null) !== null);
  if (place === undefined) {
    return isNothingAt(raw, blocks) ? undefined : { lack: 'missing', at: 'blocks' };
  }
  const paths = unreadPaths(raw, place, dialect);
  return paths.length === 0 ? undefined : { lack: 'unread', paths };
}

/** No entries where their place is there and empty; undefined where the place is missing, or the body says why. */
export function noEntriesIn(body: JsonValue, dialect: Dialect): [] | undefined {
  const isEmpty = isNothingAt(body, dialect.answer.entries) && !hasReason(body, dialect);
  return isEmpty && isJsonObject(body) ? [] : undefined;
}

/** Whether a body says what went wrong. */
export function hasReason(body: JsonValue, { answer }: Dialect): boolean {
  return saysError(body, answer.reason);
}

/** Whether null or an empty text is at one of the paths, or null above it: a place, and nothing in it. */
function isNothingAt(value: JsonValue, paths: readonly string[]): boolean {
  return paths.some((path) => {
    const keys = path.split('.');
    const above = keys.map((_, i) => valueAt(value, keys.slice(0, i + 1).join('.')));
    return above.includes(null) || above.at(-1) === '';
  });
}

/** Whether a body or an entry says that there is no result yet. */
export function isPending(value: JsonValue, { result: { pending } }: Dialect): boolean {
  const state = firstValueAt(value, pending.at);
  return (
    typeof state !== 'object' && pending.values.some((value) => String(value) === String(state))
  );
}

/** The failure that the type of an entry, or of its body, means. */
export function decodeFailure(
  raw: JsonValue,
  body: JsonValue,
  dialect: Dialect,
  hidden: Hidden = [],
): (EntryAnswer & { readonly kind: 'failed' }) | undefined {
  const { type, errorTypes } = dialect.answer;
  const own = firstValueAt(raw, type) ?? firstValueAt(body, type);
  if (typeof own !== 'string' || !errorTypes.includes(own)) return undefined;
  return {
    kind: 'failed',
    reason: reasonFor(raw, dialect, hidden) ?? reasonFor(body, dialect, hidden) ?? NO_REASON,
  };
}

function reasonFor(value: JsonValue, { answer }: Dialect, hidden: Hidden): string | undefined {
  return reasonIn(value, answer.reason, hidden);
}
