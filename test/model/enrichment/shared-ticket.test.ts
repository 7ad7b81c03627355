import { describe, expect, it } from 'vitest';
import {
  isNamedAlone,
  isSameSubject,
  listHolders,
  platformTicket,
} from '../../../src/model/enrichment/shared-ticket.js';
import {
  ownTicket,
  sealBatchTicket,
  sealPlaceTicket,
} from '../../../src/platform/answers/ticket.js';

const ADA = { firstName: 'Ada', lastName: 'Byron', companyDomain: 'a.com' };
const BOB = { firstName: 'Bob', lastName: 'Roe', companyDomain: 'a.com' };

describe('two requests with one ticket', () => {
  it.each([
    [ADA, { ...ADA, email: 'ada@a.com' }],
    [{ email: 'Ada@a.com', firstName: 'Ada' }, { email: 'ada@a.com' }],
    [{ socialUrl: 'https://x.com/ada' }, { socialUrl: 'https://x.com/ada', ...ADA }],
    [
      { socialUrl: 'https://www.linkedin.com/in/ada' },
      { socialUrl: 'https://uk.linkedin.com/in/ada/en', ...ADA },
    ],
    [{ companyDomain: 'a.com' }, { companyDomain: 'a.com' }],
  ])('are about the same: %o and %o', (one, other) => {
    expect(isSameSubject(one, other)).toBe(true);
  });

  it.each([
    [ADA, BOB],
    [ADA, { ...ADA, companyDomain: 'b.com' }],
    [ADA, { email: 'ada@a.com' }],
    [{ companyDomain: 'a.com' }, { companyDomain: 'b.com' }],
  ])('are not certainly about the same: %o and %o', (one, other) => {
    expect(isSameSubject(one, other)).toBe(false);
  });

  it('are told apart by an answer that names one of them alone', () => {
    const others = [{ inputs: BOB }];
    const profile = { firstName: 'ada', lastName: 'Byron', positionGroups: [] };
    expect(isNamedAlone({ social_enrichment: profile }, ADA, others)).toBe(true);
    expect(isNamedAlone({ social_enrichment: profile }, BOB, [{ inputs: ADA }])).toBe(false);
    expect(isNamedAlone({ find_email: { email: 'x@a.com' } }, ADA, others)).toBe(false);
    const both = [...others, { inputs: { ...ADA, companyDomain: 'b.com' } }];
    expect(isNamedAlone({ social_enrichment: profile }, ADA, both)).toBe(false);
  });

  it('are listed by their lines in this run', () => {
    const of = (line: number, runId = 1) => ({ ticket: 't', inputs: ADA, runId, line });
    expect(listHolders([of(7), of(3)], 1)).toBe('lines 3, 7');
    expect(listHolders([of(3), of(3, 2)], 1)).toBe('line 3 and 1 lead of another run');
    const many = Array.from({ length: 12 }, (_, i) => of(i + 1));
    expect(listHolders(many, 1)).toBe('lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more');
  });
});

it.each([
  [ownTicket('call'), null],
  [ownTicket('item', 'key'), null],
  [sealBatchTicket('bulk_7', 'key'), 'bulk_7'],
  [sealPlaceTicket('bulk_7', { index: 2, count: 10 }), 'bulk_7'],
  ['enr_1', 'enr_1'],
  ['a~b', 'a~b'],
  ['~1of2', '~1of2'],
])('the platform knows %s as %s', (ticket, platforms) => {
  expect(platformTicket(ticket)).toBe(platforms);
});
