import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateWindow } from '../../../src/sandbox/traffic/rate-window.js';

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
