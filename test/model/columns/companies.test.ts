import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { domainOwner } from '../../../src/identity/domain-owner.js';
import { registrableDomain } from '../../../src/identity/registrable-domain.js';
import type { LeadAnswer } from '../../../src/model/answer.js';
import { companiesOf } from '../../../src/model/columns/companies.js';
import type { Company, PositionGroup, Profile } from '../../../src/model/result.js';
import { openScratch } from '../../../src/store/sqlite/scratch.js';
import { leadAnswer } from '../../helpers/lead-answer.js';

const ENDED = { start: { year: 2010 }, end: { year: 2012 } };
const CURRENT = { start: { year: 2020 }, end: {} };

function groupOf(company: Company, date: PositionGroup['date'] = ENDED): PositionGroup {
  return { company, date, profilePositions: [] };
}

function answerOf(groups: readonly PositionGroup[], profile: Partial<Profile> = {}): LeadAnswer {
  return leadAnswer({ result: { social_enrichment: { ...profile, positionGroups: groups } } });
}

function look(groups: readonly PositionGroup[], profile?: Partial<Profile>) {
  return companiesOf(answerOf(groups, profile), { registrableDomain, domainOwner });
}

function keysOf(...companies: readonly Company[]): readonly (string | null)[] {
  return look(companies.map((company) => groupOf(company))).groups;
}

describe('a company is known', () => {
  it.each<[string, Company, string | null]>([
    ['by its number', { id: 7, name: 'Acme', domain: 'acme.com' }, 'id:7'],
    ['by its registrable domain', { name: 'Acme', domain: 'www.Acme.co.uk' }, 'domain:acme.co.uk'],
    ['by that of its website', { website: 'https://shop.acme.com/en' }, 'domain:acme.com'],
    [
      'by its page, where many share the domain',
      { domain: 'facebook.com', socialUrl: 'https://www.Social.example/Company/Acme/' },
      'page:social.example/company/acme',
    ],
    ['by its name', { name: ' ＡＣＭＥ\u200B  Tools ' }, 'name:acme tools'],
    ['by nothing', { industry: 'Tools' }, null],
    ['by nothing, also where that is empty', { name: ' ', domain: '', website: 'n/a' }, null],
  ])('%s', (_, company, key) => {
    expect(keysOf(company)).toEqual([key]);
  });

  it('by the number that another record of the same answer has, with what both have in common', () => {
    const acme = { id: 7, name: 'Acme', domain: 'acme.com' };
    expect(keysOf({ website: 'acme.com' }, { name: 'ACME' }, acme)).toEqual([
      'id:7',
      'id:7',
      'id:7',
    ]);
    expect(keysOf({ name: 'Acme', domain: 'acme.fr' }, acme)).toEqual(['domain:acme.fr', 'id:7']);
    expect(keysOf({ name: 'Acme', id: 8 }, acme)).toEqual(['id:8', 'id:7']);
    const page = 'https://social.example/company/acme';
    expect(keysOf({ socialUrl: page }, { socialUrl: page, domain: 'acme.com' })).toEqual([
      'domain:acme.com',
      'domain:acme.com',
    ]);
  });

  it('as the own one of a person by the profile, else by the current position', () => {
    const groups = [groupOf({ name: 'Old' }), groupOf({ name: 'New' }, CURRENT)];
    expect(look(groups).own).toBe('name:new');
    expect(look(groups, { companyDomain: 'own.com', companyName: 'Own' }).own).toBe(
      'domain:own.com',
    );
    expect(look(groups, { companyName: 'new' }).own).toBe('name:new');
    expect(look([groupOf({ name: 'Old' })]).own).toBeNull();
    expect(
      companiesOf({ ...answerOf([]), result: null }, { registrableDomain, domainOwner }),
    ).toEqual({ own: null, groups: [], records: [] });
  });
});

describe('the table of companies', () => {
  it('has what a naive look at all records finds', () => {
    const text = fc.option(fc.constantFrom('', 'a', 'b'), { nil: undefined });
    const record = fc.record({
      key: fc.constantFrom('id:1', 'id:2', 'name:x', 'domain:y.com'),
      company: fc.record(
        {
          id: fc.constantFrom(1, 2, 2 ** 40),
          name: text,
          industry: text,
          foundedOn: fc.constantFrom(1999, 2000),
        },
        { requiredKeys: [] },
      ),
    });
    fc.assert(
      fc.property(
        fc.array(record, { maxLength: 30 }),
        fc.integer({ min: 1, max: 3 }),
        (all, size) => {
          const naive = new Map<string, Record<string, unknown>>();
          const scratch = openScratch();
          for (const { key, company } of all) {
            const known = naive.get(key) ?? {};
            const filled = Object.entries(company).filter(
              ([, value]) => value !== undefined && value !== '',
            );
            naive.set(key, { ...Object.fromEntries(filled), ...known });
            scratch.addCompany(key, company as Company);
          }
          const found: [string, Company][] = [];
          for (let after = 0; ; ) {
            const page = scratch.companies(after, size);
            found.push(...page.map(({ key, company }): [string, Company] => [key, company]));
            after = page.at(-1)?.number ?? 0;
            if (page.length < size) break;
          }
          scratch.close();
          expect(found).toEqual([...naive]);
        },
      ),
    );
  });
});
