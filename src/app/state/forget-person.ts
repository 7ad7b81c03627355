// Removes people from the state file: finds them as the user wrote them, and in the spelling that is sent.

import { domainToUnicode } from 'node:url';
import { registrableDomain } from '../../identity/registrable-domain.js';
import { SluiceError } from '../../model/errors.js';
import { fold } from '../../model/fingerprint.js';
import { normaliseInput } from '../../model/normalise.js';
import { createPersonMatch, type PersonTarget } from '../../model/person-match.js';
import { formatCount } from '../../model/text/count.js';
import type { ForgetReport } from '../../ports/store/maintenance.js';
import type { Store } from '../../ports/store/store.js';
import { systemClock } from '../system-clock.js';

export interface ForgetWish {
  readonly emails: readonly string[];
  readonly domains: readonly string[];
  readonly urls: readonly string[];
}

const INPUT_OF = { email: 'email', domain: 'companyDomain', url: 'socialUrl' } as const;

/**
 * Counts the data of these people in the state file, and removes it with `isForReal`.
 * @throws SluiceError `usage` for an invalid address, and if work on their leads has not ended
 */
export async function forgetPerson(
  store: Store,
  { emails, domains, urls }: ForgetWish,
  isForReal: boolean,
): Promise<ForgetReport> {
  const targets = [
    ...emails.map((text) => toTarget('email', text)),
    ...domains.map((text) => toTarget('domain', text)),
    ...urls.map((text) => toTarget('url', text)),
  ];
  if (targets.length === 0) {
    throw new SluiceError('usage', 'Say whom to forget: an e-mail address, a profile or a domain.');
  }
  const report = await store.forget(createPersonMatch(targets), systemClock.now(), isForReal);
  const [open] = report.openRuns;
  if (open !== undefined) {
    throw new SluiceError(
      'usage',
      `Nothing was removed: run ${open} has not ended and has leads of these people. Start its job again until it ends, or cancel it (sluice cancel ${open}), and then forget.`,
    );
  }
  if (report.pendingDeliveries > 0) {
    throw new SluiceError(
      'usage',
      `Nothing was removed: of the deliveries about them, ${formatCount(report.pendingDeliveries, 'is', 'are')} not settled yet. Settle them with sluice replay and the job's name, and then forget.`,
    );
  }
  return report;
}

/** @throws SluiceError `usage`, which does not repeat the address */
function toTarget(kind: PersonTarget['kind'], text: string): PersonTarget {
  const normalised = normaliseInput(INPUT_OF[kind], text, registrableDomain);
  if (normalised.kind !== 'value') {
    const what = { email: 'an e-mail address', domain: 'a domain', url: 'a web address' }[kind];
    throw new SluiceError('usage', `--${kind} wants ${what}, whole.`);
  }
  const isHost = kind === 'domain' && !/[@/:]/.test(text);
  if (isHost && normalised.value.split('.').length !== text.trim().split('.').length) {
    throw new SluiceError(
      'usage',
      `--domain wants a whole domain, for its leads are known by that: ${normalised.value}.`,
    );
  }
  const { value } = normalised;
  const host = kind === 'url' ? new URL(value).hostname : value.slice(value.lastIndexOf('@') + 1);
  const spellings = [
    value,
    value.replace(host, () => domainToUnicode(host)),
    // Leads with other addresses of this profile may share its enrichment.
    ...(kind === 'url' ? [fold('socialUrl', value)] : []),
  ];
  return { kind, spellings: isHost || kind !== 'domain' ? [...spellings, text] : spellings };
}
