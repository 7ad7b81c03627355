// Whether a text is about a person who wants to be forgotten: by an e-mail address, a profile, a domain with all its
// people, or name and company. Whole addresses only: `ada@acme.com` is neither in `nada@acme.com` nor in
// `ada@acme.com.br`.
import type { Inputs } from './ask.js';
import type { MappedInput } from './mapping/mapping.js';
import { withoutIgnorable, withPlainSigns } from './normalise.js';
import { readingsOf } from './text/escapes.js';
import { isJsonObject, type JsonValue } from './text/json.js';

export interface PersonTarget {
  readonly kind: 'email' | 'domain' | 'url';
  /** The value as the user wrote it, as it is sent (`normaliseInput`), and as it is compared; each may be in a text. */
  readonly spellings: readonly string[];
}

/** A person by name and company, which a text that is not told apart into inputs can only hint at. */
export interface NamedPerson {
  readonly isNamed: (inputs: Inputs) => boolean;
  readonly isInLine: (cells: readonly JsonValue[], mapping: readonly MappedInput[]) => boolean;
  /** Of each list one text stands in every line of text about the person. */
  readonly texts: readonly (readonly string[])[];
}

export interface PersonMatch extends Omit<NamedPerson, 'texts'> {
  inText(text: string): boolean;
  /** `others`: strings that also identify the person, to the letter. */
  inJson(value: JsonValue, others?: ReadonlySet<string>): boolean;
}

