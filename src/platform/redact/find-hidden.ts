// Finds hidden values in a text: as they are, as a URL or JSON spells them, and in any case.
import { madeOnce } from '../../model/made-once.js';
import { wellFormed } from '../wire/request.js';

/** Values that must not be repeated: inputs and credentials. */
export type Hidden = readonly string[];

/** A piece of a text: from its first position up to the one behind its last. */
export type Range = readonly [from: number, to: number];

/** A shorter value is hidden only as a word of its own: two letters of a name are in many a harmless word. */
const ANYWHERE_LENGTH_MIN = 8;
/** The limit for a hidden value: a longer one is neither an input nor a secret. */
const VALUE_LENGTH_MAX = 8 * 1_024;
const ENDS_IN_LETTER = /[\p{L}\p{M}\p{N}]$/u;
const ENDS_IN_ESCAPE = /(%[\da-f]{2}|\\[bfnrt]|\\u[\da-f]{4})$/;
const BEGINS_WITH_LETTER = /^[\p{L}\p{M}\p{N}]/u;

export function findHidden(text: string, hidden: Hidden): Range[] {
  const folded = fold(text);
  const ranges = spellingsOf(hidden).flatMap((spelling) => [...findAll(folded, spelling)]);
  const apart: Range[] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = apart.at(-1);
    if (last === undefined || from >= last[1]) apart.push([from, to]);
    else apart[apart.length - 1] = [last[0], Math.max(last[1], to)];
  }
  return apart;
}

interface Spelling {
  readonly text: string;
  readonly isWord: boolean;
}

// Those of each list: a bulk call hides thousands of values, for each of its entries.
const spellingsOf = madeOnce((hidden: Hidden): readonly Spelling[] => {
  const spellings = new Map<string, Spelling>();
  for (const value of hidden) {
    if (value.length < 2 || value.length > VALUE_LENGTH_MAX) continue;
    const isWord = value.length < ANYWHERE_LENGTH_MIN;
    for (const text of spell(value).map(fold)) spellings.set(text, { text, isWord });
  }
  return [...spellings.values()];
});

function spell(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const inAscii = inJson.replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const inUrl = encodeURIComponent(wellFormed(value));
  const inForm = new URLSearchParams({ '': value }).toString().slice(1);
  return [value, inJson, inJson.replaceAll('/', '\\/'), inAscii, inUrl, inForm];
}

/** In lower case, but for letters that would become longer: positions stay. */
function fold(text: string): string {
  return text.replaceAll(/\p{Lu}+/gu, (letters) => {
    const lower = letters.toLowerCase();
    return lower.length === letters.length ? lower : letters;
  });
}

function* findAll(text: string, spelling: Spelling): Generator<Range> {
  const { length } = spelling.text;
  for (let at = text.indexOf(spelling.text); at !== -1; ) {
    const end = at + length;
    const isFound = !spelling.isWord || isWordAt(text, at, end);
    if (isFound) yield [at, end];
    at = text.indexOf(spelling.text, isFound ? end : at + 1);
  }
}

function isWordAt(text: string, at: number, end: number): boolean {
  const before = text.slice(Math.max(0, at - '\\u0000'.length), at);
  const isWithin = ENDS_IN_LETTER.test(before) && !ENDS_IN_ESCAPE.test(before);
  return !isWithin && !BEGINS_WITH_LETTER.test(text.slice(end, end + 2));
}
