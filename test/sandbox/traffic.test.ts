import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Traffic } from '../../src/sandbox/traffic.js';

describe('Traffic', () => {
  it('states the worst window over all arrivals, refused ones included', () => {
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(400)), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(gaps, fc.boolean(), (gapsMs, isLimited) => {
        const limit = { requests: 3, perMs: 500 };
        const traffic = new Traffic(isLimited ? [limit] : [], limit);
        let at = 0;
        const moments = gapsMs.map((gap) => (at += gap));
        const refused = moments.filter((moment) => traffic.arrive(moment)?.isAdmitted === false);
        const windows = moments.map(
          (start) => moments.filter((other) => other >= start && other < start + 500).length,
        );
        expect(traffic.worstWindow).toBe(Math.max(...windows));
        expect(traffic.requests).toBe(moments.length);
        expect(traffic.throttled).toBe(refused.length);
      }),
    );
  });
});
