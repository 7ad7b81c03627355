// Quotes what a platform said, but not whom it said it about: error texts go to logs and reports, which
// hold no person and no credential (docs/guarantees.md, Secrets and people stay inside).
import { escapePattern } from '../../model/text/escape-pattern.js';
import { encode } from '../wire/address.js';

/** What must not be repeated: input values and credentials. */
export type Hidden = readonly string[];

const MASK = '[…]';
// It is looked for only where a word begins: a long word would else be gone through once for each letter.
const EMAIL = /(?<![^\s"'<>()=&?,;:])[^\s"'<>()=&?,;:]+(@|%40)[^\s"'<>()=&?,;:]+/gi;
const PHONE = /(?<![\w+])(\+[\d ().-]{6,}\d|\d{10,})(?!\w)/g;
/** C0 and C1 controls, and the marks that turn the direction of a terminal's text. */
const CONTROLS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
/** A JSON string; its third group tells a key from a value. */
const JSON_STRING = /"((?:[^"\\]|\\.)*)("|$)(\s*:)?/g;
/** A shorter value is hidden only as a word of its own: two letters of a name stand in many a harmless word. */
const ANYWHERE_LENGTH_MIN = 8;
/** Beyond this nothing of a text is looked at. */
const LOOKED_AT_MAX = 2_000;

/** One line of `text`, at most `lengthMax` characters, with hidden values, e-mails and phone numbers masked. */
export function quoteText(text: string, hidden: Hidden, lengthMax: number): string {
  const line = inOneLine(text.slice(0, LOOKED_AT_MAX));
  const masked = maskValues(line, hidden).replace(EMAIL, MASK).replace(PHONE, MASK);
  if (masked.length <= lengthMax) return masked;
  return `${masked.slice(0, lengthMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function inOneLine(text: string): string {
  return text.replace(CONTROLS, ' ').replaceAll(/\s+/g, ' ').trim();
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
  const folded = fold(line);
  const values = hidden
    .flatMap(writtenForms)
    // Of a bulk call thousands of values are hidden, and hardly one of them is there.
    .filter((value) => value.length > 1 && folded.includes(fold(value)))
    .sort((a, b) => b.length - a.length);
  let masked = line;
  for (const value of new Set(values)) {
    const inner = escapePattern(value);
    const isAnywhere = value.length >= ANYWHERE_LENGTH_MIN;
    const pattern = isAnywhere ? inner : `(?<![\\p{L}\\p{N}])${inner}(?![\\p{L}\\p{N}])`;
    masked = masked.replaceAll(new RegExp(pattern, 'giu'), MASK);
  }
  return masked;
}

/** Equal for two texts that a regular expression takes for equal when it ignores case. */
function fold(text: string): string {
  return text.toLowerCase().toUpperCase();
}

/** As it is, in a URL, in a form, and in JSON. */
function writtenForms(value: string): string[] {
  const inUrl = encode(value);
  const inJson = JSON.stringify(value).slice(1, -1);
  const forms = [value, inUrl, inUrl.replaceAll('%20', '+'), inJson];
  // What is quoted has its blanks told as one.
  return inOneLine(value) === value ? forms : [...forms, ...forms.map(inOneLine)];
}
