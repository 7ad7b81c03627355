import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import { judgeLimitHeaders } from '../../../src/platform/limit/limit-headers.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const REMAINING = { 'x-ratelimit-remaining': '19' };

function judge(headers: Record<string, string>, limits: object = {}) {
  return judgeLimitHeaders(headers, dialectSchema.parse({ limits }), NOW);
}

describe('headers about the limit', () => {
  it.each<[string, Record<string, string>, object]>([
    ['all three', { ...REMAINING, 'x-ratelimit-limit': '20', 'x-ratelimit-reset': '2' }, {}],
    ['a list of limits', { ...REMAINING, 'x-ratelimit-limit': '20, 20;w=2' }, {}],
    ['one more than are named', { ...REMAINING, 'ratelimit-policy': '20;w=2' }, {}],
    ['none', { date: 'today', 'retry-after': '3' }, {}],
    [
      'other names, whatever their case',
      { 'x-rate-left': '19', 'x-rate-reset': String(NOW / 1_000 + 2) },
      { headers: { remaining: 'X-Rate-Left', reset: 'X-Rate-Reset' }, reset: 'epoch' },
    ],
    ['a window that ends now', { ...REMAINING, 'x-ratelimit-reset': '0' }, { reset: 'epoch' }],
  ])('are right with %s', (_, headers, limits) => {
    expect(judge(headers, limits)).toMatchObject({ verdict: 'ok', keys: [] });
  });

  it.each<[string, Record<string, string>, object, string[], RegExp]>([
    ['another name', { 'x-rate-left': '1' }, {}, ['limits.headers'], /x-rate-left, which/],
    [
      'another name for what remains',
      { 'x-ratelimit-limit': '20', 'ratelimit-left': '1' },
      {},
      ['limits.headers'],
      /carry ratelimit-left, which/,
    ],
    [
      'no number',
      { 'x-ratelimit-remaining': 'many' },
      {},
      ['limits.headers.remaining'],
      /remaining cannot be read/,
    ],
    [
      'a number where a date is said',
      { ...REMAINING, 'x-ratelimit-reset': '2' },
      { reset: 'date' },
      ['limits.headers.reset', 'limits.reset'],
      /reset cannot be read/,
    ],
    [
      'a moment where seconds are said',
      { ...REMAINING, 'x-ratelimit-reset': String(NOW / 1_000 + 2) },
      { reset: 'seconds' },
      ['limits.reset'],
      /does not look like "seconds"/,
    ],
    [
      'seconds where a moment is said',
      { ...REMAINING, 'x-ratelimit-reset': '2' },
      { reset: 'epoch' },
      ['limits.reset'],
      /does not look like "epoch"/,
    ],
  ])('are wrong with %s', (_, headers, limits, keys, says) => {
    const finding = judge(headers, limits);
    expect(finding).toMatchObject({ verdict: 'wrong', keys });
    expect(finding.says).toMatch(says);
  });
});
