// What the headers of an answer tell of the limit, and whether the dialect reads them as they are meant.

import type { Dialect } from '../../dialect/dialect.js';
import { type CallFinding, right, wrong } from '../../model/platform/check.js';
import type { Headers } from '../wire/exchange.js';
import { headerOf, readRate } from './rate-headers.js';

/** Names that platforms give to such headers. */
const ALIKE = /rate-?limit|(^|-)(rate|quota|throttle)-/i;
/** A key of `limits.headers`, and where its value is read to. */
const READ_FROM = [
  { key: 'limit', field: 'limit' },
  { key: 'remaining', field: 'remaining' },
  { key: 'reset', field: 'resetMs' },
] as const;
/** What is read in the dialect's format and by its looks may differ by the time between the two. */
const DIFFERENCE_MS_MAX = 1_500;

export function judgeLimitHeaders(
  headers: Headers,
  { limits }: Dialect,
  nowMs: number,
): CallFinding {
  const told = READ_FROM.filter(({ key }) => headerOf(headers, limits.headers[key]) !== undefined);
  if (!told.some(({ key }) => key === 'remaining')) {
    const named = new Set(Object.values(limits.headers).map((name) => name.toLowerCase()));
    const strangers = Object.keys(headers).filter((name) => ALIKE.test(name) && !named.has(name));
    if (told.length === 0 || strangers.length > 0) return judgeStrangers(strangers);
  }
  const rate = readRate(headers, limits, nowMs);
  const byLooks = readRate(headers, { ...limits, reset: 'auto' }, nowMs);
  const lost = told.find(({ field }) => rate[field] === undefined)?.key;
  if (lost !== undefined) {
    const keys = [`limits.headers.${lost}`, ...(lost === 'reset' ? ['limits.reset'] : [])];
    return wrong(`${limits.headers[lost]} cannot be read`, keys);
  }
  const awayMs = Math.abs((rate.resetMs ?? 0) - (byLooks.resetMs ?? 0));
  if (awayMs > DIFFERENCE_MS_MAX) {
    return wrong(`${limits.headers.reset} does not look like "${limits.reset}"`, ['limits.reset']);
  }
  const names = told.map(({ key }) => limits.headers[key]);
  return right(`${names.join(', ')} can be read`);
}

/** Without a word about the limit only the dialect's own rate counts, and that is no flaw. */
function judgeStrangers(names: readonly string[]): CallFinding {
  if (names.length === 0) {
    return right('none tells of a limit, so limits.rate alone counts');
  }
  return wrong(`the answers carry ${names.join(', ')}, which the dialect does not name`, [
    'limits.headers',
  ]);
}
