import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  comparePartialDates,
  comparePositions,
  formatPartialDate,
  orderPositions,
  type PositionEntry,
  parsePositionShape,
} from '../../../src/model/columns/positions.js';
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
});

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
});

it.each([
  ['current', { kind: 'current' }],
  ['long', { kind: 'long' }],
  ['json', { kind: 'json' }],
  ['wide:1', { kind: 'wide', count: 1 }],
  ['wide:50', { kind: 'wide', count: 50 }],
])('%s is a shape of positions', (text, shape) => {
  expect(parsePositionShape(text)).toEqual(shape);
});

it.each([
  '',
  'wide',
  'wide:',
  'wide:0',
  'wide:01',
  'wide:51',
  'wide:100',
  'wide:-1',
  'wide:1.5',
  'wide: 3',
  'WIDE:3',
  'wide:3 ',
  'Current',
  'toString',
])('%j is none', (text) => {
  expect(parsePositionShape(text)).toBeUndefined();
});
