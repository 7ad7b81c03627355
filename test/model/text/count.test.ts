import { expect, it } from 'vitest';
import { formatCount, formatNumber } from '../../../src/model/text/count.js';

it.each([
  [0, '0 leads'],
  [1, '1 lead'],
  [2, '2 leads'],
  [0.5, '0.5 leads'],
  [1_234, '1,234 leads'],
])('%d leads are counted as %s', (value, text) => {
  expect(formatCount(value, 'lead')).toBe(text);
});

it('a count may have its verb, and a number no noun', () => {
  expect(formatCount(1, 'was', 'were')).toBe('1 was');
  expect(formatCount(2, 'lead is', 'leads are')).toBe('2 leads are');
  expect(formatNumber(1_234_567)).toBe('1,234,567');
});
