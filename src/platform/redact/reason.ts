// Whether and why the platform says no: platforms send errors as text, `{error}`, `{error, code}` or nested.
import type { Dialect } from '../../dialect/dialect.js';
import { isSomething } from '../../dialect/signal.js';
import { firstValueAt, valueAt } from '../../dialect/wire-path.js';
import { isJsonObject, type JsonValue, parseJson } from '../../model/text/json.js';
import type { Hidden } from './find-hidden.js';
import { quoteText } from './quote.js';

export const NO_REASON = 'the platform gave no reason';

const REASON_LENGTH_MAX = 200;
const INNER_KEYS = ['message', 'error', 'reason', 'detail', 'title', 'code'];

/** The reason that a JSON body gives, as one line of at most 200 characters; undefined if it gives none. */
export function reasonIn(
  body: JsonValue | undefined,
  paths: readonly string[],
  hidden: Hidden,
): string | undefined {
  const given = firstValueAt(body, paths);
  const text = sentenceOf(given) ?? sentenceOf(Array.isArray(given) ? given[0] : undefined);
  if (text === undefined) return undefined;
  const code = valueAt(body, 'code');
  const hasCode = (typeof code === 'string' && code !== '') || typeof code === 'number';
  const whole = hasCode && !text.includes(String(code)) ? `${text} (${code})` : text;
  return quoteText(whole, hidden, REASON_LENGTH_MAX) || undefined;
}

/** The reason of an error answer: the one in its JSON, else its text; of a page, the title. */
export function reasonOf(text: string, dialect: Dialect, hidden: Hidden): string | undefined {
  const body = parseJson(text);
  if (body !== undefined) return reasonIn(body, [...dialect.errors.reason, '.'], hidden);
  const [, title = ''] = isPage(text) ? (/<title[^<>]*>([^<]*)</i.exec(text) ?? []) : ['', text];
  return quoteText(title, hidden, REASON_LENGTH_MAX) || undefined;
}

/** Whether it is HTML or XML. */
export function isPage(text: string): boolean {
  return /^\s*</.test(text);
}

/** Removes these values from a reason that was read before its person was known. */
export function redact(reason: string, values: Hidden): string {
  return quoteText(reason, values, REASON_LENGTH_MAX);
}

function sentenceOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (typeof value === 'number') return String(value);
  if (!isJsonObject(value)) return undefined;
  const inner = firstValueAt(value, INNER_KEYS);
  return typeof inner === 'string' || typeof inner === 'number' ? String(inner) : undefined;
}

export function saysError(value: JsonValue | undefined, paths: readonly string[]): boolean {
  return isSomething(firstValueAt(value, paths));
}
