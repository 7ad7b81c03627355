import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { domainOwner } from '../../src/identity/domain-owner.js';
import { registrableDomain } from '../../src/identity/registrable-domain.js';
import { INPUTS, type InputName, type Inputs } from '../../src/model/ask.js';
import { canonicalText } from '../../src/model/fingerprint.js';
import { normaliseInput } from '../../src/model/normalise.js';
import {
  foundPerson,
  identifiersOf,
  isSuppressed,
  namedBy,
  personIn,
  SUPPRESSION_RULE,
  suppressedReason,
} from '../../src/model/suppression.js';
import { tries } from '../helpers/long.js';

const VALUES: Readonly<Record<InputName, string>> = {
  email: "ada.o'hara@engines.example",
  socialUrl: 'https://social.example/in/ada',
  firstName: "Ada-Maria O'Hara",
  lastName: 'Löwe Straß',
  companyDomain: 'engines.example',
  companyName: 'Engines & Söhne',
};

/** Ways to write a text that people and programs have. */
const WRITTEN: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => `  ${text}\t`,
  (text) => text.replaceAll(' ', ' \u00a0 '),
  (text) => text.normalize('NFD'),
  (text) => text.replaceAll("'", '\u2019'),
  (text) => `\u200b${text}\u00ad`,
  (text) => text.replaceAll('a', '\uff41'),
  (text) => `mailto:${text}`,
  (text) => text.replace('https://', 'http://www.'),
  (text) => `${text}/?utm_source=x`,
  (text) => `www.${text}`,
  (text) => `${text}.`,
];

function normalised(name: InputName, text: string): string | undefined {
  const one = normaliseInput(name, text, registrableDomain, domainOwner);
  return one.kind === 'value' ? one.value : undefined;
}

function inputsOf(values: Readonly<Partial<Record<InputName, string>>>): Inputs {
  const inputs: Partial<Record<InputName, string>> = {};
  for (const [name, text] of Object.entries(values) as [InputName, string][]) {
    const value = normalised(name, text);
    if (value !== undefined) inputs[name] = value;
  }
  return inputs;
}

const fingerprint = (inputs: Inputs) => canonicalText({ ask: [], inputs }, '');
const texts = (inputs: Inputs) => namedBy(inputs).map(({ text }) => text);

describe('someone suppressed', () => {
  it('is known again in every spelling that has the same fingerprint', () => {
    const names = fc.subarray([...INPUTS], { minLength: 1 });
    const ways = fc.array(fc.constantFrom(...WRITTEN), { maxLength: 3 });
    let same = 0;
    fc.assert(
      fc.property(names, ways, (some, how) => {
        const plain = Object.fromEntries(some.map((name) => [name, VALUES[name]]));
        const written = Object.fromEntries(
          some.map((name) => [name, how.reduce((text, way) => way(text), VALUES[name])]),
        );
        const [one, other] = [inputsOf(plain), inputsOf(written)];
        if (fingerprint(one) !== fingerprint(other)) return;
        same += 1;
        expect(texts(other)).toEqual(texts(one));
        const found = new Set(identifiersOf(other).map(({ text }) => text));
        for (const text of texts(one)) expect(found).toContain(text);
      }),
      { numRuns: tries(2_000) },
    );
    // Otherwise the test would say nothing.
    expect(same).toBeGreaterThan(tries(500));
  });

  it('is named by address, profile, and name with each company', () => {
    expect(personIn(inputsOf(VALUES)).map(({ kind }) => kind)).toEqual([
      'email',
      'profile',
      'name',
      'name',
    ]);
  });

  it.each([
    [{ companyName: 'Engines' }],
    [{ firstName: 'Ada', companyDomain: 'engines.example' }],
    [{ firstName: 'Ada', lastName: 'Lovelace' }],
  ])('is not named by %j', (inputs) => {
    expect(namedBy(inputs)).toEqual([]);
  });

  it('is not the whole domain, where anything else is known', () => {
    expect(namedBy({ companyDomain: 'engines.example' })).toMatchObject([{ kind: 'domain' }]);
    const inputs = { email: 'ada@engines.example', companyDomain: 'engines.example' };
    expect(namedBy(inputs)).toMatchObject([{ kind: 'email' }]);
  });

  it('is known by every domain above the hosts of a lead', () => {
    const inputs = {
      email: 'a@mail.engines.example',
      socialUrl: 'https://www.social.example:81/x',
    };
    const domains = identifiersOf(inputs).filter(({ kind }) => kind === 'domain');
    expect(domains.map(({ text }) => (JSON.parse(text) as string[])[2])).toEqual([
      'mail.engines.example',
      'engines.example',
      'social.example',
    ]);
  });
});

it('an identifier keeps its text, whose digests are kept: another text is another rule', () => {
  const inputs = {
    ...VALUES,
    socialUrl: 'https://uk.linkedin.com/in/Ada/en',
    companyName: 'Engines & Söhne GmbH',
  };
  expect([SUPPRESSION_RULE, ...identifiersOf(inputs).map(({ text }) => text)]).toEqual([
    1,
    '[1,"email","ada.o\'hara@engines.example"]',
    '[1,"profile","linkedin.com/in/ada"]',
    '[1,"name","ada-maria o\'hara","löwe strass","engines.example"]',
    '[1,"name","ada-maria o\'hara","löwe strass","engines & söhne"]',
    '[1,"domain","engines.example"]',
    '[1,"domain","linkedin.com"]',
  ]);
});

it('an answer tells who was found, by what can be an input', () => {
  const profile = {
    socialUrl: 'social.example/in/ada/',
    firstName: ' Ada ',
    lastName: 'Lovelace',
    companyDomain: 'www.engines.example',
    positionGroups: [],
  };
  const found = foundPerson({ find_email: { email: 'broken' }, social_enrichment: profile });
  expect(found).toEqual({
    socialUrl: 'https://social.example/in/ada',
    firstName: 'Ada',
    lastName: 'Lovelace',
    companyDomain: 'engines.example',
  });
});

it('a row says that it is of someone suppressed, with the reason that was given', () => {
  expect(suppressedReason('')).toBe('suppressed');
  expect(suppressedReason('asked us to')).toBe('suppressed: asked us to');
  const row = (status: 'skipped' | 'failed', reason: string | null) =>
    isSuppressed({ status, reason });
  expect(row('skipped', 'suppressed')).toBe(true);
  expect(row('skipped', 'suppressed: x')).toBe(true);
  expect(row('skipped', 'suppressed addresses: x')).toBe(false);
  expect(row('skipped', null)).toBe(false);
  expect(row('failed', 'suppressed')).toBe(false);
});
