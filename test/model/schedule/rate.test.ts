import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRate, leastTimeMs, parseRate, type Rate } from '../../../src/model/schedule/rate.js';

describe('a rate', () => {
  it.each([
    ['20/2s', [{ requests: 20, perMs: 2_000 }]],
    ['1 / 500ms', [{ requests: 1, perMs: 500 }]],
    [
      '100/60s, 20/2s',
      [
        { requests: 20, perMs: 2_000 },
        { requests: 100, perMs: 60_000 },
      ],
    ],
    ['off', []],
  ] as const)('%s is read', (text, rate) => {
    expect(parseRate(text)).toEqual(rate);
    expect(parseRate(formatRate(rate))).toEqual(rate);
  });

  it.each([
    '',
    '20',
    '0/2s',
    '20/0s',
    '20/2',
    '-1/2s',
    '1.5/s',
    '20/s',
    'OFF',
    '20/2d',
    '999999/1s',
    '20/2s, 10/2s',
    '20/2s,',
    '20/2s, off',
  ])('%j is none', (text) => {
    expect(parseRate(text)).toBeUndefined();
  });
});

it.each([
  [0, 0],
  [1, 0],
  [20, 0],
  [21, 2_000],
  [40, 2_000],
  [41, 4_000],
  [20_000, 1_998_000],
])('%i requests at 20/2s take at least %i ms', (requests, timeMs) => {
  expect(leastTimeMs(requests, [{ requests: 20, perMs: 2_000 }])).toBe(timeMs);
});

it('is what a sliding window allows when every request goes out as early as it may', () => {
  const limit = fc.record({
    requests: fc.integer({ min: 1, max: 6 }),
    perMs: fc.integer({ min: 1, max: 7 }),
  });
  const rate = fc.array(limit, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40 }), rate, (requests, at) => {
      expect(leastTimeMs(requests, at)).toBe(bruteForceMs(requests, at));
    }),
  );
});

/** Looks at every millisecond: may a request start now, with those of the window before it? */
function bruteForceMs(requests: number, rate: Rate): number {
  const starts: number[] = [];
  for (let now = 0; starts.length < requests; now++) {
    const isFree = () =>
      rate.every((one) => starts.filter((at) => at > now - one.perMs).length < one.requests);
    while (starts.length < requests && isFree()) starts.push(now);
  }
  return starts.at(-1) ?? 0;
}
