import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLatencyBelief } from '../../../src/model/schedule/latency-belief.js';
import { tries } from '../../helpers/long.js';

describe('what is believed of the latency', () => {
  it('before anything is seen it is about ten seconds, give or take a factor of four', () => {
    const belief = createLatencyBelief();
    expect(belief.isGrounded()).toBe(false);
    expect(belief.quantileMs(0.5)).toBeCloseTo(10_000, -3);
    expect(belief.quantileMs(0.1)).toBeGreaterThan(1_000);
    expect(belief.quantileMs(0.9)).toBeLessThan(100_000);
  });

  it('learns from what is still pending, though no answer came', () => {
    const belief = createLatencyBelief();
    const before = belief.quantileMs(0.5);
    for (let i = 0; i < 5; i++) belief.sawPending(20_000, 0);
    expect(belief.isGrounded()).toBe(false);
    expect(belief.quantileMs(0.5)).toBeGreaterThan(2 * before);
  });

  it('is finite, and grows with the share and with the age, whatever was seen', () => {
    const age = fc.double({ min: 0, max: 1e7, noNaN: true });
    const look = fc.record({ ageMs: age, sinceMs: age, isThere: fc.boolean() });
    const property = fc.property(fc.array(look, { maxLength: 40 }), age, (looks, sinceMs) => {
      const belief = createLatencyBelief();
      for (const one of looks) {
        if (one.isThere) belief.sawAnswer(one.ageMs, one.sinceMs);
        else belief.sawPending(one.ageMs, one.sinceMs);
      }
      const quantiles = [0.01, 0.2, 0.5, 0.9, 0.999].map((q) => belief.quantileMs(q, sinceMs));
      expect(quantiles.every(Number.isFinite)).toBe(true);
      expect(quantiles).toEqual(quantiles.toSorted((a, b) => a - b));
      expect(quantiles[0]).toBeGreaterThanOrEqual(sinceMs);
    });
    fc.assert(property, { numRuns: tries(200) });
  });
});
