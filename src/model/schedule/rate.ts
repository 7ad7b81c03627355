// The rate limit: its text, the time of requests under it, and the part of its window that is taken.
import { formatDuration, parseDuration } from '../text/time.js';

/** At most `requests` in any window of `perMs` milliseconds. */
export interface RateLimit {
  readonly requests: number;
  readonly perMs: number;
}

/** All of them hold, shortest first; none (`off`) if the platform is trusted to ask for pauses by itself. */
export type Rate = readonly RateLimit[];

/** A rate as jobs, dialects and programs write it: `20/2s`, several of these, or `off`. */
export type StatedRate = string | readonly string[];
export const RATE_FORM = 'a rate is written like 20/2s, [20/2s, 100/60s], or off';

export type RequestKind = 'submit' | 'poll';

/** The limit for `requests`: no platform grants more, so a larger number is a slip. */
const REQUESTS_MAX = 100_000;
/** A longer window would let a whole run through before the first slot came free again. */
const WINDOW_MS_MAX = 86_400_000;

/** Reads `20/2s`, `20/2s, 100/60s` or `off`; undefined for anything else, a limit of 0 included. */
export function parseRate(text: string): Rate | undefined {
  if (text === 'off') return [];
  const windows = text.split(/, ?/).map(parseWindow);
  const read = windows.flatMap((window) => window ?? []).sort((a, b) => a.perMs - b.perMs);
  const areDistinct = read.every(({ perMs }, i) => perMs !== read[i + 1]?.perMs);
  return read.length === windows.length && areDistinct ? read : undefined;
}

function parseWindow(text: string): RateLimit | undefined {
  const match = /^(\d{1,6}) ?\/ ?(\d+[a-z]{1,2})$/.exec(text);
  const requests = Number(match?.[1]);
  const perMs = parseDuration(match?.[2] ?? '');
  if (perMs === undefined || perMs === 0 || perMs > WINDOW_MS_MAX) return undefined;
  return requests >= 1 && requests <= REQUESTS_MAX ? { requests, perMs } : undefined;
}

/** A request is under way for no longer: what was sent two minutes ago, and has no outcome, is abandoned. */
const TIMEOUT_MS_MAX = 90_000;
export const TIMEOUT_FORM = 'a timeout is written like 45s, from 1s to 90s';

/** Reads the time for which one request waits for its answer. */
export function parseTimeout(text: string): number | undefined {
  const ms = parseDuration(text) ?? 0;
  return ms >= 1_000 && ms <= TIMEOUT_MS_MAX ? ms : undefined;
}

export function formatRate(rate: Rate): string {
  return rate.length === 0 ? 'off' : rate.map(formatWindow).join(', ');
}

export function formatWindow({ perMs, requests }: RateLimit): string {
  return `${requests}/${formatDuration(perMs)}`;
}

/** The least time for this many requests: each starts as soon as every window has room. */
export function leastTimeMs(requests: number, rate: Rate): number {
  const [first, ...others] = rate;
  if (first === undefined || requests <= 0) return 0;
  if (others.length === 0) return Math.floor((requests - 1) / first.requests) * first.perMs;
  const starts = new Float64Array(requests);
  for (let i = 0; i < requests; i += 1) {
    for (const { perMs, requests: most } of rate) {
      if (i >= most)
        starts[i] = Math.max(starts[i] as number, (starts[i - most] as number) + perMs);
    }
  }
  return starts[requests - 1] as number;
}

export interface Pace {
  readonly limit: Rate;
  readonly perCall: number;
  readonly isRead: boolean;
  /** The number of enrichments that one read answers; 1 by default. */
  readonly perRead?: number;
}

/** If every result is there at its first poll; `awaited` more enrichments are polled by their tickets alone. */
export function leastRequests(
  { isRead, perCall, perRead = 1 }: Pace,
  toPay: number,
  awaited: number,
): number {
  return Math.ceil(toPay / perCall) + Math.ceil(((isRead ? toPay : 0) + awaited) / perRead);
}

export function leastRunMs(pace: Pace, toPay: number, awaited: number): number | null {
  const { limit } = pace;
  return limit.length === 0 ? null : leastTimeMs(leastRequests(pace, toPay, awaited), limit);
}
