import { describe, expect, it } from 'vitest';
import { formatRate, parseRate } from '../../../src/model/schedule/rate.js';

describe('a rate', () => {
  it.each([
    ['20/2s', { requests: 20, perMs: 2_000 }],
    ['1 / 500ms', { requests: 1, perMs: 500 }],
    ['off', 'off'],
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
  ])('%j is none', (text) => {
    expect(parseRate(text)).toBeUndefined();
  });
});
