import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { excessIn } from '../../src/webhook/open-body.js';

/** What the scan has to agree with, as definitions. */
function levels(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levels));
}

function values(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Object.values(value);
  return Math.max(1, members.length) + members.reduce<number>((sum, one) => sum + values(one), 0);
}

const most = { levels: 64, values: 1000 };

it('agrees with the nesting and the number of values of any JSON', () => {
  const piece = fc.oneof(fc.constantFrom('[[[[', '"]"', '\\"[', '\\', '{', ',,,'), fc.string());
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      piece,
      fc.integer(),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(piece, tie('json'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(
      json,
      fc.nat(6),
      fc.nat(20),
      fc.constantFrom(0, 2),
      (value, level, count, indent) => {
        const text = JSON.stringify(value, null, indent);
        const isDeep = levels(value) > level;
        expect(excessIn(text, { ...most, levels: level })).toBe(isDeep ? 'levels' : undefined);
        const isWide = values(value) > count;
        expect(excessIn(text, { ...most, values: count })).toBe(isWide ? 'values' : undefined);
      },
    ),
  );
});

it('looks at what is no JSON without an end or an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(excessIn(text, most)).toBe(undefined);
    }),
  );
  expect(excessIn('"\\', { levels: 0, values: 0 })).toBe(undefined);
  expect(excessIn('['.repeat(8 * 2 ** 20), most)).toBe('levels');
  expect(excessIn(','.repeat(8 * 2 ** 20), most)).toBe('values');
});
