// Whether a text is about a person who wants to be forgotten: by an e-mail address, a profile, or everybody
// of a domain. Whole addresses only: `ada@acme.com` is neither in `nada@acme.com` nor in `ada@acme.com.br`.
import { escapePattern } from './escape-pattern.js';
import { isJsonObject, type JsonValue } from './json.js';

export interface PersonTarget {
  readonly kind: 'email' | 'domain' | 'url';
  /** As the user wrote it, and as it is sent (`normaliseInput`); either may stand in a text. */
  readonly spellings: readonly string[];
}

export interface PersonMatch {
  /** Of one line of text, as it was read. */
  inText(text: string): boolean;
  /** Of any string in a JSON value, keys too. `others` are strings that tell the person as well, to the letter. */
  inJson(value: JsonValue, others?: ReadonlySet<string>): boolean;
}

/** Where the companies of earlier years stand: they say nothing about whose profile it is. */
const HISTORY = 'positionGroups';
const LETTER = '[\\p{L}\\p{N}]';
const LABELS = `(?:[\\p{L}\\p{N}-]+\\.)*`;
/** Neither the middle of a longer name, nor the beginning of one. */
const END = `(?![\\p{L}\\p{N}_-]|\\.${LETTER})`;
const INVISIBLE = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;

export function createPersonMatch(targets: readonly PersonTarget[]): PersonMatch {
  const patterns = targets.flatMap(({ kind, spellings }) =>
    [...new Set(spellings.map(fold))].map((spelling) => patternsOf(kind, spelling)),
  );
  const somewhere = patterns.map((one) => one.somewhere);
  const whole = patterns.flatMap((one) => (one.whole === undefined ? [] : [one.whole]));
  const isAbout = (text: string, isHistory: boolean): boolean => {
    // Most texts: no address is without a full stop, as it is or percent-encoded.
    if (!text.includes('.') && !text.includes('%')) return false;
    const folded = fold(text);
    if (somewhere.some((pattern) => pattern.test(folded))) return true;
    return !isHistory && whole.some((pattern) => pattern.test(folded));
  };
  const inValue = (
    value: JsonValue,
    others: ReadonlySet<string> | undefined,
    isHistory: boolean,
  ): boolean => {
    if (typeof value === 'string') return others?.has(value) === true || isAbout(value, isHistory);
    if (Array.isArray(value)) return value.some((one) => inValue(one, others, isHistory));
    if (!isJsonObject(value)) return false;
    return Object.entries(value).some(
      ([key, inner]) =>
        isAbout(key, isHistory) || inValue(inner, others, isHistory || key === HISTORY),
    );
  };
  return {
    inText: (text) =>
      isAbout(text, false) || text.split(/[\s,;|"'<>()]+/).some((word) => isAbout(word, false)),
    inJson: (value, others) => inValue(value, others, false),
  };
}

/** `whole` is for a text that says nothing else. */
function patternsOf(kind: PersonTarget['kind'], spelling: string) {
  const text = escapePattern(spelling);
  switch (kind) {
    case 'email':
      return { somewhere: new RegExp(`(?<![\\p{L}\\p{N}._%+-])${text}${END}`, 'u') };
    case 'url':
      return { somewhere: new RegExp(`(?<![\\p{L}\\p{N}-])${text}${END}`, 'u') };
    case 'domain':
      return {
        somewhere: new RegExp(`@${LABELS}${text}${END}`, 'u'),
        whole: new RegExp(`^(?:https?://)?${LABELS}${text}\\.?(?:[:/?#].*)?$`, 'su'),
      };
  }
}

/** One spelling: lower case, composed, percent-encoding undone, a URL without what may be left out. */
function fold(text: string): string {
  return (
    text
      .replace(/(?:%[0-9a-f]{2})+/gi, decode)
      .replace(INVISIBLE, '')
      .trim()
      .toLowerCase()
      .normalize('NFC')
      .replace(/^https?:\/\/(?:www\.)?/, '')
      // Only from where they begin: a long row of them elsewhere would else be gone through once for each.
      .replace(/(?<!\/)\/+$/, '')
  );
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/**
 * A body that told of several people, without this one: of its lists of entries, those that are about the
 * person become null. Undefined where they cannot be taken out by themselves.
 */
export function withoutPerson(
  body: JsonValue,
  isAbout: (value: JsonValue) => boolean,
): JsonValue | undefined {
  if (Array.isArray(body)) return body.map((entry) => (isAbout(entry) ? null : entry));
  if (!isJsonObject(body)) return undefined;
  const rest = Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.map((entry) => (isAbout(entry) ? null : entry)) : value,
    ]),
  );
  return isAbout(rest) ? undefined : rest;
}
