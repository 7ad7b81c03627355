import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { openPairScratch } from '../../../src/store/sqlite/scratch-pairs.js';
import { tries } from '../../helpers/long.js';

it('joins two lists as a map would, whatever the keys hold', () => {
  const odd = fc.oneof(
    fc.constantFrom('', 'a', 'A', 'a\0', '\ud800', 'é', 'e\u0301', '1', '1.0', '["a","b"]'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  const list = fc.array(odd, { maxLength: 40 });
  fc.assert(
    fc.property(list, list, (before, after) => {
      const scratch = openPairScratch();
      const kept = new Map<string, string>();
      for (const [n, key] of before.entries()) {
        expect(scratch.keep(key, JSON.stringify([n, key]))).toBe(!kept.has(key.toWellFormed()));
        if (!kept.has(key.toWellFormed())) kept.set(key.toWellFormed(), JSON.stringify([n, key]));
      }
      const seen = new Set<string>();
      for (const one of after) {
        const key = one.toWellFormed();
        const pair = kept.get(key);
        const alone = pair === undefined ? { kind: 'alone' } : { kind: 'pair', kept: pair };
        expect(scratch.meet(one)).toEqual(seen.has(key) ? { kind: 'again' } : alone);
        seen.add(key);
      }
      const left: string[] = [];
      for (let last = 0; ; ) {
        const page = scratch.unmet(last, 3);
        if (page.length === 0) break;
        left.push(...page.map(({ kept: text }) => text));
        last = page.at(-1)?.number ?? 0;
      }
      const expected = [...kept].filter(([key]) => !seen.has(key)).map(([, text]) => text);
      expect(left).toEqual(expected);
      scratch.close();
      scratch.close();
    }),
    { numRuns: tries(60) },
  );
});
