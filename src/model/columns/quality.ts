// What came back, against what was asked about: flags that throw nothing away. They are true, false, or null where it
// cannot be said.
import type { LeadAnswer } from '../answer.js';
import { isRole, isSameCompany, isSameName } from '../enrichment/person.js';
import type { DomainOwner } from '../normalise.js';
import { isCurrent, orderPositions } from './positions.js';

type Answered = Pick<LeadAnswer, 'inputs' | 'result'>;

export function nameMatches({ inputs, result }: Answered): boolean | null {
  const { firstName, lastName } = result?.social_enrichment ?? {};
  return isSameName(inputs, {
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
  });
}

/** A person may have several current positions: one at the company suffices. */
export function companyMatches({ inputs, result }: Answered): boolean | null {
  const profile = result?.social_enrichment;
  if (profile === undefined) return null;
  const { companyDomain, companyName, companyWebsite } = profile;
  const current = orderPositions(profile.positionGroups).filter(({ date }) => isCurrent(date));
  const companies = [
    { domain: companyDomain, name: companyName, website: companyWebsite },
    ...current.map(({ group }) => group.company),
  ];
  const told = companies.map(({ domain, name, website }) => {
    const host = hostOf(domain) ?? hostOf(website);
    return isSameCompany(inputs, {
      ...(host !== undefined && { companyDomain: host }),
      ...(name !== undefined && { companyName: name }),
    });
  });
  return told.includes(true) ? true : told.includes(false) ? false : null;
}

function hostOf(text = ''): string | undefined {
  return /^(?:https?:\/\/)?(?:www\.)?([^/?#:\s]+)/i.exec(text)?.[1];
}

export function isRoleAddress({ result }: Answered): boolean | null {
  const email = result?.find_email?.email;
  return email === undefined ? null : isRole(email.toLowerCase());
}

export function isFreeAddress({ result }: Answered, domainOwner: DomainOwner): boolean | null {
  const host = result?.find_email?.email?.split('@').at(-1);
  const owner = host === undefined ? undefined : domainOwner(host);
  if (owner === undefined) return null;
  return owner.kind === 'shared' && owner.site === 'mail provider';
}

/** Only the platform's own word tells it. */
export function isCatchAll({ result }: Answered): boolean | null {
  const word = result?.find_email?.platformStatus ?? '';
  return /(?:catch|accept)[-_ ]?all/i.test(word) || null;
}
