// Reads an answer's headers about the limit, under the names and in the format of the dialect; and judges whether the
// dialect reads them as they are meant.

import type { Dialect } from '../../dialect/dialect.js';
import { type CallFinding, right, wrong } from '../../model/resources/check.js';
import { parseDate } from '../../model/text/date.js';
import { HEADER_WAIT_MS_MAX, parseWait } from '../../model/text/time.js';
import { type Headers, headerOf } from '../wire/headers.js';

type Limits = Dialect['limits'];

export interface RateReading {
  readonly limit?: number | undefined;
  readonly remaining?: number | undefined;
  readonly resetMs?: number | undefined;
}

/** The longest pause that is told: a longer one comes from a wrong clock or a wrong unit. */
const PAUSE_MS_MAX = 366 * 86_400_000;
/** If two clocks are further apart than this, the platform's time is taken from the answer's own `Date`. */
const SKEW_MS_MAX = 5_000;

export function readRate(headers: Headers, limits: Limits, nowMs: number): RateReading {
  return {
    limit: readCount(headers, limits.headers.limit),
    remaining: readCount(headers, limits.headers.remaining),
    resetMs: readReset(headers, limits, nowMs),
  };
}

export interface ToldPause {
  readonly ms: number;
  /** The header that says so, as it came. */
  readonly by: string;
}

/** How long a throttled client has to stay away: by `Retry-After`, else by the reset; undefined if neither says. */
export function readPause(headers: Headers, limits: Limits, nowMs: number): ToldPause | undefined {
  const text = headerOf(headers, limits.headers.retryAfter);
  const now = platformNow(headers, nowMs);
  const asked = text === undefined ? undefined : parseWait(text, 'auto', now, PAUSE_MS_MAX);
  const { reset, retryAfter } = limits.headers;
  const ms = asked ?? readReset(headers, limits, nowMs, PAUSE_MS_MAX) ?? 0;
  const name = asked === undefined ? reset : retryAfter;
  // The client is throttled but asked to wait for nothing: that does not say how long.
  return ms === 0 ? undefined : { ms, by: `${name}: ${headerOf(headers, name)?.trim()}` };
}

function readReset(
  headers: Headers,
  limits: Limits,
  nowMs: number,
  waitMsMax = HEADER_WAIT_MS_MAX,
): number | undefined {
  const text = headerOf(headers, limits.headers.reset);
  if (text === undefined) return undefined;
  return parseWait(text, limits.reset, platformNow(headers, nowMs), waitMsMax);
}

/**
 * The time of the platform's clock, by which moments in headers go; the answer's `Date` shows how far it is from ours.
 */
function platformNow(headers: Headers, nowMs: number): number {
  const date = parseDate(headerOf(headers, 'date') ?? '');
  return date !== undefined && Math.abs(date - nowMs) > SKEW_MS_MAX ? date : nowMs;
}

/** A whole number; only the first one of a list (`20, 20;w=2`). */
function readCount(headers: Headers, name: string): number | undefined {
  const match = /^\s*(\d{1,12})\b/.exec(headerOf(headers, name) ?? '');
  return match === null ? undefined : Number(match[1]);
}

const ALIKE = /rate-?limit|(^|-)(rate|quota|throttle)-/i;
/** The keys of `limits.headers`, and the fields that their values fill. */
const READ_FROM = [
  { key: 'limit', field: 'limit' },
  { key: 'remaining', field: 'remaining' },
  { key: 'reset', field: 'resetMs' },
] as const;
/** Between a reset read in the dialect's format and one read by its looks: the time between the two readings. */
const DIFFERENCE_MS_MAX = 1_500;

export function judgeLimitHeaders(
  headers: Headers,
  { limits }: Dialect,
  nowMs: number,
): CallFinding {
  const present = READ_FROM.filter(
    ({ key }) => headerOf(headers, limits.headers[key]) !== undefined,
  );
  if (!present.some(({ key }) => key === 'remaining')) {
    const named = new Set(Object.values(limits.headers).map((name) => name.toLowerCase()));
    const strangers = Object.keys(headers).filter((name) => ALIKE.test(name) && !named.has(name));
    if (present.length === 0 || strangers.length > 0) return judgeStrangers(strangers);
  }
  const rate = readRate(headers, limits, nowMs);
  const byLooks = readRate(headers, { ...limits, reset: 'auto' }, nowMs);
  const lost = present.find(({ field }) => rate[field] === undefined)?.key;
  if (lost !== undefined) {
    const keys = [`limits.headers.${lost}`, ...(lost === 'reset' ? ['limits.reset'] : [])];
    return wrong(`${limits.headers[lost]} cannot be read`, keys);
  }
  const awayMs = Math.abs((rate.resetMs ?? 0) - (byLooks.resetMs ?? 0));
  if (awayMs > DIFFERENCE_MS_MAX) {
    return wrong(`${limits.headers.reset} does not look like "${limits.reset}"`, ['limits.reset']);
  }
  const names = present.map(({ key }) => limits.headers[key]);
  return right(`${names.join(', ')} can be read`);
}

/** Judges unknown headers. Without any about the limit only the dialect's own rate counts, and that is not a flaw. */
function judgeStrangers(names: readonly string[]): CallFinding {
  if (names.length === 0) {
    return right('none names a limit, so limits.rate alone counts');
  }
  return wrong(`the answers carry ${names.join(', ')}, which the dialect does not name`, [
    'limits.headers',
  ]);
}
