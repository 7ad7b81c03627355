// The identity of an enrichment: normalised inputs, what is asked, and the account it is asked from.
import { ASKS, type EnrichmentRequest, INPUTS, type InputName, type Inputs } from './ask.js';
import { isAscii, withoutIgnorable, withPlainApostrophes } from './normalise.js';

/** Raised when the canonical text changes its meaning: results paid for under another version are not found. */
const VERSION = 1;

const NAMES: ReadonlySet<InputName> = new Set(['firstName', 'lastName', 'companyName']);

/**
 * The text whose digest is the fingerprint. It ignores case, repeated white space and, in a profile
 * URL, the scheme and `www.`, so that two spellings of one lead are one payment. In names it also ignores
 * invisible characters, the form of an apostrophe, and whether letters are full-width.
 */
export function canonicalText(request: EnrichmentRequest, account: string): string {
  return textOf(request, account, fold);
}

/**
 * The text that releases up to 0.1.0 made: what they paid for is found by it. It never changes:
 * test/model/former-fingerprints.json was written by them.
 */
export function formerCanonicalText(request: EnrichmentRequest, account: string): string {
  return textOf(request, account, formerFold);
}

/** Whether both make the same of these inputs, which spares most leads the second text. */
export function foldsAsFormerly(inputs: Inputs): boolean {
  for (const name of NAMES) {
    const value = inputs[name];
    if (value !== undefined && !isAscii(value)) return false;
  }
  return true;
}

type Fold = (name: InputName, value: string) => string;

function textOf({ ask, inputs }: EnrichmentRequest, account: string, folded: Fold): string {
  const asked = ASKS.filter((one) => ask.includes(one));
  const values = INPUTS.map((name) => {
    const value = inputs[name];
    return value === undefined ? null : folded(name, value);
  });
  return JSON.stringify([VERSION, account, asked, values]);
}

function fold(name: InputName, value: string): string {
  return formerFold(name, NAMES.has(name) ? foldName(value) : value);
}

function foldName(value: string): string {
  if (isAscii(value)) return value.trim();
  const seen = withPlainApostrophes(withoutIgnorable(value)).normalize('NFKC');
  // Raised first, since only so ß and SS, or both forms of sigma, become one.
  const folded = seen.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
  return withPlainApostrophes(folded).trim();
}

function formerFold(name: InputName, value: string): string {
  const lower = value.toLowerCase();
  const folded = isAscii(lower)
    ? lower.replace(/ {2,}/g, ' ')
    : lower.normalize('NFC').replace(/\s+/gu, ' ');
  return name === 'socialUrl' ? folded.replace(/^https?:\/\/(www\.)?/, '') : folded;
}
