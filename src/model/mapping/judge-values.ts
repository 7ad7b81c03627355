// Judges by the first records whether values are what a header says (docs/jobs.md, Which column is what).
import type { ColumnInput } from '../ask.js';
import type { SourceRecord } from '../lead.js';
import { type DomainOwner, normaliseInput, type RegistrableDomain } from '../normalise.js';
import { hasLegalForm } from '../text/company-name.js';
import { isNamePrefix, splitName } from '../text/split-name.js';
import { inputText, isProfile } from './column-kinds.js';

export interface FirstValues {
  readonly records: readonly SourceRecord[];
  readonly registrableDomain: RegistrableDomain;
  readonly domainOwner: DomainOwner;
}

const PERSON_WORDS_MAX = 6;
const RECORDS_MAX = 100;
/** The least number of values that cannot be the input: fewer say nothing about a column. */
const UNFIT_MIN = 3;

/** The column of these whose values fit best; -1 if none fits. Of two that fit nearly as well, the first. */
export function bestByValues(
  input: ColumnInput,
  indices: readonly number[],
  firstValues: FirstValues,
): number {
  const judged = indices
    .map((index) => ({ index, ...judgeValues(input, index, firstValues) }))
    .filter(({ fit, unfit }) => unfit < UNFIT_MIN || unfit <= fit);
  // The share counts in tenths of the records, so that a few empty cells more or less change nothing.
  const share = ({ fit }: { readonly fit: number }) =>
    Math.round((10 * fit) / Math.max(1, whole(firstValues).length));
  return judged.toSorted((a, b) => share(b) - share(a))[0]?.index ?? -1;
}

/** The share of the filled values, 0 to 1, that can be the input: a person's profile, a whole name of two words. */
export function shareThatFits(input: ColumnInput, index: number, firstValues: FirstValues): number {
  const filled = textsOf(input, index, firstValues).filter((text) => text.trim() !== '');
  const isSure = input === 'socialUrl' || input === 'fullName';
  const fit = filled.filter((text) =>
    isSure ? isSurely(input, text) : isFit(input, text, firstValues) === true,
  );
  return filled.length === 0 ? 0 : fit.length / filled.length;
}

/** The first of these columns with mostly values that can be nothing else; -1 if there is none. */
export function surelyByValues(
  input: ColumnInput,
  indices: readonly number[],
  firstValues: FirstValues,
): number {
  const isSure = (index: number) => {
    const filled = textsOf(input, index, firstValues).filter((text) => text.trim() !== '');
    const sure = filled.filter((text) => isSurely(input, text));
    return sure.length * 2 > filled.length;
  };
  return indices.find(isSure) ?? -1;
}

function judgeValues(
  input: ColumnInput,
  index: number,
  firstValues: FirstValues,
): { readonly fit: number; readonly unfit: number } {
  const verdicts = textsOf(input, index, firstValues).map((text) =>
    isFit(input, text, firstValues),
  );
  const count = (wanted: boolean) => verdicts.filter((one) => one === wanted).length;
  return { fit: count(true), unfit: count(false) };
}

function whole({ records }: FirstValues): readonly SourceRecord[] {
  return records.filter(({ flaw }) => flaw === undefined).slice(0, RECORDS_MAX);
}

/** An object or a list cannot be an input, so it counts as a text that is not a word. */
function textsOf(input: ColumnInput, index: number, firstValues: FirstValues): string[] {
  return whole(firstValues).map(({ cells }) => inputText(input, cells[index]) ?? '0');
}

function isFit(input: ColumnInput, text: string, firstValues: FirstValues): boolean | undefined {
  const { domainOwner, registrableDomain } = firstValues;
  const kind = input === 'fullName' || input === 'lastNamePrefix' ? 'lastName' : input;
  const normalised = normaliseInput(kind, text, registrableDomain, domainOwner);
  if (normalised.kind === 'empty') return undefined;
  // A domain that many share says nothing; a person's profile shows that the column holds profiles.
  if (normalised.kind === 'left_out')
    return input === 'socialUrl' || isProfile(text.trim()) ? false : undefined;
  if (normalised.kind === 'malformed') return false;
  switch (input) {
    case 'email':
    case 'socialUrl':
      return true;
    case 'companyDomain':
      return !text.includes('@');
    case 'firstName':
    case 'lastName':
      return isWording(text);
    case 'lastNamePrefix':
      return isNamePrefix(text) || (isWording(text) && text === text.toLowerCase());
    case 'fullName':
      return isWording(text) && !isCompany(text);
    case 'companyName':
      return isWording(text) && !ID.test(text.trim());
  }
}

/** `0015g00000XyZabAAB`, `ACC-00123`, a UUID. */
const ID = /^(?=[^\d]*\d)[\da-z_-]{15,}$|^[a-z]{0,4}[-_ ]?\d{3,}$/i;
const YES_OR_NO = /^(yes|no|true|false|ja|nein|oui|non|sí|si|y|n)$/i;

function isWording(text: string): boolean {
  return /\p{L}/u.test(text) && !/@|:\/\//.test(text) && !YES_OR_NO.test(text.trim());
}

function isSurely(input: ColumnInput, text: string): boolean {
  if (input === 'socialUrl') return isProfile(text.trim());
  if (input === 'fullName') return isPerson(text);
  if (input === 'lastNamePrefix') return isNamePrefix(text);
  if (input === 'lastName') return isWording(text) && !/[\s\d]/.test(text.trim());
  return input === 'companyName' && isCompany(text);
}

/** Whether the text is a first and a last name, and not much more. */
function isPerson(text: string): boolean {
  const { firstName, lastName } = splitName(text);
  if (firstName === undefined || lastName === undefined) return false;
  const count = `${firstName} ${lastName}`.split(' ').length;
  return count <= PERSON_WORDS_MAX && isWording(text) && !/\d/.test(text) && !isCompany(text);
}

function isCompany(text: string): boolean {
  return hasLegalForm(text) || /[\s,](group|holdings?)\W*$/i.test(text);
}
