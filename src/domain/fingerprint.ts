// The identity of an enrichment: normalised inputs, what is asked, and the account it is asked from.
import { ASKS, type EnrichmentRequest, INPUTS, type InputName } from './ask.js';

/** Raised when the canonical text changes its meaning: results paid for under another version are not found. */
const VERSION = 1;

/**
 * The text whose digest is the fingerprint. It ignores case, repeated white space and, in a profile
 * URL, the scheme and `www.`, so that two spellings of one lead are one payment.
 */
export function canonicalText(request: EnrichmentRequest, account: string): string {
  const ask = ASKS.filter((one) => request.ask.includes(one));
  const inputs = INPUTS.map((name) => fold(name, request.inputs[name]));
  return JSON.stringify([VERSION, account, ask, inputs]);
}

function fold(name: InputName, value: string | undefined): string | null {
  if (value === undefined) return null;
  const folded = value.toLowerCase().normalize('NFC').replace(/\s+/gu, ' ');
  return name === 'socialUrl' ? folded.replace(/^https?:\/\/(www\.)?/, '') : folded;
}
