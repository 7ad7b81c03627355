// When two contacts are the same member of a list: the sandbox's own rule, since none is documented.
import type { ListMember } from '../../model/platform/contact-list.js';
import { foldInputs } from '../ledger/fingerprint-request.js';

/** By the e-mail; without one by the profile; without either by name and company. Folded, as inputs are. */
export function identifyMember(member: ListMember): string {
  const { email, socialUrl, firstName, lastName, companyName } = foldInputs(member);
  if (email !== undefined) return JSON.stringify([email]);
  if (socialUrl !== undefined) return JSON.stringify([socialUrl]);
  return JSON.stringify([firstName, lastName, companyName]);
}
