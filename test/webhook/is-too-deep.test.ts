import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isTooDeep } from '../../src/webhook/is-too-deep.js';

/** What the scan has to agree with, as a definition. */
function levels(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levels));
}

it('agrees with the nesting of any JSON', () => {
  const text = fc.oneof(fc.constantFrom('[[[[', '"]"', '\\"[', '\\', '{'), fc.string());
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      text,
      fc.integer(),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(text, tie('json'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(json, fc.nat(6), fc.constantFrom(0, 2), (value, most, indent) => {
      const bytes = Buffer.from(JSON.stringify(value, null, indent));
      expect(isTooDeep(bytes, most)).toBe(levels(value) > most);
    }),
  );
});

it('looks at what is no JSON without an end or an error', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(isTooDeep(bytes, 64)).toBe(false);
    }),
  );
  expect(isTooDeep(Buffer.from('"\\'), 0)).toBe(false);
  expect(isTooDeep(Buffer.alloc(8 * 2 ** 20, '['), 64)).toBe(true);
});
