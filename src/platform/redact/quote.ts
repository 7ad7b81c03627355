// Quotes what a platform said, without persons: error texts go to logs and reports, which hold no person and no
// credential (docs/guarantees.md, Secrets and people stay inside).
import { findHidden, type Hidden } from './find-hidden.js';

const MASK = '[…]';
// The pattern begins only where a word begins: otherwise a long word would be read once for each letter.
const EMAIL = /(?<![^\s"'<>()=&?,;:])[^\s"'<>()=&?,;:]+(@|%40)[^\s"'<>()=&?,;:]+/gi;
const PHONE = /(?<![\w+])(\+[\d ().-]{6,}\d|\d{10,})(?!\w)/g;
/** C0 and C1 controls, and the marks that turn the direction of a terminal's text. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]+/gu;
/** A JSON string, or the part of it that is there; only a key has the group. It fits at each quotation mark. */
const JSON_STRING = /"(?:[^"\\]|\\[^])*(?:"|\\?$)(\s*:)?/g;
/** The length of the part of a text that is looked at. */
const LOOKED_AT_MAX = 16 * 1_024;
/** The end of that part may go on behind it, and is not quoted. */
const CUT_LENGTH = 8 * 1_024;

/** One line of `text`, at most `lengthMax` characters, with hidden values, e-mails and phone numbers masked. */
export function quoteText(text: string, hidden: Hidden, lengthMax: number): string {
  return quoteMasked(maskHidden(text, hidden), text.length > LOOKED_AT_MAX, lengthMax);
}

function quoteMasked(masked: string, isCut: boolean, lengthMax: number): string {
  const line = inOneLine(masked).replace(EMAIL, MASK).replace(PHONE, MASK);
  if (line.length > lengthMax) {
    return `${line.slice(0, lengthMax - 1).replace(/[\ud800-\udbff]$/, '')}…`;
  }
  return isCut ? withoutLastWord(line) : line;
}

/** The part of a text that may be quoted: hidden values are masked before it is cut. */
function maskHidden(text: string, hidden: Hidden): string {
  const looked = text.slice(0, LOOKED_AT_MAX);
  const end = text.length <= LOOKED_AT_MAX ? looked.length : LOOKED_AT_MAX - CUT_LENGTH;
  let masked = '';
  let last = 0;
  for (const [from, to] of findHidden(looked, hidden)) {
    if (from >= end) break;
    masked += looked.slice(last, from) + MASK;
    last = to;
  }
  return masked + looked.slice(last, Math.max(last, end));
}

/** Drops the last word of a cut line, because the word or number that the cut goes through may be half an address. */
function withoutLastWord(line: string): string {
  const whole = line.slice(0, Math.max(0, line.lastIndexOf(' '))).replace(/[+\d ().-]+$/, '');
  return whole === '' ? '' : `${whole} …`;
}

function inOneLine(text: string): string {
  return text.replace(CONTROLS, ' ').replaceAll(/\s+/g, ' ').trim();
}

/** The first characters of a body that could not be read; of JSON only its shape, because its values may be persons. */
export function quoteBody(text: string, hidden: Hidden, lengthMax = 80): string {
  const start = text.trimStart();
  if (start === '') return 'an empty body';
  const isJson = start.startsWith('{') || start.startsWith('[');
  const masked = maskHidden(start, hidden);
  const isCut = start.length > LOOKED_AT_MAX;
  return `"${quoteMasked(isJson ? shapeOf(masked) : masked, isCut, lengthMax)}"`;
}

function shapeOf(json: string): string {
  return json.replace(JSON_STRING, (whole: string, colon?: string) =>
    colon === undefined ? '"…"' : whole,
  );
}
