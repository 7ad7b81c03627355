import { describe, expect, it } from 'vitest';
import { dialectSchema, NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import {
  judgeLimitHeaders,
  readPause,
  readRate,
} from '../../../src/platform/limit/rate-headers.js';

const NOW = Date.UTC(2024, 0, 1);
const { limits } = NEUTRAL_DIALECT;

describe('the headers of the limit', () => {
  it('are read under their neutral names', () => {
    const headers = {
      'x-ratelimit-limit': '20, 20;w=2',
      'x-ratelimit-remaining': ' 3',
      'x-ratelimit-reset': '1.5',
    };
    expect(readRate(headers, limits, NOW)).toEqual({ limit: 20, remaining: 3, resetMs: 1_500 });
  });

  it('are absent where they say nothing', () => {
    const headers = {
      'x-ratelimit-limit': 'many',
      'x-ratelimit-remaining': '-1',
      'x-ratelimit-reset': '',
    };
    expect(readRate(headers, limits, NOW)).toEqual({});
    expect(readPause({}, limits, NOW)).toBeUndefined();
  });

  it('are read under the names and in the format of a dialect', () => {
    const dialect = dialectSchema.parse({
      limits: {
        reset: 'epoch',
        headers: { remaining: 'X-Left', reset: 'X-Until', retryAfter: 'X-Wait' },
      },
    });
    const headers = { 'x-left': ['7', '8'], 'x-until': String(NOW / 1_000 + 2), 'x-wait': '4' };
    expect(readRate(headers, dialect.limits, NOW)).toEqual({ remaining: 7, resetMs: 2_000 });
    expect(readPause(headers, dialect.limits, NOW)).toEqual({ ms: 4_000, by: 'X-Wait: 4' });
  });

  it('ask for a pause in any form', () => {
    const pause = (text: string) => readPause({ 'retry-after': text }, limits, NOW)?.ms;
    expect(pause(String(NOW / 1_000 + 9))).toBe(9_000);
    expect(pause('Mon, 01 Jan 2024 00:00:09 GMT')).toBe(9_000);
    expect(pause('9')).toBe(9_000);
  });

  it('tell moments by the clock of the platform where it differs from ours', () => {
    const date = new Date(NOW - 3_600_000).toUTCString();
    const retryAfter = new Date(NOW - 3_590_000).toUTCString();
    expect(readPause({ date, 'retry-after': retryAfter }, limits, NOW)).toMatchObject({
      ms: 10_000,
    });
  });

  it.each(['auto', 'date'] as const)(
    'may be a date with an offset where the reset is %s',
    (reset) => {
      const headers = {
        'x-ratelimit-reset': 'Mon Jan 01 2024 01:00:20 GMT+0100 (Central European Standard Time)',
      };
      const told = dialectSchema.parse({ limits: { reset } }).limits;
      expect(readRate(headers, told, NOW)).toEqual({ resetMs: 20_000 });
      expect(readPause(headers, told, NOW)).toMatchObject({ ms: 20_000 });
    },
  );

  it('are a pause by the reset alone only where Retry-After says nothing', () => {
    const reset = { 'x-ratelimit-reset': '7' };
    expect(readPause({ ...reset, 'retry-after': 'soon' }, limits, NOW)).toEqual({
      ms: 7_000,
      by: 'x-ratelimit-reset: 7',
    });
    expect(readPause({ ...reset, 'retry-after': '2' }, limits, NOW)).toEqual({
      ms: 2_000,
      by: 'retry-after: 2',
    });
  });
});

const NOON = Date.parse('2026-11-21T12:00:00Z');
const REMAINING = { 'x-ratelimit-remaining': '19' };

function judge(headers: Record<string, string>, limits: object = {}) {
  return judgeLimitHeaders(headers, dialectSchema.parse({ limits }), NOON);
}

describe('headers about the limit', () => {
  it.each<[string, Record<string, string>, object]>([
    ['all three', { ...REMAINING, 'x-ratelimit-limit': '20', 'x-ratelimit-reset': '2' }, {}],
    ['a list of limits', { ...REMAINING, 'x-ratelimit-limit': '20, 20;w=2' }, {}],
    ['one more than are named', { ...REMAINING, 'ratelimit-policy': '20;w=2' }, {}],
    ['none', { date: 'today', 'retry-after': '3' }, {}],
    [
      'other names, whatever their case',
      { 'x-rate-left': '19', 'x-rate-reset': String(NOON / 1_000 + 2) },
      { headers: { remaining: 'X-Rate-Left', reset: 'X-Rate-Reset' }, reset: 'epoch' },
    ],
    ['a window that ends now', { ...REMAINING, 'x-ratelimit-reset': '0' }, { reset: 'epoch' }],
  ])('are right with %s', (_, headers, limits) => {
    expect(judge(headers, limits)).toMatchObject({ verdict: 'ok', keys: [] });
  });

  const moment = String(NOON / 1_000 + 2);
  const resets = (reset: string) => ({ ...REMAINING, 'x-ratelimit-reset': reset });
  const LIMIT = { 'x-ratelimit-limit': '20' };
  it.each<[string, Record<string, string>, object, string, RegExp]>([
    ['another name', { 'x-rate-left': '1' }, {}, 'headers', /x-rate-left, which/],
    [
      'one for what remains',
      { ...LIMIT, 'ratelimit-left': '1' },
      {},
      'headers',
      /carry ratelimit-left, which/,
    ],
    [
      'no number',
      { 'x-ratelimit-remaining': 'many' },
      {},
      'headers.remaining',
      /remaining cannot be read/,
    ],
    [
      'no date where one is said',
      resets('2'),
      { reset: 'date' },
      'headers.reset reset',
      /reset cannot be read/,
    ],
    [
      'a moment for seconds',
      resets(moment),
      { reset: 'seconds' },
      'reset',
      /does not look like "seconds"/,
    ],
    [
      'seconds for a moment',
      resets('2'),
      { reset: 'epoch' },
      'reset',
      /does not look like "epoch"/,
    ],
  ])('are wrong with %s', (_, headers, limits, keys, says) => {
    const finding = judge(headers, limits);
    const told = keys.split(' ').map((key) => `limits.${key}`);
    expect(finding).toMatchObject({ verdict: 'wrong', keys: told });
    expect(finding.says).toMatch(says);
  });
});
