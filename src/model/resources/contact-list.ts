// The contact lists of the platform, and their members (docs/platform-api.md, Contact list).

import type { LeadAnswer } from '../answer.js';
import { SluiceError } from '../errors.js';
import { normaliseInput, type RegistrableDomain } from '../normalise.js';
import { formatCount } from '../text/count.js';

export interface ContactList {
  /** `clt_…` */
  readonly id: string;
  readonly name: string;
}

/** One contact, as far as it is known (docs/platform-api.md, POST /contacts/lists/{listId}/entities). */
export interface ListMember {
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly socialUrl?: string;
  readonly companyName?: string;
}

/** The numbers of members that were added. */
export interface ListAddition {
  readonly added: number;
  /** Members that were in the list already: adding is repeatable. */
  readonly alreadyIn: number;
}

/**
 * It is sent unchanged: no platform has an id that is empty, or that holds blanks or control characters.
 * @throws SluiceError `usage`
 */
export function demandListId(text: string): string {
  const flaw =
    text === ''
      ? 'The id of the contact list is empty.'
      : 'The id of a contact list has no blanks or control characters in it.';
  if (text !== '' && !/[\s\p{Cc}\p{Cf}]/u.test(text)) return text;
  throw new SluiceError('usage', `${flaw} It is written like clt_5f2c.`);
}

/** The possible texts for each part of a member, the best first. */
export type MemberTexts = ReadonlyMap<keyof ListMember, readonly (string | undefined)[]>;

/**
 * Each part is the first of its texts that a lead could be asked by. A malformed address counts as absent: the platform
 * refuses a whole call for it. Undefined without address and profile, by which alone it is identified.
 */
export function memberOf(
  texts: MemberTexts,
  registrableDomain: RegistrableDomain,
): ListMember | undefined {
  const member: Partial<Record<keyof ListMember, string>> = {};
  for (const [name, candidates] of texts) {
    for (const text of candidates) {
      const normalised = normaliseInput(name, text ?? '', registrableDomain);
      if (normalised.kind !== 'value') continue;
      member[name] = normalised.value;
      break;
    }
  }
  return member.email === undefined && member.socialUrl === undefined ? undefined : member;
}

/** The member of a lead, from the values that were found or else from its inputs; undefined as for `memberOf`. */
export function toMember(
  { inputs, result }: LeadAnswer,
  registrableDomain: RegistrableDomain,
): ListMember | undefined {
  const profile = result?.social_enrichment;
  const texts: MemberTexts = new Map([
    ['email', [result?.find_email?.email, inputs.email]],
    ['socialUrl', [profile?.socialUrl, inputs.socialUrl]],
    ['firstName', [profile?.firstName, inputs.firstName]],
    ['lastName', [profile?.lastName, inputs.lastName]],
    ['companyName', [profile?.companyName, inputs.companyName]],
  ]);
  return memberOf(texts, registrableDomain);
}

/** With its lines (`lines 2 to 4`) and the number of members added before. Any error but a SluiceError stays. */
export function failedAddition(failure: unknown, source: string, added: number): unknown {
  if (!(failure instanceof SluiceError)) return failure;
  const before = added === 0 ? 'none was' : formatCount(added, 'was', 'were');
  return failure.amended(`That call had people from ${source}; ${before} added before it.`);
}
