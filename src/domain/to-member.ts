// A lead as a contact list takes it: what was found, and where that is silent, what was known before.
import type { LeadAnswer } from './answer.js';
import type { ListMember } from './contact-list.js';

/** Undefined where nothing would tell the platform who it is: neither an e-mail address nor a profile. */
export function toMember({ inputs, result }: LeadAnswer): ListMember | undefined {
  const profile = result?.social_enrichment;
  const email = result?.find_email?.email ?? inputs.email;
  const socialUrl = profile?.socialUrl ?? inputs.socialUrl;
  if (email === undefined && socialUrl === undefined) return undefined;
  const member = {
    email,
    socialUrl,
    firstName: profile?.firstName ?? inputs.firstName,
    lastName: profile?.lastName ?? inputs.lastName,
    companyName: profile?.companyName ?? inputs.companyName,
  };
  return Object.fromEntries(
    Object.entries(member).filter(([, value]) => value !== undefined),
  ) as ListMember;
}
