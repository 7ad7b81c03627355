import { describe, expect, it } from 'vitest';
import {
  formatDuration,
  formatNumber,
  formatTable,
  formatTime,
} from '../../../src/cli/print/format.js';

it.each([
  [0, '0'],
  [999, '999'],
  [1_234_567, '1,234,567'],
  [-1_000, '-1,000'],
])('the number %d reads %s', (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

it.each([
  [0, '0 ms'],
  [850, '850 ms'],
  [999, '999 ms'],
  [999.6, '1 s'],
  [1_000, '1 s'],
  [1_499, '1 s'],
  [1_500, '2 s'],
  [59_499, '59 s'],
  [59_500, '1 min'],
  [60_000, '1 min'],
  [61_000, '1 min 1 s'],
  [200_000, '3 min 20 s'],
  [3_599_499, '59 min 59 s'],
  [3_599_500, '1 h'],
  [7_500_000, '2 h 5 min'],
  [360_000_000, '100 h'],
])('%d ms read %s', (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});

it('a time is told in UTC, to the second', () => {
  expect(formatTime(Date.UTC(2026, 10, 21, 7, 40, 12, 999))).toBe('2026-11-21 07:40:12');
});

describe('a table', () => {
  it('is as wide as its cells, with numbers on the right and no space at the end', () => {
    const rows = [
      ['1', 'nightly', '1,000'],
      ['23', 'x', '7'],
    ];
    expect(formatTable(['run', 'job', 'leads'], rows, new Set(['run', 'leads']))).toEqual([
      'run  job      leads',
      '  1  nightly  1,000',
      ' 23  x            7',
    ]);
    expect(formatTable(['a', 'b'], [['longer', '']])).toEqual(['a       b', 'longer']);
  });

  it('holds no character that could steer a terminal or begin a line', () => {
    const rows = [['1', 'x\u001b[2J\n\u202e1']];
    expect(formatTable(['run', 'job'], rows)).toEqual(['run  job', '1    x [2J  1']);
  });

  it('without rows is its header', () => {
    expect(formatTable(['run', 'job'], [])).toEqual(['run  job']);
  });
});
