// The registrable domain of a host, by the copy of the Public Suffix List in tldts.
import { domainToASCII } from 'node:url';
import { getDomain } from 'tldts';
import { remembering } from './remember.js';

/**
 * The registrable domain of a host, an e-mail address or a URL: `www.cantwell.senate.gov` → `senate.gov`, in ASCII and
 * lower case; undefined for an IP address or a bare suffix. A suffix that the list does not know counts as one label.
 * Private suffixes count: `team.github.io` is a site of its own, not GitHub's.
 */
export const registrableDomain = remembering((host: string): string | undefined => {
  const domain = getDomain(host, { allowPrivateDomains: true, validateHostname: true });
  return domainToASCII(domain ?? '') || undefined;
});
