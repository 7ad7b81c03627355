import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatDuration,
  HEADER_WAIT_MS_MAX,
  parseDuration,
  parseWait,
  type ResetFormat,
} from '../../../src/model/text/time.js';

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
    ['2024-01-01T12:00:09Z', 9_000],
    ['2024-01-01T13:00:09+01:00', 9_000],
    ['2024-01-01T12:00:09.250', 9_250],
    ['2024-01-01 12:00:09', 9_000],
    ['Mon Jan 01 2024 13:00:09 GMT+0100 (Central European Standard Time)', 9_000],
    ['Mon, 01 Jan 2024 11:00:00 GMT', 0],
    ['999999999', 3_600_000],
    ['9'.repeat(20), 3_600_000],
  ])('%j is %i ms', (text, waitMs) => {
    expect(parseWait(text, 'auto', NOW)).toBe(waitMs);
  });

  it.each(['', 'soon', '1e3', '7s', 'NaN', 'Mon, 99 Foo', '2024-13-45', '0x10'])(
    '%j is none',
    (text) => {
      expect(parseWait(text, 'auto', NOW)).toBeUndefined();
    },
  );

  it('is read in the one format that is set', () => {
    const wait = (text: string, format: ResetFormat) => parseWait(text, format, NOW, 1e15);
    expect(wait('2000000000', 'seconds')).toBe(2e12);
    expect(wait('5', 'epoch')).toBe(0);
    expect(wait(String(NOW + 5), 'epoch-ms')).toBe(5);
    expect(wait(String(NOW / 1_000), 'epoch-ms')).toBe(0);
    for (const date of ['date', 'iso', 'javascript'] as const) {
      expect(wait('5', date)).toBeUndefined();
      expect(wait('Mon, 01 Jan 2024 12:00:09 GMT', date)).toBe(9_000);
    }
    expect(wait('Mon, 01 Jan 2024 12:00:09 GMT', 'seconds')).toBeUndefined();
    expect(wait('Mon, 01 Jan 2024 12:00:09 GMT', 'epoch')).toBeUndefined();
    expect(wait('2024-01-02', 'date')).toBe(43_200_000);
  });
});

it('seconds and the date they lead to are one wait', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3_600 }), (seconds) => {
      const date = new Date(NOW + seconds * 1_000).toUTCString();
      expect(parseWait(String(seconds), 'auto', NOW)).toBe(seconds * 1_000);
      expect(parseWait(date, 'auto', NOW)).toBe(seconds * 1_000);
    }),
  );
});

it('whatever is told, the wait is none, or between nothing and an hour', () => {
  const told = fc.oneof(
    fc.string(),
    fc.double().map(String),
    fc.date({ noInvalidDate: true }).map((at) => at.toUTCString()),
  );
  fc.assert(
    fc.property(told, (text) => {
      const waitMs = parseWait(text, 'auto', NOW) ?? 0;
      expect(waitMs).toBeGreaterThanOrEqual(0);
      expect(waitMs).toBeLessThanOrEqual(HEADER_WAIT_MS_MAX);
    }),
  );
});

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
