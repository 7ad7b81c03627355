// The identity of an enrichment: normalised inputs, the asks, and the account.
import { type Ask, type EnrichmentRequest, INPUTS, type InputName, inOrder } from './ask.js';
import { isAscii, withoutIgnorable, withPlainSigns } from './normalise.js';
import { decoded } from './text/address.js';
import { bareCompany } from './text/company-name.js';

/** It rises when the canonical text changes its meaning: results paid for under another version are not found. */
const VERSION = 1;

/** The definition of each custom ask: all of it that decides which values it means. */
export type Definitions = Readonly<Record<Ask, string>>;

const NAMES: ReadonlySet<InputName> = new Set(['firstName', 'lastName', 'companyName']);

/**
 * The text whose digest is the fingerprint. Two spellings of one lead are one payment: it ignores case and repeated
 * white space; in names also invisible characters, the form of an apostrophe, and whether letters are full-width; of a
 * company also legal form and punctuation; of a profile all but the person. A custom ask counts with its definition:
 * another definition is another question.
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
  if (name === 'socialUrl') return foldProfile(value);
  const folded = plain(NAMES.has(name) ? foldName(value) : value);
  return name === 'companyName' ? bareCompany(folded) : folded;
}

function plain(value: string): string {
  const lower = value.toLowerCase();
  return isAscii(lower)
    ? lower.replace(/ {2,}/g, ' ')
    : lower.normalize('NFC').replace(/\s+/gu, ' ');
}

const LINKEDIN = /^https?:\/\/(?:[^/?]*\.)?linkedin\.com(?::\d+)?(?<path>\/[^?]*)(?<query>.*)$/i;
/** The person of a page, whatever its tab. */
const ON_LINKEDIN =
  /^\/(?:mwlite\/)?(?:in\/(?<slug>[^/]+)|sales\/(?:lead|people)\/(?<lead>[^/,]+))/i;
/** The number of a member, in which case counts. */
const MEMBER = /^AC[ow]A[\w-]{20,}$/;

/**
 * A profile of LinkedIn is its public name, and a number of its own kind: a public name and a number may be one person,
 * which only the platform knows. Other networks keep host and path.
 */
function foldProfile(value: string): string {
  const { path = '', query = '' } = LINKEDIN.exec(value)?.groups ?? {};
  if (path === '') return plain(value).replace(/^https?:\/\/(www\.)?/, '');
  const { lead, slug } = ON_LINKEDIN.exec(path)?.groups ?? {};
  if (lead !== undefined) return `linkedin.com/sales/${lead}`;
  // The parts of other pages, such as those of search and of recruiters, may be numbers.
  if (slug === undefined) return `linkedin.com${path}${query}`;
  return `linkedin.com/in/${MEMBER.test(slug) ? slug : plain(decoded(slug))}`;
}

function foldName(value: string): string {
  if (isAscii(value)) return value.trim();
  const seen = withPlainSigns(withoutIgnorable(value)).normalize('NFKC');
  // Upper case comes first, because only that makes one text of ß and SS, or of both forms of sigma.
  const folded = seen.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
  return withPlainSigns(folded).trim();
}
