// Under which fingerprint an enrichment is known today, where another rule than today's gave it its own.
import { digest } from '../../dist/identity/digest.js';
import { domainOwner } from '../../dist/identity/domain-owner.js';
import { registrableDomain } from '../../dist/identity/registrable-domain.js';
import { ASKS, INPUTS } from '../../dist/model/ask.js';
import { toRequest } from '../../dist/model/enrichment/stored-request.js';
import { canonicalText } from '../../dist/model/fingerprint.js';
import { isAscii, normaliseInput } from '../../dist/model/normalise.js';

/** Of an enrichment whose inputs are kept, and whose fingerprint they give by the former rule or by today's; or its own. */
export function presentFingerprint({ account, ask, fingerprint, inputs }) {
  const request = toRequest({ ask, inputs });
  if (Object.keys(request.inputs).length === 0) return fingerprint;
  const present = canonicalText(request, account);
  if (![present, formerText(request, account)].some((text) => isDigest(fingerprint, text))) {
    return fingerprint;
  }
  const known = normalised(request.inputs);
  // An answer that the platform's domain alone identified may be another person's.
  const isSamePerson =
    known.email !== undefined ||
    known.socialUrl !== undefined ||
    (known.companyDomain === request.inputs.companyDomain && Object.keys(known).length > 0);
  return isSamePerson ? digest(canonicalText({ ...request, inputs: known }, account)) : fingerprint;
}

function isDigest(fingerprint, text) {
  return Buffer.compare(fingerprint, digest(text)) === 0;
}

/** As a lead with these values gets them today. What identifies nobody is left out. */
function normalised(inputs) {
  const known = {};
  for (const [name, value] of Object.entries(inputs)) {
    const { kind, value: own } = normaliseInput(name, value, registrableDomain, domainOwner);
    if (kind !== 'left_out') known[name] = kind === 'value' ? own : value;
  }
  return known;
}

/** The text whose digest was the fingerprint: names were folded like everything else. */
function formerText({ ask, inputs }, account) {
  const asked = ASKS.filter((one) => ask.includes(one));
  const values = INPUTS.map((name) => {
    const value = inputs[name];
    return value === undefined ? null : formerFold(name, value);
  });
  return JSON.stringify([1, account, asked, values]);
}

function formerFold(name, value) {
  const lower = value.toLowerCase();
  const folded = isAscii(lower)
    ? lower.replace(/ {2,}/g, ' ')
    : lower.normalize('NFC').replace(/\s+/gu, ' ');
  return name === 'socialUrl' ? folded.replace(/^https?:\/\/(www\.)?/, '') : folded;
}
