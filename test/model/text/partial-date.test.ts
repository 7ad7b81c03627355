import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PartialDate } from '../../../src/model/result.js';
import { comparePartialDates, formatPartialDate } from '../../../src/model/text/partial-date.js';

const partialDates = fc.record(
  { month: fc.integer({ min: 1, max: 12 }), year: fc.integer({ min: 1900, max: 2100 }) },
  { requiredKeys: [] },
);

function sign(a: PartialDate, b: PartialDate): number {
  return Math.sign(comparePartialDates(a, b));
}

describe('formatPartialDate', () => {
  it('writes year and month, or the year alone', () => {
    expect(formatPartialDate({ year: 2021, month: 3 })).toBe('2021-03');
    expect(formatPartialDate({ year: 2021, month: 12 })).toBe('2021-12');
    expect(formatPartialDate({ year: 2021 })).toBe('2021');
  });

  it('writes nothing where there is no year', () => {
    expect(formatPartialDate({})).toBeNull();
    expect(formatPartialDate({ month: 3 })).toBeNull();
  });
});

describe('comparePartialDates', () => {
  it('puts a date without a year first, then a year without a month, then its months', () => {
    const ascending: PartialDate[] = [
      { month: 12 },
      { year: 2020, month: 12 },
      { year: 2021 },
      { year: 2021, month: 1 },
      { year: 2021, month: 12 },
      { year: 2022 },
    ];
    expect(ascending.toReversed().sort(comparePartialDates)).toEqual(ascending);
  });

  it('is antisymmetric and transitive, and agrees with the written form where both have a month', () => {
    fc.assert(
      fc.property(partialDates, partialDates, partialDates, (a, b, c) => {
        expect(sign(a, b) + sign(b, a)).toBe(0);
        if (sign(a, b) <= 0 && sign(b, c) <= 0) expect(sign(a, c)).toBeLessThanOrEqual(0);
        const [left, right] = [formatPartialDate(a), formatPartialDate(b)];
        if (left?.length === 7 && right?.length === 7) {
          expect(sign(a, b) < 0).toBe(left < right);
        }
      }),
    );
  });
});
