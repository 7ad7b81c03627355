import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateWindow, SlidingCount, Traffic } from '../../src/sandbox/traffic.js';

describe('Traffic', () => {
  it('states the worst window over all arrivals, refused ones included', () => {
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(400)), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(gaps, fc.boolean(), (gapsMs, isLimited) => {
        const limit = { requests: 3, perMs: 500 };
        const traffic = new Traffic(isLimited ? limit : null, limit);
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

const arrivals = fc.record({
  requests: fc.integer({ min: 1, max: 40 }),
  perMs: fc.integer({ min: 1, max: 50 }),
  gapsMs: fc.array(
    fc.oneof(fc.constant(0), fc.nat(60), fc.double({ min: 0, max: 3, noNaN: true })),
    {
      maxLength: 200,
    },
  ),
});

describe('RateWindow', () => {
  it('admits exactly what a look at all earlier starts would admit', () => {
    fc.assert(
      fc.property(arrivals, ({ requests, perMs, gapsMs }) => {
        const window = new RateWindow({ requests, perMs });
        const starts: number[] = [];
        let at = 0;
        for (const gap of gapsMs) {
          at += gap;
          const counted = starts.filter((start) => start + perMs > at);
          const { isAdmitted, remaining, freeInMs } = window.admit(at);
          expect(isAdmitted).toBe(counted.length < requests);
          if (isAdmitted) counted.push(at);
          if (isAdmitted) starts.push(at);
          expect(remaining).toBe(requests - counted.length);
          expect(freeInMs).toBe((counted[0] ?? Number.NaN) + perMs - at);
        }
      }),
    );
  });

  it('never has more starts than allowed in any window, also around its edge', () => {
    const limit = { requests: 20, perMs: 2000 };
    const window = new RateWindow(limit);
    const starts: number[] = [];
    for (let at = 0; at < 20_000; at += 7) if (window.admit(at).isAdmitted) starts.push(at);
    const worst = starts.map(
      (start) => starts.filter((other) => other >= start && other < start + limit.perMs).length,
    );
    expect(Math.max(...worst)).toBe(20);
    expect(starts.length).toBe(200);
  });

  it('frees a slot at the very moment it has announced', () => {
    const window = new RateWindow({ requests: 1, perMs: 2000 });
    window.admit(100);
    const { freeInMs } = window.admit(1234.5);
    expect(window.admit(1234.5 + freeInMs - 0.5).isAdmitted).toBe(false);
    expect(window.admit(1234.5 + freeInMs).isAdmitted).toBe(true);
  });
});

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
