import { describe, expect, it } from 'vitest';
import { domainOwner } from '../../../src/identity/domain-owner.js';
import type { Inputs } from '../../../src/model/ask.js';
import {
  companyMatches,
  isCatchAll,
  isFreeAddress,
  isRoleAddress,
  nameMatches,
} from '../../../src/model/columns/quality.js';
import type { Profile } from '../../../src/model/result.js';

const profiled = (inputs: Inputs, profile: Partial<Profile>) => ({
  inputs,
  result: { social_enrichment: { positionGroups: [], ...profile } },
});
const mailed = (email: string | undefined, platformStatus?: string) => ({
  inputs: {},
  result: { find_email: { ...(email && { email }), ...(platformStatus && { platformStatus }) } },
});

describe('a name that came back', () => {
  const ada = { firstName: 'Ada', lastName: 'Lovelace' };
  it.each<[Inputs, Partial<Profile>, boolean | null]>([
    [ada, { firstName: 'ADA', lastName: 'Lovelace' }, true],
    [ada, { firstName: 'Adalbert', lastName: 'Lovelace' }, true],
    [ada, { firstName: 'Eve', lastName: 'Lovelace' }, false],
    [ada, { firstName: 'Ada', lastName: 'Byron' }, false],
    [ada, { lastName: 'Lovelace' }, true],
    [ada, {}, null],
    [{ email: 'a@b.example' }, { firstName: 'Ada', lastName: 'Lovelace' }, null],
  ])('%j asked, %j found: %s', (inputs, profile, is) => {
    expect(nameMatches(profiled(inputs, profile))).toBe(is);
  });
});

describe('a company that came back', () => {
  const position = (domain: string, end: object) => ({
    company: { domain },
    date: { start: { year: 2020 }, end },
    profilePositions: [],
  });
  it.each<[Inputs, Partial<Profile>, boolean | null]>([
    [{ companyDomain: 'acme.com' }, { companyDomain: 'www.acme.com' }, true],
    [{ companyDomain: 'acme.com' }, { companyWebsite: 'https://shop.acme.com/x' }, true],
    [{ companyDomain: 'acme.com' }, { companyDomain: 'notacme.com' }, false],
    [
      { companyDomain: 'acme.com', companyName: 'Acme' },
      { companyDomain: 'acme.de', companyName: 'Acme GmbH' },
      false,
    ],
    [{ companyName: 'Acme' }, { companyName: 'ACME GmbH' }, true],
    [{ companyName: 'Acme' }, { companyName: 'Other Inc.' }, false],
    [{ companyDomain: 'acme.com' }, { companyName: 'Acme' }, null],
    [{ companyDomain: 'acme.com' }, { positionGroups: [position('acme.com', {})] }, true],
    [
      { companyDomain: 'acme.com' },
      { companyDomain: 'new.com', positionGroups: [position('acme.com', { year: 2023 })] },
      false,
    ],
    [{}, { companyDomain: 'acme.com' }, null],
  ])('%j asked, %j found: %s', (inputs, profile, is) => {
    expect(companyMatches(profiled(inputs, profile))).toBe(is);
  });

  it('is not known without a profile', () => {
    expect(companyMatches({ inputs: { companyDomain: 'acme.com' }, result: {} })).toBeNull();
  });
});

it('an address is one of a role, or free, by itself', () => {
  const all = ['Info+x@acme.com', 'ada@acme.com', 'ada@gmail.com', undefined].map((one) =>
    mailed(one),
  );
  expect(all.map((one) => isRoleAddress(one))).toEqual([true, false, false, null]);
  expect(all.map((one) => isFreeAddress(one, domainOwner))).toEqual([false, false, true, null]);
});

it('an address is at a domain that takes all where the platform says so', () => {
  const words = ['catch_all_safe', 'Catch-All', 'acceptall', 'risky', undefined];
  expect(words.map((word) => isCatchAll(mailed('a@b.example', word)))).toEqual([
    true,
    true,
    true,
    null,
    null,
  ]);
});
