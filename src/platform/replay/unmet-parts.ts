// The parts of a dialect file that nothing in a transcript shows: a section whose calls it lacks, and a value with a word
// that stands nowhere in it.
import { changedFile, type Dialect, formAt, NEUTRAL_DIALECT } from '../../dialect/dialect.js';
import type { TranscriptPart } from '../../dialect/transcript/recorded.js';
import type { ExchangeCheck, UnmetPart } from '../../model/resources/transcript-check.js';
import { isJsonObject, type JsonValue } from '../../model/text/json.js';

/** Sections whose calls a transcript may lack altogether, and the names of their calls in a check. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  enrich: ['enrich'],
  bulk: ['bulk'],
  result: ['result'],
  account: ['account'],
  peopleSchema: ['peopleSchema'],
  hooks: ['hooks', 'hooks.add', 'hooks.remove'],
  'hooks.remove': ['hooks.remove'],
  lists: ['lists.create', 'lists.add', 'lists.upsert'],
  'lists.create': ['lists.create'],
  'lists.add': ['lists.add'],
  'lists.upsert': ['lists.upsert'],
  drafts: ['drafts'],
  'answer.read': ['result'],
  'answer.webhook': ['webhook'],
};

/** Parts that transcripts leave out, and proofs, which have notes of their own. */
const NOT_SHOWN = /^(auth|limits\.(rate|headers)|result\.every|webhooks)(\.|$)/;

export function unmetParts(
  dialect: Dialect,
  parts: readonly TranscriptPart[],
  exchanges: readonly ExchangeCheck[],
): UnmetPart[] {
  const file = changedFile(dialect, NEUTRAL_DIALECT);
  const calls = new Set(exchanges.map(({ call }) => call));
  const missing = Object.entries(CALLS).flatMap(([key, own]) =>
    own.some((call) => calls.has(call)) || !isStated(file, key) ? [] : [key],
  );
  const shown = new Set(parts.flatMap(wordsOf));
  const unmet = valuesIn(file).flatMap(([key, all]): UnmetPart[] => {
    if (NOT_SHOWN.test(key) || missing.some((part) => key.startsWith(`${part}.`))) return [];
    const values = all.filter((value) => !isShown(value, shown));
    return values.length === 0 ? [] : [{ key, values: values.map(textOf) }];
  });
  return [...missing.map((key) => ({ key, values: [] })), ...unmet];
}

function isStated(file: JsonValue, key: string): boolean {
  const [section = '', inner] = key.split('.');
  const value = isJsonObject(file) ? file[section] : undefined;
  if (inner === undefined) return isJsonObject(value) && value['path'] !== null;
  return isJsonObject(value) && isJsonObject(value[inner]);
}

function wordsOf(part: TranscriptPart): string[] {
  const messages = part.kind === 'webhook' ? [part] : [part.question, part.answer];
  const headers = messages.flatMap((one) => Object.entries(one.headers).flat());
  const others = part.kind === 'webhook' ? [] : [part.question.target, String(part.answer.status)];
  return [...messages.map(({ body }) => body), ...headers, ...others].flatMap(wordsIn);
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? [];
}

/** Whether every word of a name or a path stands in the transcript; of a signal one of its places and of its values. */
function isShown(value: JsonValue, words: ReadonlySet<string>): boolean {
  const isThere = (text: unknown) => wordsIn(String(text)).every((word) => words.has(word));
  if (!isJsonObject(value)) return isThere(value);
  const { at, status = [], values, word = [] } = value;
  const isOne = (some: JsonValue | undefined) => some === undefined || [some].flat().some(isThere);
  return [status, word].flat().every(isThere) && isOne(at) && isOne(values);
}

/** The names, paths and signals that a file states, in lists, each with the path of its key. */
function valuesIn(value: JsonValue, key = ''): (readonly [key: string, JsonValue[]])[] {
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, inner]) =>
      valuesIn(inner, key === '' ? name : `${key}.${name}`),
    );
  }
  const form = formAt(key);
  if (form === undefined || form.startsWith('path of a call')) return [];
  const all: JsonValue[] = Array.isArray(value) ? value : [value];
  return [[key, all.filter((one) => typeof one === 'string' || isJsonObject(one))]];
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
