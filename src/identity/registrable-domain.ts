// The registrable domain of a host, by the Public Suffix List as tldts carries it.
import { getDomain } from 'tldts';

/**
 * `www.cantwell.senate.gov` → `senate.gov`; undefined for an IP address, a bare suffix or an unknown
 * one. Private suffixes count: `team.github.io` is a site of its own, not GitHub's.
 */
export function registrableDomain(host: string): string | undefined {
  return getDomain(host, { allowPrivateDomains: true, validateHostname: true }) ?? undefined;
}
