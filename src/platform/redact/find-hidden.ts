// Finds hidden values in a text, however they are escaped, composed, cased or broken into lines. The text is decoded
// with a way back to its positions, and hidden values are looked for in the decoded text.
import { ESCAPE, readingsOf, unescapeOne } from '../../model/text/escapes.js';
import { wellFormed } from '../wire/request.js';

/** Values that must not be repeated: inputs and credentials. */
export type Hidden = readonly string[];

/** A piece of a text: from its first position up to the one behind its last. */
export type Range = readonly [from: number, to: number];

/** A shorter value is hidden only as a word of its own: two letters of a name are in many a harmless word. */
const ANYWHERE_LENGTH_MIN = 8;
/** The limit for a hidden value: a longer one is neither an input nor a secret. */
const VALUE_LENGTH_MAX = 8 * 1_024;

/** The parts that are folded one by one: everything but the letters and signs of ASCII. */
const FOLDED = /[\s\p{Cc}]+|\+|[^\0-\x7f]/gu;
const BLANK = /^[\s\p{Cc}+]/u;
const IGNORABLE = /^\p{Default_Ignorable_Code_Point}$/u;
const ENDS_IN_LETTER = /[\p{L}\p{M}\p{N}]$/u;
const BEGINS_WITH_LETTER = /^[\p{L}\p{M}\p{N}]/u;

/** One spelling of a value, folded like the texts that are searched. */
interface Needle {
  readonly text: string;
  readonly isWord: boolean;
}

/** The spellings to look for in a text with single blanks, and in one without any, such as base64 in lines. */
interface Needles {
  readonly spaced: readonly Needle[];
  readonly dense: readonly Needle[];
}

/** A text made from another text, with the range in the other text for each of its units. */
interface Traced {
  readonly text: string;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** The ranges of hidden values, in the order of their beginnings; overlapping ones are joined. */
export function findHidden(text: string, hidden: Hidden): Range[] {
  if (hidden.length === 0) return [];
  const needles = needlesOf(hidden);
  const ranges: Range[] = [];
  for (const reading of tracedReadings(text)) {
    ranges.push(...findAll(folded(reading, ' '), needles.spaced));
    ranges.push(...findAll(folded(reading, ''), needles.dense));
  }
  return withoutOverlaps(ranges);
}

// The needles of each list: a bulk call hides thousands of values, for each of its entries.
const known = new WeakMap<Hidden, Needles>();

function needlesOf(hidden: Hidden): Needles {
  const before = known.get(hidden);
  if (before !== undefined) return before;
  const spaced = new Map<string, Needle>();
  const dense = new Map<string, Needle>();
  for (const value of hidden.filter(({ length }) => length <= VALUE_LENGTH_MAX)) {
    for (const reading of readingsOf(value)) {
      const text = fold(reading, ' ');
      const isWord = reading.length < ANYWHERE_LENGTH_MIN;
      if (text.length > 1 && reading.length > 1) spaced.set(text, { text, isWord });
      const close = fold(reading, '');
      if (close.length >= ANYWHERE_LENGTH_MIN) dense.set(close, { text: close, isWord: false });
    }
  }
  const needles = { spaced: [...spaced.values()], dense: [...dense.values()] };
  known.set(hidden, needles);
  return needles;
}

function fold(text: string, blank: string): string {
  return inCapitals(text.replace(FOLDED, (sign) => foldSign(sign, blank)));
}

/** Changes only letters of ASCII, so that no text becomes longer. */
function inCapitals(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** Gives two signs that are read as one the same form: in a form, a plus is a blank as well. */
function foldSign(sign: string, blank: string): string {
  if (BLANK.test(sign)) return blank;
  if (IGNORABLE.test(sign)) return '';
  return wellFormed(sign).normalize('NFKD').toLowerCase().toUpperCase();
}

function folded(reading: Traced, blank: string): Traced {
  const { text, ...traces } = rewrite(reading, FOLDED, (sign) => foldSign(sign, blank));
  return { text: inCapitals(text), ...traces };
}

/** As `readingsOf`. */
function* tracedReadings(text: string): Generator<Traced> {
  const from = Array.from({ length: text.length }, (_, i) => i);
  let reading: Traced = { text, from, to: from.map((i) => i + 1) };
  for (const next of readingsOf(text)) {
    if (next !== reading.text) reading = rewrite(reading, ESCAPE, unescapeOne);
    yield reading;
  }
}

function rewrite(
  { text, from, to }: Traced,
  pattern: RegExp,
  replace: (found: string) => string,
): Traced {
  const traced: { from: number[]; to: number[] } = { from: [], to: [] };
  let written = '';
  let last = 0;
  const keepUntil = (end: number): void => {
    written += text.slice(last, end);
    for (; last < end; last += 1) {
      traced.from.push(from[last] ?? 0);
      traced.to.push(to[last] ?? 0);
    }
  };
  for (const { 0: found, index } of text.matchAll(pattern)) {
    keepUntil(index);
    last = index + found.length;
    const instead = replace(found);
    written += instead;
    for (let i = 0; i < instead.length; i += 1) {
      traced.from.push(from[index] ?? 0);
      traced.to.push(to[last - 1] ?? 0);
    }
  }
  keepUntil(text.length);
  return { text: written, ...traced };
}

function* findAll({ text, from, to }: Traced, needles: readonly Needle[]): Generator<Range> {
  for (const needle of needles) {
    const { length } = needle.text;
    for (let at = text.indexOf(needle.text); at !== -1; ) {
      const end = at + length;
      const isFound = !needle.isWord || isWordAt(text, at, end);
      if (isFound) yield [from[at] ?? 0, to[end - 1] ?? 0];
      at = text.indexOf(needle.text, isFound ? end : at + 1);
    }
  }
}

function isWordAt(text: string, at: number, end: number): boolean {
  const isWithin = ENDS_IN_LETTER.test(text.slice(Math.max(0, at - 2), at));
  return !isWithin && !BEGINS_WITH_LETTER.test(text.slice(end, end + 2));
}

function withoutOverlaps(ranges: readonly Range[]): Range[] {
  const apart: Range[] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = apart.at(-1);
    if (last !== undefined && from < last[1])
      apart[apart.length - 1] = [last[0], Math.max(last[1], to)];
    else apart.push([from, to]);
  }
  return apart;
}
