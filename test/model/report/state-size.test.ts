import { expect, it } from 'vitest';
import { describeSize, sizeData } from '../../../src/model/report/state-size.js';

const SIZE = { bytes: 83_400_000, unusedBytes: 0, logBytes: 0, bytesADay: null };

it.each([
  ['83.4 MB', SIZE],
  ['83.4 MB (12.0 MB of it unused)', { ...SIZE, unusedBytes: 12_000_000 }],
  ['83.4 MB, 4.1 KB of log', { ...SIZE, logBytes: 4_096 }],
  ['83.4 MB, growing by 2.1 MB a day', { ...SIZE, bytesADay: 2_100_000 }],
  ['83.4 MB', { ...SIZE, bytesADay: -2_100_000 }],
])('the size of a state file is told: %s', (text, size) => {
  expect(describeSize(size)).toBe(text);
});

it('scripts get the same keys where there is no state file', () => {
  expect(Object.keys(sizeData(null))).toEqual(Object.keys(sizeData(SIZE)));
});
