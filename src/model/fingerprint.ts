// The identity of an enrichment: normalised inputs, the asks, and the account.
import { type Ask, type EnrichmentRequest, INPUTS, type InputName, inOrder } from './ask.js';
import { isAscii, withoutIgnorable, withPlainApostrophes } from './normalise.js';

/**
 * The version; it rises when the canonical text changes its meaning: results paid for under another version are not
 * found.
 */
const VERSION = 1;

/** The definition of each custom ask: all of it that decides which values it means. */
export type Definitions = Readonly<Record<Ask, string>>;

const NAMES: ReadonlySet<InputName> = new Set(['firstName', 'lastName', 'companyName']);

/**
 * The text whose digest is the fingerprint. It ignores case, repeated white space and, in a profile
 * URL, the scheme and `www.`, so that two spellings of one lead are one payment. In names it also ignores
 * invisible characters, the form of an apostrophe, and whether letters are full-width. A custom ask counts with its
 * definition: another definition is another question.
 */
export function canonicalText(
  { ask, inputs }: EnrichmentRequest,
  account: string,
  definitions: Definitions = {},
): string {
  const asked = inOrder(ask).map((one) => {
    const definition = definitions[one];
    return definition === undefined ? one : [one, definition];
  });
  const values = INPUTS.map((name) => {
    const value = inputs[name];
    return value === undefined ? null : fold(name, value);
  });
  return JSON.stringify([VERSION, account, asked, values]);
}

/** The one spelling of a value, by which it is compared. */
export function fold(name: InputName, value: string): string {
  const lower = (NAMES.has(name) ? foldName(value) : value).toLowerCase();
  const folded = isAscii(lower)
    ? lower.replace(/ {2,}/g, ' ')
    : lower.normalize('NFC').replace(/\s+/gu, ' ');
  return name === 'socialUrl' ? folded.replace(/^https?:\/\/(www\.)?/, '') : folded;
}

function foldName(value: string): string {
  if (isAscii(value)) return value.trim();
  const seen = withPlainApostrophes(withoutIgnorable(value)).normalize('NFKC');
  // Upper case comes first, because only that makes one text of ß and SS, or of both forms of sigma.
  const folded = seen.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
  return withPlainApostrophes(folded).trim();
}
