// Whether a text is about a person who wants to be forgotten: by an e-mail address, a profile, or everybody
// of a domain. Whole addresses only: `ada@acme.com` is neither in `nada@acme.com` nor in `ada@acme.com.br`.
import { isJsonObject, type JsonValue } from '../text/json.js';

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
const INVISIBLE = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;
/** One character, percent-encoded. */
const ENCODED =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi;
const ESCAPED = /\\u([\da-f]{4})|\\\//gi;
const WORD = /[^\s,;|"'<>()]+/g;

// A pattern that repeats overflows its stack on a text of megabytes. These look at the characters around a spelling,
// which is found without one.
const WITHIN_ADDRESS = /[\p{L}\p{N}._%+-]$/u;
const WITHIN_HOST = /[\p{L}\p{N}-]$/u;
/** The middle of a longer name, or the beginning of one. */
const GOES_ON = /^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}])/u;
const ENDS_HOST = /^\.?(?:$|[:/?#])/;
/** What no row of labels holds. */
const NO_LABELS = /[^\p{L}\p{N}.-]|\.\.|^\./u;

/** Whether a folded text names somebody; `isHistory` where the companies of earlier years stand. */
type Find = (folded: string, isHistory: boolean) => boolean;

export function createPersonMatch(targets: readonly PersonTarget[]): PersonMatch {
  const finds = targets.flatMap(({ kind, spellings }) =>
    [...new Set(spellings.map(fold))]
      .filter((spelling) => spelling !== '')
      .map((spelling) => findOf(kind, spelling)),
  );
  const isAbout = (text: string, isHistory: boolean): boolean => {
    // Most texts: no address is without a full stop, as it is or percent-encoded.
    if (!text.includes('.') && !text.includes('%')) return false;
    const folded = fold(text);
    return finds.some((find) => find(folded, isHistory));
  };
  const isLineAbout = (line: string): boolean => {
    if (isAbout(line, false)) return true;
    for (const [word] of line.matchAll(WORD)) if (isAbout(word, false)) return true;
    return false;
  };
  return {
    inText: (text) =>
      isLineAbout(text) ||
      (text.includes('\\') && isLineAbout(text.replace(ESCAPED, unescapeJson))),
    inJson: (value, others) => {
      for (const [text, isHistory] of stringsIn(value)) {
        if (others?.has(text) === true || isAbout(text, isHistory)) return true;
      }
      return false;
    },
  };
}

/** Every string and key, and whether it stands in the history; without recursion, however deep it is nested. */
function* stringsIn(value: JsonValue): Generator<readonly [text: string, isHistory: boolean]> {
  const open: [value: JsonValue, isHistory: boolean][] = [[value, false]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [inner, isHistory] = next;
    if (typeof inner === 'string') yield [inner, isHistory];
    else if (Array.isArray(inner)) for (const one of inner) open.push([one, isHistory]);
    else if (isJsonObject(inner)) {
      for (const [key, one] of Object.entries(inner)) {
        yield [key, isHistory];
        open.push([one, isHistory || key === HISTORY]);
      }
    }
  }
}

function findOf(kind: PersonTarget['kind'], spelling: string): Find {
  switch (kind) {
    case 'email':
      return (text) => standsAlone(text, spelling, WITHIN_ADDRESS);
    case 'url':
      return (text) => standsAlone(text, spelling, WITHIN_HOST);
    case 'domain':
      // As a host only in a text that says nothing else.
      return (text, isHistory) =>
        text.includes(spelling) &&
        (isInAddress(text, spelling) ||
          (!isHistory &&
            isHost(text.replace(/^https?:\/\//, ''), spelling, (rest) => ENDS_HOST.test(rest))));
  }
}

function standsAlone(text: string, spelling: string, within: RegExp): boolean {
  for (let at = text.indexOf(spelling); at !== -1; at = text.indexOf(spelling, at + 1)) {
    const end = at + spelling.length;
    const isWhole = !within.test(text.slice(Math.max(0, at - 2), at));
    if (isWhole && !GOES_ON.test(text.slice(end, end + 3))) return true;
  }
  return false;
}

function isInAddress(text: string, domain: string): boolean {
  for (let at = text.indexOf('@'); at !== -1; ) {
    const next = text.indexOf('@', at + 1);
    const host = text.slice(at + 1, next === -1 ? undefined : next);
    if (isHost(host, domain, (rest) => !GOES_ON.test(rest))) return true;
    at = next;
  }
  return false;
}

/** Whether a text begins with the domain or one below it; `endsAt` is given the three units behind it. */
function isHost(text: string, domain: string, endsAt: (rest: string) => boolean): boolean {
  let at = text.indexOf(domain);
  if (at === -1) return false;
  const stop = text.search(NO_LABELS);
  for (; at !== -1 && (stop === -1 || at <= stop); at = text.indexOf(domain, at + 1)) {
    const end = at + domain.length;
    const isLabel = at === 0 || text[at - 1] === '.';
    if (isLabel && endsAt(text.slice(end, end + 3))) return true;
  }
  return false;
}

/** One spelling: lower case, composed, percent-encoding undone, a URL without what may be left out. */
function fold(text: string): string {
  return (
    text
      .replace(ENCODED, decode)
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

/** Of JSON that cannot be parsed, since it is cut or broken. */
function unescapeJson(_: string, hex: string | undefined): string {
  return hex === undefined ? '/' : String.fromCharCode(Number.parseInt(hex, 16));
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
