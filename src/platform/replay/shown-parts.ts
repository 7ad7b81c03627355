// The parts of a dialect file that a transcript shows, though it would pass without them: another part does the same,
// or the values that they read are not in the words of a transcript. A path is shown if it leads to a value; a signal,
// or a type, if it is said.
import { type Dialect, formAt } from '../../dialect/dialect.js';
import { PATHS_FORM, SIGNALS_FORM } from '../../dialect/keys.js';
import { type Said, type Signal, saysOne } from '../../dialect/signal.js';
import type { TranscriptPart } from '../../dialect/transcript/recorded.js';
import { firstValueAt, valueAt } from '../../dialect/wire-path.js';
import type { ExchangeCheck } from '../../model/resources/transcript-check.js';
import { isJsonObject, type JsonValue, parseJson } from '../../model/text/json.js';

/** Whether the transcript shows a value of a key: a path, a word, or a signal as JSON. */
export type IsShown = (key: string, value: string) => boolean;

/**
 * Sections of `answer`, and the calls whose answers are read by them; the other sections read as `read` does what they
 * do not name.
 */
const READ_BY: Readonly<Record<string, readonly string[]>> = {
  read: ['result', 'webhook', 'enrich', 'bulk'],
  webhook: ['webhook'],
  submit: ['enrich', 'bulk'],
};

interface Told extends Said {
  readonly call: string;
  /** The body, its entries, and every object in it. */
  readonly entries: readonly JsonValue[];
  readonly objects: readonly JsonValue[];
}

export function whatIsShown(
  dialect: Dialect,
  parts: readonly TranscriptPart[],
  checks: readonly ExchangeCheck[],
): IsShown {
  const told = parts.flatMap((part, i) => toldIn(part, checks[i]?.call ?? '', dialect));
  const { answer } = dialect;
  const types = told
    .filter(({ call }) => call === 'webhook')
    .flatMap(({ entries }) => entries.map((entry) => firstValueAt(entry, answer.webhook.type)));
  const hasHeaders = parts.some(
    (part) => part.kind === 'exchange' && Object.keys(part.question.headers).length > 0,
  );
  return (key, value) => {
    const here = told.filter(({ call }) => isReadBy(key, call));
    const form = formAt(key);
    if (form === SIGNALS_FORM) {
      const signal = parseJson(value) as Signal | undefined;
      return signal !== undefined && here.some((one) => isSaid(signal, one));
    }
    if (key.startsWith('events.') || key === 'answer.webhook.types') return types.includes(value);
    if (key.startsWith('headers.')) return !hasHeaders;
    const roots = here.flatMap(({ entries, objects }) =>
      key.startsWith('answer.') ? entries : objects,
    );
    return form === PATHS_FORM && roots.some((root) => valueAt(root, value) !== undefined);
  };
}

function toldIn(part: TranscriptPart, call: string, { answer, bulk }: Dialect): Told[] {
  const { body: text, ...more } = part.kind === 'exchange' ? part.answer : { body: part.body };
  const body = parseJson(text);
  if (body === undefined) return [{ ...more, call, text, body, entries: [], objects: [] }];
  const sections = [answer.webhook, answer.read, answer.submit, bulk.answer];
  const lists = sections.map((section) => firstValueAt(body, section.entries));
  const entries = [body, ...lists.flatMap((list) => (Array.isArray(list) ? list : (list ?? [])))];
  return [{ ...more, call, text, body, entries, objects: objectsIn(body) }];
}

function objectsIn(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return [value, ...value.flatMap(objectsIn)];
  return isJsonObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

function isReadBy(key: string, call: string): boolean {
  const [section = '', inner = ''] = key.split('.');
  if (section === 'answer') return READ_BY[inner]?.includes(call) === true;
  const isOfCall = ['errors', 'limits', 'blocks', 'fields'].includes(section);
  return isOfCall || call === section || call.startsWith(`${section}.`);
}

function isSaid(signal: Signal, told: Told): boolean {
  const { call: _call, entries, objects: _objects, ...said } = told;
  return entries.length === 0
    ? saysOne([signal], said)
    : entries.some((entry) => saysOne([signal], { ...said, entry }));
}
