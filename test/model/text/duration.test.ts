import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../../src/model/text/duration.js';

describe('a duration', () => {
  it.each([
    ['30d', 2_592_000_000],
    ['2h', 7_200_000],
    ['90m', 5_400_000],
    ['10s', 10_000],
    ['500ms', 500],
    ['0s', 0],
  ])('%s is %i ms', (text, durationMs) => {
    expect(parseDuration(text)).toBe(durationMs);
  });

  it.each([
    '',
    '10',
    's',
    '1.5h',
    '-1s',
    '1 s',
    '1H',
    '1w',
    '1h30m',
    '1e3s',
    '9'.repeat(12) + 'd',
    '1toString',
  ])('%j is none', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it('is read back as it was written', () => {
    fc.assert(
      fc.property(fc.nat(), (durationMs) => {
        expect(parseDuration(formatDuration(durationMs))).toBe(durationMs);
      }),
    );
    expect([5_400_000, 7_200_000, 1_500, 0].map(formatDuration)).toEqual([
      '90m',
      '2h',
      '1500ms',
      '0ms',
    ]);
  });
});
