// People who must never be asked for: the identifiers by which they are known again, in the spelling that fingerprints
// compare (fingerprint.ts). A state keeps only keyed digests of these texts.

import type { LeadEntry } from '../ports/store/enrichments.js';
import type { LeadAnswer } from './answer.js';
import type { InputName, Inputs } from './ask.js';
import { fold } from './fingerprint.js';
import { normaliseInput } from './normalise.js';
import type { Result } from './result.js';
import type { JsonValue } from './text/json.js';

/** It rises when the text of an identifier changes its meaning: a digest of an earlier version is not found. */
export const SUPPRESSION_RULE = 1;

export const IDENTIFIER_KINDS = ['email', 'profile', 'name', 'domain'] as const;
/** `name`: of a person, with the company. `domain`: of all people of a company. */
export type IdentifierKind = (typeof IDENTIFIER_KINDS)[number];

export interface Identifier {
  readonly kind: IdentifierKind;
  readonly text: string;
}

const WORD = 'suppressed';

/** The reason of a row, as in `suppressed: asked us to`; the reason that was given may be empty. */
export function suppressedReason(given: string): string {
  return given === '' ? WORD : `${WORD}: ${given}`;
}

export function isSuppressed({ reason, status }: Pick<LeadAnswer, 'status' | 'reason'>): boolean {
  return status === 'skipped' && (reason === WORD || reason?.startsWith(`${WORD}: `) === true);
}

export function skipFor(
  lead: LeadEntry,
  suppression: { readonly reason: string } | undefined,
): LeadEntry {
  if (suppression === undefined) return lead;
  const { cells, line, position, source } = lead;
  const note = suppressedReason(suppression.reason);
  return { position, source, line, cells, kind: 'skipped', note };
}

/** The identifiers of one person among these inputs. A domain is none: it is that of other people too. */
export function personIn(inputs: Inputs): Identifier[] {
  const { companyDomain, companyName, email, firstName = '', lastName, socialUrl } = inputs;
  const named = (company: InputName, value: string | undefined) =>
    lastName === undefined || value === undefined
      ? []
      : [
          identifier(
            'name',
            fold('firstName', firstName),
            fold('lastName', lastName),
            fold(company, value),
          ),
        ];
  return [
    ...(email === undefined ? [] : [identifier('email', fold('email', email))]),
    ...(socialUrl === undefined ? [] : [identifier('profile', fold('socialUrl', socialUrl))]),
    ...named('companyDomain', companyDomain),
    ...named('companyName', companyName),
  ];
}

/** The identifiers to suppress if a user names these inputs: a person, or else all people of a domain. */
export function namedBy(inputs: Inputs): Identifier[] {
  const person = personIn(inputs);
  const { companyDomain, companyName: _name, ...rest } = inputs;
  return companyDomain === undefined || Object.keys(rest).length > 0
    ? person
    : [identifier('domain', fold('companyDomain', companyDomain))];
}

export function identifiersOfLead(lead: LeadEntry): Identifier[] {
  if (lead.kind !== 'asked') return [];
  return [...identifiersOf(lead.known ?? lead.request.inputs), ...peopleInCells(lead.cells)];
}

const CELL_LENGTH_MAX = 2_000;
const CELL_LEVELS_MAX = 4;

/** The people whose addresses are anywhere in the cells of a line, whether or not its columns are asked by. */
export function peopleInCells(cells: readonly JsonValue[]): Identifier[] {
  const words = cells.flatMap((cell) => textsIn(cell, CELL_LEVELS_MAX)).flatMap(wordsOf);
  return words.flatMap((word) =>
    personIn(keptInputs(word.includes('@') ? { email: word } : { socialUrl: word })),
  );
}

function textsIn(cell: JsonValue, levels: number): string[] {
  if (typeof cell === 'string') return [cell];
  if (typeof cell !== 'object' || cell === null || levels === 0) return [];
  return Object.values(cell).flatMap((inner: JsonValue) => textsIn(inner, levels - 1));
}

function wordsOf(text: string): string[] {
  if (!text.includes('@') && !text.includes('/')) return [];
  const words = text.slice(0, CELL_LENGTH_MAX).split(/[\s,;<>"'()]/);
  return words
    .map((word) => word.replace(/^mailto:/i, ''))
    .filter((word) => word.includes('@') || word.includes('/'));
}

/** All identifiers by which a lead with these inputs may be suppressed: also the domains that its addresses are of. */
export function identifiersOf(inputs: Inputs): Identifier[] {
  const { companyDomain, email, socialUrl } = inputs;
  const hosts = [
    companyDomain === undefined ? '' : fold('companyDomain', companyDomain),
    email === undefined ? '' : (fold('email', email).split('@').at(-1) ?? ''),
    socialUrl === undefined ? '' : (fold('socialUrl', socialUrl).split(/[/:?#]/, 1)[0] ?? ''),
  ];
  const domains = new Set(hosts.flatMap(domainsAbove));
  return [...personIn(inputs), ...Array.from(domains, (domain) => identifier('domain', domain))];
}

export function foundAddresses(result: Result): Inputs {
  return keptInputs({
    email: result.find_email?.email,
    socialUrl: result.social_enrichment?.socialUrl,
  });
}

export function foundPerson(result: Result): Inputs {
  const { companyDomain, companyName, firstName, lastName } = result.social_enrichment ?? {};
  const inputs = { companyDomain, companyName, firstName, lastName };
  return { ...foundAddresses(result), ...keptInputs(inputs) };
}

/** The values that can be inputs, as `normaliseInput` makes them. A host may have more labels than its domain. */
export function keptInputs(
  values: Readonly<Partial<Record<InputName, string | undefined>>>,
): Inputs {
  const inputs: Partial<Record<InputName, string>> = {};
  for (const [name, value] of Object.entries(values) as [InputName, string | undefined][]) {
    if (value === undefined) continue;
    const normalised = normaliseInput(name, value, (host) => host.replace(/^www\./, ''));
    if (normalised.kind === 'value') inputs[name] = normalised.value;
  }
  return inputs;
}

function identifier(kind: IdentifierKind, ...values: readonly string[]): Identifier {
  return { kind, text: JSON.stringify([SUPPRESSION_RULE, kind, ...values]) };
}

/** A host, and each domain above it. At most ten: a longer name is in a domain of its last ones. */
function domainsAbove(host: string): string[] {
  const labels = host.split('.').slice(-10);
  return labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'));
}
