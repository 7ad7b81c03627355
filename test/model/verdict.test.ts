import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NEUTRAL_DIALECT } from '../../src/dialect/dialect.js';
import { ASKS, type Ask, type Inputs } from '../../src/model/ask.js';
import type { Result } from '../../src/model/result.js';
import { highestPrice, judgeResult, partOf } from '../../src/model/verdict.js';

const { prices } = NEUTRAL_DIALECT;
const NO_POSITIONS = { positionGroups: [] };
const GROUP = { company: { name: 'X' }, date: { start: {}, end: {} }, profilePositions: [] };
const FULL = {
  find_email: { email: 'ada@example.com', status: 'deliverable' },
  find_phone: { phone: '+33600000000' },
  social_enrichment: { tagline: 'x', positionGroups: [GROUP] },
} satisfies Result;

const PROFILE: Ask[] = ['social_enrichment'];

describe('a result', () => {
  it.each<[string, Ask[], Result, number]>([
    ['an e-mail', ['find_email'], { find_email: { email: 'a@b.com' } }, 5],
    ['a status without an address to find', ['find_email'], { find_email: { status: 'x' } }, 0],
    ['a status to verify', ['verify_email'], { find_email: { status: 'undeliverable' } }, 1],
    ['an address to verify', ['verify_email'], { find_email: { email: 'a@b.com' } }, 0],
    ['a phone', ['find_phone'], { find_phone: { phone: '+1' } }, 20],
    ['an empty phone block', ['find_phone'], { find_phone: {} }, 0],
    ['a field of a profile', PROFILE, { social_enrichment: { tagline: 'x', ...NO_POSITIONS } }, 1],
    ['a position alone', PROFILE, { social_enrichment: { positionGroups: [GROUP] } }, 1],
    ['an empty profile', PROFILE, { social_enrichment: NO_POSITIONS }, 0],
    ['nothing', [...ASKS], {}, 0],
    ['everything', ['find_email', 'social_enrichment', 'find_phone'], FULL, 26],
    ['what was not asked for', ['find_phone'], { find_email: { email: 'a@b.com' } }, 0],
    ['one hit of two', ['find_email', 'find_phone'], { find_phone: { phone: '+1' } }, 20],
  ])('with %s, asked for %j, costs what was hit', (_, ask, result, credits) => {
    const outcome = credits > 0 ? 'found' : 'not_found';
    expect(judgeResult({ ask, inputs: {} }, result, prices)).toEqual({ outcome, credits });
  });

  it.each<[string, Ask[], Inputs, number]>([
    [
      'is no find where it was given to be verified',
      ['find_email', 'verify_email'],
      { email: 'ada@example.com' },
      1,
    ],
    [
      'is one where another was given',
      ['find_email', 'verify_email'],
      { email: 'eve@example.com' },
      6,
    ],
    ['is one where none was to be verified', ['find_email'], { email: 'ada@example.com' }, 5],
  ])('an address that comes back %s', (_, ask, inputs, credits) => {
    const result = { find_email: { email: 'Ada@Example.com', status: 'deliverable' } };
    expect(judgeResult({ ask, inputs }, result, prices).credits).toBe(credits);
  });

  it('is found exactly where it has a price, and costs never more than the highest', () => {
    const priced = fc.record({
      find_email: fc.integer({ min: 1, max: 100 }),
      verify_email: fc.integer({ min: 1, max: 100 }),
      social_enrichment: fc.integer({ min: 1, max: 100 }),
      find_phone: fc.integer({ min: 1, max: 100 }),
    });
    const some = fc
      .subarray(Object.entries(FULL))
      .map((blocks) => Object.fromEntries(blocks) as Result);
    fc.assert(
      fc.property(fc.subarray([...ASKS]), some, priced, (ask, result, table) => {
        const { outcome, credits } = judgeResult({ ask, inputs: {} }, result, table);
        expect(outcome === 'found').toBe(credits > 0);
        expect(credits).toBeLessThanOrEqual(highestPrice(ask, table));
        expect(judgeResult({ ask, inputs: {} }, FULL, table).credits).toBe(
          highestPrice(ask, table),
        );
      }),
    );
  });
});

it('the highest price is that of every ask', () => {
  expect(highestPrice(ASKS, prices)).toBe(27);
  expect(highestPrice([], prices)).toBe(0);
});

describe('the answer to a wider question', () => {
  const { find_email, find_phone, social_enrichment } = FULL;
  const ask: Ask[] = ['find_email', 'social_enrichment', 'find_phone'];

  it.each<[string, Ask[], Result, Result]>([
    ['the part that was found', ['find_phone'], FULL, { find_phone }],
    ['what was found of a part', ['find_email', 'find_phone'], { find_phone }, { find_phone }],
    ['a part that was not found', ['find_email'], { find_phone, social_enrichment }, {}],
    ['a part of which there is no value', ['find_phone'], { find_email, find_phone: {} }, {}],
    ['a profile', ['social_enrichment'], FULL, { social_enrichment }],
  ])('says no more to a narrower one than what it asks: %s', (_, part, result, left) => {
    expect(partOf(part, { ask, inputs: {} }, result)).toEqual(left);
  });

  it('is no find where the address was given to be verified', () => {
    const wide = {
      ask: ['find_email', 'verify_email'],
      inputs: { email: 'ada@example.com' },
    } as const;
    expect(partOf(['find_email'], wide, FULL)).toEqual({});
    expect(partOf(['verify_email'], wide, FULL)).toEqual({ find_email });
  });
});

describe('a custom ask', () => {
  const result: Result = { custom: { firm: { name: 'X' } }, find_phone: { phone: '+1' } };
  const known = { ...prices, firm: 2, mobile: 3 };

  it('is found if it has values, and costs its price', () => {
    const wide = { ask: ['find_email', 'firm', 'mobile'], inputs: {} };
    expect(judgeResult(wide, result, known)).toEqual({ outcome: 'found', credits: 2 });
    expect(judgeResult({ ask: ['mobile'], inputs: {} }, result, known).outcome).toBe('not_found');
    expect(() => judgeResult({ ask: ['firm'], inputs: {} }, result, prices)).toThrow('no price');
  });

  it('is a part of a wider question', () => {
    const wide = { ask: ['find_phone', 'firm'], inputs: {} };
    expect(partOf(['firm'], wide, result)).toEqual({ custom: { firm: { name: 'X' } } });
    expect(partOf(['find_phone'], wide, result)).toEqual({ find_phone: { phone: '+1' } });
    expect(partOf(['mobile'], { ask: ['mobile', 'firm'], inputs: {} }, result)).toEqual({});
  });
});
