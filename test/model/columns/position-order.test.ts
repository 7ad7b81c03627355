import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  comparePositions,
  isCurrent,
  orderPositions,
  type PositionEntry,
} from '../../../src/model/columns/position-order.js';
import type { DateRange, PartialDate, PositionGroup } from '../../../src/model/result.js';

// Few years and months, so that ties are frequent.
const partialDates = fc.record(
  { month: fc.integer({ min: 1, max: 3 }), year: fc.integer({ min: 2019, max: 2021 }) },
  { requiredKeys: [] },
);
const ranges: fc.Arbitrary<DateRange> = fc.record({ start: partialDates, end: partialDates });
const groups: fc.Arbitrary<PositionGroup[]> = fc.array(
  fc.record({
    company: fc.record({ name: fc.string() }),
    date: ranges,
    profilePositions: fc.array(fc.record({ title: fc.string(), date: ranges }), { maxLength: 4 }),
  }),
  { maxLength: 5 },
);

function group(name: string, ...titled: [title: string, start: PartialDate, end: PartialDate][]) {
  return {
    company: { name },
    date: { start: {}, end: {} },
    profilePositions: titled.map(([title, start, end]) => ({ title, date: { start, end } })),
  };
}

function titles(entries: readonly PositionEntry[]): (string | undefined)[] {
  return entries.map(({ position }) => position?.title);
}

describe('orderPositions', () => {
  it('puts current positions first, then goes by end, by start, and by the input', () => {
    const ordered = orderPositions([
      group(
        'A',
        ['old', { year: 2001 }, { year: 2005 }],
        ['longer', { year: 2008 }, { year: 2012 }],
      ),
      group('B', ['now, early', { year: 2003 }, {}], ['shorter', { year: 2010 }, { year: 2012 }]),
      group(
        'C',
        ['now, late', { year: 2020, month: 1 }, {}],
        ['twin', { year: 2008 }, { year: 2012 }],
      ),
    ]);
    expect(titles(ordered)).toEqual([
      'now, late',
      'now, early',
      'shorter',
      'longer',
      'twin',
      'old',
    ]);
  });

  it('takes an end that is only a month for an end, and for the earliest of all', () => {
    const ordered = orderPositions([
      group('A', ['month only', { year: 2022 }, { month: 5 }], ['ended', {}, { year: 1990 }]),
      group('B', ['current', {}, {}]),
    ]);
    expect(titles(ordered)).toEqual(['current', 'ended', 'month only']);
  });

  it('keeps a group without positions, with the dates of the group', () => {
    const empty = {
      company: { name: 'Empty' },
      date: { start: { year: 2015 }, end: { year: 2016 } },
      profilePositions: [],
    };
    const ordered = orderPositions([
      group('A', ['before', {}, { year: 2014 }], ['after', {}, { year: 2018 }]),
      empty,
    ]);
    expect(titles(ordered)).toEqual(['after', undefined, 'before']);
    expect(ordered[1]).toMatchObject({ group: empty, position: null, groupIndex: 1 });
  });

  it('makes one entry for each position and each empty group', () => {
    fc.assert(
      fc.property(groups, (input) => {
        const count = input.reduce(
          (sum, each) => sum + Math.max(1, each.profilePositions.length),
          0,
        );
        const ordered = orderPositions(input);
        expect(ordered.map(({ index }) => index).sort((a, b) => a - b)).toEqual(
          Array.from({ length: count }, (_, n) => n),
        );
      }),
    );
  });
});

describe('comparePositions', () => {
  it('is a total order: antisymmetric, transitive, and 0 for nothing but the same entry', () => {
    fc.assert(
      fc.property(groups, (input) => {
        const entries = orderPositions(input).slice(0, 8);
        for (const a of entries) {
          for (const b of entries) {
            const sign = Math.sign(comparePositions(a, b));
            expect(sign + Math.sign(comparePositions(b, a))).toBe(0);
            expect(sign === 0).toBe(a === b);
            for (const c of entries) {
              if (sign < 0 && comparePositions(b, c) < 0)
                expect(comparePositions(a, c)).toBeLessThan(0);
            }
          }
        }
      }),
    );
  });

  it('sorts any permutation of the entries alike', () => {
    const shuffled = groups
      .map(orderPositions)
      .chain((entries) =>
        fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length })),
      );
    fc.assert(
      fc.property(shuffled, ([ordered, permuted]) => {
        expect([...permuted].sort(comparePositions)).toEqual(ordered);
      }),
    );
  });

  it('never puts a position that has ended before a current one', () => {
    fc.assert(
      fc.property(groups, (input) => {
        const current = orderPositions(input).map(({ date }) => isCurrent(date));
        expect(current.lastIndexOf(true)).toBeLessThan(
          current.includes(false) ? current.indexOf(false) : Number.POSITIVE_INFINITY,
        );
      }),
    );
  });
});
