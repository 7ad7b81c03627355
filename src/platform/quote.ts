// Quoting what a platform said without quoting whom it said it about: error texts go to logs and
// reports, and carry ids and facts, never persons or credentials (design.md, invariant 9).
import { encode } from './address.js';

/** What must not be repeated: input values and credentials. */
export type Hidden = readonly string[];

const MASK = '[…]';
const EMAIL = /[^\s"'<>()=&?,;:]+(@|%40)[^\s"'<>()=&?,;:]+/gi;
const PHONE = /(?<![\w+])(\+[\d ().-]{6,}\d|\d{10,})(?!\w)/g;
/** C0 and C1 controls, and the marks that turn the direction of a terminal's text. */
const CONTROLS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
/** A JSON string; its third group tells a key from a value. */
const JSON_STRING = /"((?:[^"\\]|\\.)*)("|$)(\s*:)?/g;
/** Beyond this nothing of a text is looked at. */
const LOOKED_AT_MAX = 2_000;

/** One line of `text`, at most `lengthMax` characters, with hidden values, e-mails and phone numbers masked. */
export function quoteText(text: string, hidden: Hidden, lengthMax: number): string {
  const line = text.slice(0, LOOKED_AT_MAX).replace(CONTROLS, ' ').replaceAll(/\s+/g, ' ').trim();
  const masked = maskValues(line, hidden).replace(EMAIL, MASK).replace(PHONE, MASK);
  if (masked.length <= lengthMax) return masked;
  return `${masked.slice(0, lengthMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The first characters of a body that could not be read; of JSON only its shape, for its values are persons. */
export function quoteBody(text: string, hidden: Hidden, lengthMax = 80): string {
  const start = text.slice(0, LOOKED_AT_MAX).trimStart();
  if (start === '') return 'an empty body';
  const isJson = start.startsWith('{') || start.startsWith('[');
  return `"${quoteText(isJson ? shapeOf(start) : start, hidden, lengthMax)}"`;
}

function shapeOf(json: string): string {
  return json.replace(JSON_STRING, (whole: string, _text: string, _end: string, colon?: string) =>
    colon === undefined ? '"…"' : whole,
  );
}

function maskValues(line: string, hidden: Hidden): string {
  const values = hidden
    .flatMap((value) => [value, encode(value), encode(value).replaceAll('%20', '+')])
    .filter((value) => value.length > 1)
    .sort((a, b) => b.length - a.length);
  let masked = line;
  for (const value of new Set(values)) {
    // Only whole words: a first name of two letters stands inside many a harmless word.
    const pattern = `(?<![\\p{L}\\p{N}])${escapePattern(value)}(?![\\p{L}\\p{N}])`;
    masked = masked.replaceAll(new RegExp(pattern, 'giu'), MASK);
  }
  return masked;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
