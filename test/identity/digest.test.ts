import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { digest, digestHex } from '../../src/identity/digest.js';

it.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb924'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223'],
])('of %j is the first half of its SHA-256', (text, hex) => {
  expect(digestHex(text)).toBe(hex);
  expect(digest(text)).toEqual(Buffer.from(hex, 'hex'));
});

it('is 16 bytes, the same for the same text, and another for another', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      expect(digest(a)).toHaveLength(16);
      expect(digestHex(a)).toMatch(/^[0-9a-f]{32}$/);
      expect(digestHex(a) === digestHex(b)).toBe(a === b);
    }),
  );
});
