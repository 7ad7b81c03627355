// What counts as a change of a person, and what does not.
import { describe, expect, it } from 'vitest';
import { domainOwner } from '../../../src/identity/domain-owner.js';
import { registrableDomain } from '../../../src/identity/registrable-domain.js';
import type { LeadAnswer } from '../../../src/model/answer.js';
import {
  type Change,
  type Comparison,
  compareFacts,
  factsOf,
} from '../../../src/model/report/compare-answers.js';
import type { Company, Profile, Result } from '../../../src/model/result.js';
import { leadAnswer } from '../../helpers/lead-answer.js';

const RULES = { registrableDomain, domainOwner };
const NOW = { start: { year: 2020 }, end: {} };
const PAST = { start: { year: 2010 }, end: { year: 2012 } };

function answer(changes: Partial<LeadAnswer>): LeadAnswer {
  return leadAnswer({
    paidBy: 1,
    enrichedAt: 1,
    ask: ['find_email', 'social_enrichment', 'find_phone'],
    inputs: { firstName: 'Ada' },
    result: {},
    ...changes,
  });
}

function compare(before: Partial<LeadAnswer>, after: Partial<LeadAnswer>): Comparison {
  const facts = (changes: Partial<LeadAnswer>, ticket: string) =>
    factsOf(answer({ ticket, ...changes }), [], RULES);
  return compareFacts(facts(before, 'enr_1'), facts(after, 'enr_2'));
}

function changes(before: Result, after: Result): readonly Change[] {
  return compare({ result: before }, { result: after }).changes;
}

const email = (text: string, status = 'deliverable'): Result => ({
  find_email: { email: text, status },
});
const phone = (text: string): Result => ({ find_phone: { phone: text } });
const profile = (own: Partial<Profile>): Result => ({
  social_enrichment: { positionGroups: [], ...own },
});
const worksAt = (company: Company, title = 'CTO', ...before: Company[]): Result =>
  profile({
    positionGroups: [
      ...before.map((one) => ({ company: one, date: PAST, profilePositions: [] })),
      { company, date: NOW, profilePositions: [{ title, date: NOW }] },
    ],
  });

const ONE = { id: 1 };
const ACME = { id: 1, name: 'Acme', domain: 'acme.com' };
const FORMER = { positionGroups: [{ company: ONE, date: PAST, profilePositions: [] }] };
const OTHER = { positionGroups: [{ company: { name: 'Other' }, date: NOW, profilePositions: [] }] };
const TITLED = worksAt(ONE).social_enrichment;

describe('two answers', () => {
  it.each<[string, Result, Result, readonly Change[]]>([
    ['the same', email('a@b.com'), email('a@b.com'), []],
    ['an address in other case, with space around', email('Ada@B.com'), email(' ada@b.COM '), []],
    ['a new address', {}, email('a@b.com'), ['new_email']],
    ['a lost address', email('a@b.com'), {}, ['lost_email']],
    ['another address', email('a@b.com'), email('a@c.com', 'risky'), ['changed_email']],
    ['another status', email('a@b.com'), email('A@b.com', 'risky'), ['changed_email_status']],
    ['a phone with other blanks', phone('+49 (30) 123-45'), phone('+493012345'), []],
    ['another phone', phone('+49 30 1'), phone('+49 30 2'), ['changed_phone']],
    ['an empty text', { find_phone: { phone: ' ' } }, { find_phone: {} }, []],
    ['a title in other case', worksAt(ONE, 'Head  of IT'), worksAt(ONE, 'HEAD OF IT'), []],
    ['another title', worksAt(ONE, 'CTO'), worksAt(ONE, 'CEO'), ['changed_title']],
    [
      'another company',
      worksAt({ ...ONE, name: 'X' }),
      worksAt({ id: 2, name: 'X' }),
      ['changed_company'],
    ],
    ['another name and domain', worksAt(ACME), worksAt({ ...ONE, name: 'Z', domain: 'z.com' }), []],
    [
      'a number known in one of them',
      worksAt(ACME),
      worksAt({ website: 'https://www.acme.com' }),
      [],
    ],
    ['a number in another record', worksAt(ACME), worksAt({ name: 'Acme' }, 'CTO', ACME), []],
    ['companies with nothing in common', worksAt({ name: 'Acme' }), worksAt({ id: 3 }), []],
    [
      'the company of the profile',
      profile({ companyName: 'Acme' }),
      profile({ ...OTHER, companyName: 'ACME' }),
      [],
    ],
    ['a position that has ended', worksAt(ONE), profile(FORMER), ['lost_company', 'lost_title']],
    [
      'an occupation alone',
      profile({ occupation: 'A' }),
      profile({ occupation: 'B' }),
      ['changed_title'],
    ],
    [
      'a title with another occupation',
      profile({ ...TITLED, occupation: 'A' }),
      profile({ ...TITLED, occupation: 'B' }),
      [],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });

  it('tell nothing of a field that one of them was not asked for', () => {
    const both = compare(
      { ask: ['find_email'], result: email('a@b.com') },
      { ask: ['find_phone', 'social_enrichment'], result: phone('+1') },
    );
    expect(both).toMatchObject({ changes: [], isKnown: false, isShared: false });
    expect(Object.values(both.fields)).toEqual(Array(4).fill('not_known'));
    const verified = compare(
      { ask: ['verify_email'], result: email('a@b.com') },
      { ask: ['find_email'], status: 'not_found', result: {} },
    );
    expect(verified.changes).toEqual(['lost_email']);
    expect(verified.fields).toMatchObject({ email: 'lost', phone: 'not_known' });
  });

  it.each<[string, Partial<LeadAnswer>]>([
    ['failed', { status: 'failed', result: null }],
    ['timed out', { status: 'timed_out', result: null }],
    ['was skipped', { status: 'skipped', result: null, ask: [] }],
    ['shows an older answer', { result: email('a@b.com'), askedAgain: 'failed' }],
  ])('lose and gain nothing where one of them %s', (_, changed) => {
    const known = { result: email('other@b.com') };
    for (const both of [compare(known, changed), compare(changed, known)]) {
      expect(both).toMatchObject({ changes: [], isKnown: false });
    }
  });

  it('say whether anything is found, where the same was asked', () => {
    const nothing = { status: 'not_found', result: {} } as const;
    const found = { result: email('a@b.com') };
    expect(compare(nothing, found).changes).toEqual(['new_email', 'now_found']);
    expect(compare(found, nothing).changes).toEqual(['lost_email', 'no_longer_found']);
    expect(compare({ ...nothing, ask: ['find_email'] }, found).changes).toEqual(['new_email']);
    const reversed = ['find_phone', 'social_enrichment', 'find_email'] as const;
    expect(compare({ ...nothing, ask: reversed }, found).changes).toContain('now_found');
  });

  it('are one where both runs show it', () => {
    expect(compare({}, {}).isShared).toBe(false);
    expect(compare({}, { ticket: 'enr_1' }).isShared).toBe(true);
    expect(compare({}, { ticket: 'enr_1', enrichedAt: 2 }).isShared).toBe(false);
    const open = { status: 'awaiting', ticket: 'enr_1', enrichedAt: null } as const;
    expect(compare(open, open).isShared).toBe(false);
  });
});
