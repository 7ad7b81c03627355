// Finds people as the user wrote them, in the spelling that is sent, and by the addresses that were found for them.

import { domainToUnicode } from 'node:url';
import { DOMAIN_RULES } from '../../identity/domain-owner.js';
import { registrableDomain } from '../../identity/registrable-domain.js';
import type { Inputs } from '../../model/ask.js';
import { isRole } from '../../model/enrichment/person.js';
import { wrongUse } from '../../model/errors.js';
import { fold } from '../../model/fingerprint.js';
import { normaliseInput } from '../../model/normalise.js';
import {
  createPersonMatch,
  type NamedPerson,
  type PersonTarget,
} from '../../model/person-match.js';
import { foundAddresses, personIn } from '../../model/suppression.js';
import { formatCount } from '../../model/text/count.js';
import type { ForgetReport } from '../../ports/store/maintenance.js';
import type { Store } from '../../ports/store/store.js';
import type { AboutPerson } from '../../ports/store/suppressions.js';
import { knownInputs } from '../../run/to-lead-entry.js';
import { enrichmentsAbout } from '../results/known-of-person.js';
import { systemClock } from '../system-clock.js';
import { demandWholeDomain } from './suppress-people.js';

export interface ForgetWish {
  readonly emails: readonly string[];
  readonly domains: readonly string[];
  readonly urls: readonly string[];
  /** Inputs as they are sent, of which the last name and the company name a person. */
  readonly named?: Inputs | undefined;
}

const INPUT_OF = { email: 'email', domain: 'companyDomain', url: 'socialUrl' } as const;

/**
 * Counts the data of these people in the state file, and removes it with `isForReal`.
 * @throws SluiceError `usage` for an invalid address, and if work on their leads has not ended
 */
export async function forgetPerson(
  store: Store,
  wish: ForgetWish,
  isForReal: boolean,
): Promise<ForgetReport> {
  const { domains, emails, named, urls } = wish;
  const given = [
    ...emails.map((text) => toTarget('email', text)),
    ...domains.map((text) => toTarget('domain', text)),
    ...urls.map((text) => toTarget('url', text)),
  ];
  if (given.length === 0 && named === undefined) {
    throw wrongUse(
      'Say whom to forget: an e-mail address, a profile, a name with its company, or a domain.',
    );
  }
  const targets = [...given, ...(await linkedTargets(store, wish))];
  const match = createPersonMatch(targets, named && namedPerson(named));
  const report = await store.forget(match, systemClock.now(), isForReal);
  const [open] = report.openRuns;
  if (open !== undefined) {
    throw wrongUse(
      `Nothing was removed: run ${open} has not ended, and requests for these people are on their way or uncertain, or its leads are still being read. Start its job again until it ends, or cancel it (sluice cancel ${open}), and then forget.`,
    );
  }
  if (report.pendingDeliveries > 0) {
    throw wrongUse(
      `Nothing was removed: of the deliveries about them, ${formatCount(report.pendingDeliveries, 'is', 'are')} not settled yet. Settle them with sluice replay and the job's name, and then forget.`,
    );
  }
  return report;
}

/** The enrichments of all who have the name and the company of a person. */
export function namesakes(store: Store, named: Inputs): AsyncGenerator<AboutPerson> {
  const { email: _email, socialUrl: _profile, ...name } = named;
  return enrichmentsAbout(store, [name]);
}

/**
 * The addresses in the inputs and answers of the enrichments of these people. Of the people of a whole domain none are
 * looked for; an address that many read links nobody.
 */
async function linkedTargets(
  store: Store,
  { emails, named, urls }: ForgetWish,
): Promise<PersonTarget[]> {
  const given = [
    ...emails.map((text) => asInputs('email', text)),
    ...urls.map((text) => asInputs('socialUrl', text)),
    ...(named === undefined ? [] : [named]),
  ].filter(({ email = '' }) => !isRole(email));
  const [addresses, profiles] = [new Set<string>(), new Set<string>()];
  if (given.length === 0) return [];
  for await (const { request, result } of enrichmentsAbout(store, given)) {
    for (const { email, socialUrl } of [request.inputs, foundAddresses(result ?? {})]) {
      if (email !== undefined && !isRole(email)) addresses.add(email);
      if (socialUrl !== undefined) profiles.add(socialUrl);
    }
  }
  return [
    ...Array.from(addresses, (text) => toTarget('email', text)),
    ...Array.from(profiles, (text) => toTarget('url', text)),
  ];
}

function asInputs(name: 'email' | 'socialUrl', text: string): Inputs {
  const normalised = normaliseInput(name, text, registrableDomain);
  return normalised.kind === 'value' ? { [name]: normalised.value } : {};
}

const ofNames = (inputs: Inputs) => personIn(inputs).filter(({ kind }) => kind === 'name');

function namedPerson(named: Inputs): NamedPerson {
  const theirs = new Set(ofNames(named).map(({ text }) => text));
  const isNamed = (inputs: Inputs) => ofNames(inputs).some(({ text }) => theirs.has(text));
  const { companyDomain, companyName, firstName = '', lastName = '' } = named;
  const company = companyName && fold('companyName', companyName);
  const companies = [companyDomain, company].filter((text) => text !== undefined);
  const texts = [[firstName], [lastName], companies].filter((some) => !some.includes(''));
  return {
    isNamed,
    isInLine: (cells, mapping) => isNamed(knownInputs(cells, mapping, DOMAIN_RULES)),
    texts,
  };
}

/** @throws SluiceError `usage`, which does not repeat the address */
function toTarget(kind: PersonTarget['kind'], text: string): PersonTarget {
  const normalised = normaliseInput(INPUT_OF[kind], text, registrableDomain);
  if (normalised.kind !== 'value') {
    const what = { email: 'e-mail address', domain: 'domain', url: 'web address' }[kind];
    throw wrongUse(`${INPUT_OF[kind]} wants a complete ${what}.`);
  }
  const value = kind === 'domain' ? demandWholeDomain(text) : normalised.value;
  const host = kind === 'url' ? new URL(value).hostname : value.slice(value.lastIndexOf('@') + 1);
  const spellings = [
    value,
    value.replace(host, () => domainToUnicode(host)),
    // Leads with other addresses of this profile may share its enrichment.
    ...(kind === 'url' ? [fold('socialUrl', value)] : []),
  ];
  // An address at a domain, or a page there, is one of many that hold it.
  return {
    kind,
    spellings: kind === 'domain' && /[@/:]/.test(text) ? spellings : [...spellings, text],
  };
}
