// The find_email block: an e-mail address and its status (docs/platform-api.md, Enrichment result).
import { type Persona, toAsciiWord } from './imagine-persona.js';
import type { Draw } from './open-draw.js';

export interface FoundEmail {
  readonly email: string;
  readonly status: string;
}

/** Real platforms do find addresses on another domain than the one asked for. */
const OTHER_DOMAIN_SHARE = 0.1;

/** A plausible address of the persona; never the one that was given, but by chance. */
export function findEmail(persona: Persona): FoundEmail {
  const draw = persona.draw('find_email');
  const isElsewhere = draw.chance(OTHER_DOMAIN_SHARE);
  const domain = isElsewhere ? nameOtherDomain(persona, draw) : persona.companyDomain;
  const email = `${writeLocalPart(persona, draw)}@${domain}`;
  return { email, status: drawStatus(draw, { deliverable: 0.86, risky: 0.08, unknown: 0.06 }) };
}

/** The address that was given, with a status. */
export function verifyEmail(persona: Persona): FoundEmail {
  const draw = persona.draw('verify_email');
  const shares = { deliverable: 0.74, undeliverable: 0.1, risky: 0.08, unknown: 0.08 };
  return { email: persona.email ?? '', status: drawStatus(draw, shares) };
}

function writeLocalPart({ firstName, lastName }: Persona, draw: Draw): string {
  const first = toAsciiWord(firstName) || 'contact';
  const last = toAsciiWord(lastName) || 'office';
  return draw.pick([
    `${first}.${last}`,
    `${first}.${last}`,
    `${first[0]}.${last}`,
    `${first[0]}${last}`,
    `${first}_${last}`,
    `${last}.${first}`,
    first,
  ]);
}

// Reserved names (RFC 2606): nobody's mail server is ever mentioned.
function nameOtherDomain({ companyDomain }: Persona, draw: Draw): string {
  const label = toAsciiWord(companyDomain.split('.', 1)[0] ?? '') || 'company';
  return draw.pick([`${label}-group.example`, `${label}-holding.example`, `old-${label}.example`]);
}

function drawStatus(draw: Draw, shares: Readonly<Record<string, number>>): string {
  let left = draw.next();
  for (const [status, share] of Object.entries(shares)) {
    left -= share;
    if (left < 0) return status;
  }
  return 'unknown';
}
