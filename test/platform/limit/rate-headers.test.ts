import { describe, expect, it } from 'vitest';
import { dialectSchema, NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import { readPause, readRate } from '../../../src/platform/limit/rate-headers.js';

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
    expect(readPause(headers, dialect.limits, NOW)).toBe(4_000);
  });

  it('tell moments by the clock of the platform where it differs from ours', () => {
    const date = new Date(NOW - 3_600_000).toUTCString();
    const retryAfter = new Date(NOW - 3_590_000).toUTCString();
    expect(readPause({ date, 'retry-after': retryAfter }, limits, NOW)).toBe(10_000);
  });
});
