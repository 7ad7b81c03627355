// A lead as a contact list takes it: what was found, and where that is silent, what was known before.
import type { LeadAnswer } from '../answer.js';
import { normaliseInput, type RegistrableDomain } from '../normalise.js';
import type { ListMember } from './contact-list.js';

/** The texts that may be each part of a member, the best first. */
export type MemberTexts = ReadonlyMap<keyof ListMember, readonly (string | undefined)[]>;

/**
 * The first of the texts that a lead could be asked about as well: an address that is malformed counts as absent,
 * for the platform refuses a whole call for it. Undefined where nothing would tell the platform who it is: neither
 * an e-mail address nor a profile.
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

/** The member that a lead makes; undefined as for `memberOf`. */
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
