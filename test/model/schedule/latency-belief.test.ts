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

  it.each([
    [30, 0.3],
    [1_000, 0.6],
    [10_000, 0.6],
    [60_000, 0.8],
  ])('comes near a median of %i ms with a spread of %d, from looks alone', (medianMs, spread) => {
    const belief = createLatencyBelief();
    for (let i = 0; i < 300; i++) {
      const latencyMs = medianMs * Math.exp(spread * deviationOf(((i * 89) % 300) / 300 + 1 / 600));
      let [sinceMs, ageMs] = [0, medianMs / 2];
      for (; ageMs < latencyMs; [sinceMs, ageMs] = [ageMs, ageMs * 1.3]) {
        belief.sawPending(ageMs, sinceMs);
      }
      belief.sawAnswer(ageMs, sinceMs);
    }
    expect(belief.quantileMs(0.5) / medianMs).toBeGreaterThan(0.85);
    expect(belief.quantileMs(0.5) / medianMs).toBeLessThan(1.2);
    const tenthMs = medianMs * Math.exp(-1.2816 * spread);
    expect(belief.quantileMs(0.1) / tenthMs).toBeGreaterThan(0.75);
    expect(belief.quantileMs(0.1) / tenthMs).toBeLessThan(1.35);
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

/** The standard normal deviation below which a share lies, by bisection over the logistic's likeness to it. */
function deviationOf(share: number): number {
  return Math.log(share / (1 - share)) / 1.702;
}