/** The key of the companies of earlier years, which do not identify the profile's person. */
const HISTORY = 'positionGroups';
/** Every address has a full stop, plain or in an escape. */
const MAY_HOLD_ADDRESS = /[.%\\&]|[^\0-\x7f]/;
const ASCII = /^[\0-\x7f]*$/;
const WORD = /[^\s,;|"'<>()]+/g;

// A pattern that repeats overflows its stack on a text of megabytes. These patterns look only at the characters around
// a spelling, which is found without a pattern.
/** A sign belongs to an address if a letter comes before it: `_ada@acme.com_` is in italics. */
const WITHIN_ADDRESS = /[\p{L}\p{N}][._%+-]{0,7}$/u;
const WITHIN_URL = /[\p{L}\p{N}-]$/u;
const URL_GOES_ON = /^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}])/u;
/** The middle of a longer name, or a country after it. Anything else after a full stop begins a sentence. */
const HOST_GOES_ON = /^(?:-?[\p{L}\p{N}]|\.(?:\p{L}{2}(?![\p{L}\p{N}-])|xn--))/u;
const ENDS_HOST = /^\.?(?:$|[:/?#])/;
const WITHIN_WORD = /[\p{L}\p{N}]$/u;
const WORD_GOES_ON = /^[\p{L}\p{N}]/u;
/** The patterns look at this many characters around a spelling. */
const AROUND = 8;
const NO_LABELS = /[^\p{L}\p{N}.-]|\.\.|^\./u;

/** Whether a folded text names the person; `isHistory` inside the companies of earlier years. */
type Find = (folded: string, isHistory: boolean) => boolean;

const NOBODY: NamedPerson = { isNamed: () => false, isInLine: () => false, texts: [] };

export function createPersonMatch(
  targets: readonly PersonTarget[],
  named: NamedPerson = NOBODY,
): PersonMatch {
  const finds = targets.flatMap(({ kind, spellings }) => {
    const folded = spellings.flatMap((spelling) => Array.from(readingsOf(spelling), fold));
    return [...new Set(folded.map(bare))]
      .filter((spelling) => spelling !== '')
      .map((spelling) => findOf(kind, spelling));
  });
  const isFoundIn = (folded: string, isHistory: boolean): boolean => {
    const text = bare(folded);
    return finds.some((find) => find(text, isHistory));
  };
  const isLineFoundIn = (folded: string): boolean => {
    if (isFoundIn(folded, false)) return true;
    for (const [word] of folded.matchAll(WORD)) {
      if (word.includes('.') && isFoundIn(word, false)) return true;
    }
    return false;
  };
  const texts = named.texts.map((some) => some.map(fold));
  return {
    isNamed: named.isNamed,
    isInLine: named.isInLine,
    inText: (text) => isSoRead(text, isLineFoundIn) || (texts.length > 0 && isNamedIn(text, texts)),
    inJson: (value, others) => {
      for (const [text, isHistory] of stringsIn(value)) {
        if (others?.has(text) === true) return true;
        if (isSoRead(text, (folded) => isFoundIn(folded, isHistory))) return true;
      }
      return false;
    },
  };
}

function isSoRead(text: string, isFoundIn: (folded: string) => boolean): boolean {
  if (!MAY_HOLD_ADDRESS.test(text)) return false;
  for (const reading of readingsOf(text)) if (isFoundIn(fold(reading))) return true;
  return false;
}

function isNamedIn(text: string, texts: NamedPerson['texts']): boolean {
  for (const reading of readingsOf(text)) {
    const folded = fold(reading);
    const isThere = (one: string) => standsAlone(folded, one, WITHIN_WORD, WORD_GOES_ON);
    if (texts.every((some) => some.some(isThere))) return true;
  }
  return false;
}

/** Every string and key, and whether it is in the history; not recursive, however deep the nesting is. */
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
      return (text) => standsAlone(text, spelling, WITHIN_ADDRESS, HOST_GOES_ON);
    case 'url':
      return (text) => standsAlone(text, spelling, WITHIN_URL, URL_GOES_ON);
    case 'domain':
      // A host counts only in a text that holds nothing else.
      return (text, isHistory) =>
        text.includes(spelling) &&
        (isInAddress(text, spelling) ||
          (!isHistory &&
            isHost(text.replace(/^https?:\/\//, ''), spelling, (rest) => ENDS_HOST.test(rest))));
  }
}

function standsAlone(text: string, spelling: string, within: RegExp, goesOn: RegExp): boolean {
  for (let at = text.indexOf(spelling); at !== -1; at = text.indexOf(spelling, at + 1)) {
    const end = at + spelling.length;
    const isWhole = !within.test(text.slice(Math.max(0, at - AROUND), at));
    if (isWhole && !goesOn.test(text.slice(end, end + AROUND))) return true;
  }
  return false;
}

function isInAddress(text: string, domain: string): boolean {
  for (let at = text.indexOf('@'); at !== -1; ) {
    const next = text.indexOf('@', at + 1);
    const host = text.slice(at + 1, next === -1 ? undefined : next);
    if (isHost(host, domain, (rest) => !HOST_GOES_ON.test(rest))) return true;
    at = next;
  }
  return false;
}

/** Whether a text begins with the domain or a subdomain; `endsAt` is given the units behind it. */
function isHost(text: string, domain: string, endsAt: (rest: string) => boolean): boolean {
  let at = text.indexOf(domain);
  if (at === -1) return false;
  const stop = text.search(NO_LABELS);
  for (; at !== -1 && (stop === -1 || at <= stop); at = text.indexOf(domain, at + 1)) {
    const end = at + domain.length;
    const isLabel = at === 0 || text[at - 1] === '.';
    if (isLabel && endsAt(text.slice(end, end + AROUND))) return true;
  }
  return false;
}

/** One spelling, by the rules of `normaliseInput`: without invisible characters, compatible letters as one. */
function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return withPlainSigns(withoutIgnorable(text))
    .normalize('NFKC')
    .replaceAll('\u3002', '.')
    .toLowerCase()
    .normalize('NFC');
}

/** A URL without the parts that people leave out. */
function bare(folded: string): string {
  return (
    folded
      .trim()
      .replace(/^https?:\/\/(?:www\.)?/, '')
      // It begins only where a row of slashes does: otherwise a long row would be read once for each character.
      .replace(/(?<!\/)\/+$/, '')
  );
}

/** The body with null for entries about this person; undefined if they cannot be taken out by themselves. */
export function withoutPerson(
  body: JsonValue,
  isAbout: (value: JsonValue) => boolean,
): JsonValue | undefined {
  const blanked = (list: readonly JsonValue[]) =>
    list.map((entry) => (isAbout(entry) ? null : entry));
  if (Array.isArray(body)) return blanked(body);
  if (!isJsonObject(body)) return undefined;
  const rest = Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      Array.isArray(value) ? blanked(value) : value,
    ]),
  );
  return isAbout(rest) ? undefined : rest;
}
