// What an answer's headers say about the limit, under the names and in the format of the dialect.
import type { Dialect } from '../../dialect/dialect.js';
import { parseHttpDate, parseWait } from '../../model/text/time.js';
import type { Headers } from '../wire/exchange.js';
import type { RateReading } from './slots.js';

type Limits = Dialect['limits'];

/** Two clocks further apart than this are told apart by the answer's own `Date`. */
const SKEW_MS_MAX = 5_000;

/** The limit, what remains of it and when it starts afresh, as far as the headers tell. */
export function readRate(headers: Headers, limits: Limits, nowMs: number): RateReading {
  const limit = readCount(headers, limits.headers.limit);
  const remaining = readCount(headers, limits.headers.remaining);
  const resetMs = readReset(headers, limits, nowMs);
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(resetMs === undefined ? {} : { resetMs }),
  };
}

/** How long a throttled client has to stay away: `Retry-After`, else the reset; undefined when neither says. */
export function readPause(headers: Headers, limits: Limits, nowMs: number): number | undefined {
  const text = headerOf(headers, limits.headers.retryAfter);
  const told =
    text === undefined ? undefined : parseWait(text, 'auto', platformNow(headers, nowMs));
  const pauseMs = told ?? readReset(headers, limits, nowMs);
  // Throttled, and told to wait for nothing: that is not an answer to how long.
  return pauseMs === 0 ? undefined : pauseMs;
}

function readReset(headers: Headers, limits: Limits, nowMs: number): number | undefined {
  const text = headerOf(headers, limits.headers.reset);
  if (text === undefined) return undefined;
  return parseWait(text, limits.reset, platformNow(headers, nowMs));
}

/** Moments are told by the platform's clock; the answer's `Date` shows how far it is from ours. */
function platformNow(headers: Headers, nowMs: number): number {
  const date = parseHttpDate(headerOf(headers, 'date') ?? '');
  return date !== undefined && Math.abs(date - nowMs) > SKEW_MS_MAX ? date : nowMs;
}

/** A whole number; only the first of a list (`20, 20;w=2`). */
function readCount(headers: Headers, name: string): number | undefined {
  const match = /^\s*(\d{1,12})\b/.exec(headerOf(headers, name) ?? '');
  return match === null ? undefined : Number(match[1]);
}

/** A header's first value. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
}
