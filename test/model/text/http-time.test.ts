import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../../src/model/schedule/retry-after.js';
import { parseHttpDate, parseWait } from '../../../src/model/text/http-time.js';

const NOW = Date.UTC(2024, 0, 1, 12, 0, 0);

describe('a wait told by a header', () => {
  it.each([
    ['7', 7_000],
    [' 0.5 ', 500],
    ['0', 0],
    ['-5', 0],
    [String(NOW / 1_000 + 3), 3_000],
    [String(NOW + 3), 3],
    ['Mon, 01 Jan 2024 12:00:09 GMT', 9_000],
    ['Monday, 01-Jan-24 12:00:09 GMT', 9_000],
    ['Mon Jan  1 12:00:09 2024', 9_000],
    ['2024-01-01T12:00:09Z', 9_000],
    ['2024-01-01T13:00:09+01:00', 9_000],
    ['2024-01-01T12:00:09.250', 9_250],
    ['2024-01-01 12:00:09', 9_000],
    ['Mon, 01 Jan 2024 11:00:00 GMT', 0],
    ['999999999', 3_600_000],
    ['9'.repeat(20), 3_600_000],
  ])('%j is %i ms', (text, waitMs) => {
    expect(parseRetryAfter(text, NOW)).toBe(waitMs);
  });

  it.each(['', 'soon', '1e3', '7s', 'NaN', 'Mon, 99 Foo', '2024-13-45', '0x10'])(
    '%j is none',
    (text) => {
      expect(parseRetryAfter(text, NOW)).toBeUndefined();
    },
  );

  it('is read in the one format that is set', () => {
    const wait = (text: string, format: 'seconds' | 'epoch' | 'date') =>
      parseWait(text, format, NOW, 1e15);
    expect(wait('2000000000', 'seconds')).toBe(2e12);
    expect(wait('5', 'epoch')).toBe(0);
    expect(wait('5', 'date')).toBeUndefined();
    expect(wait('Mon, 01 Jan 2024 12:00:09 GMT', 'seconds')).toBeUndefined();
    expect(wait('Mon, 01 Jan 2024 12:00:09 GMT', 'epoch')).toBeUndefined();
    expect(wait('2024-01-02', 'date')).toBe(43_200_000);
  });

  it('reads no text that merely begins like a date', () => {
    expect(parseHttpDate('Sunflower 1')).toBeUndefined();
  });
});
