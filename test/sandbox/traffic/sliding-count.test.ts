import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlidingCount } from '../../../src/sandbox/traffic/sliding-count.js';

describe('SlidingCount', () => {
  // Bursts after a pause make the ring wrap around before it has to grow.
  it('counts as a list of all moments would, however the ring wraps and grows', () => {
    const bursts = fc.array(fc.tuple(fc.nat(15), fc.nat(90)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(bursts, (steps) => {
        const sliding = new SlidingCount(20);
        let moments: number[] = [];
        let at = 0;
        for (const [gapMs, size] of steps) {
          for (let count = 0; count < size; count += 1) {
            at += gapMs / (count + 1);
            moments = moments.filter((moment) => moment + 20 > at);
            expect(sliding.countAt(at)).toBe(moments.length);
            expect(sliding.oldest).toBe(moments[0] ?? Number.NaN);
            sliding.add(at);
            moments.push(at);
          }
        }
      }),
    );
  });
});
