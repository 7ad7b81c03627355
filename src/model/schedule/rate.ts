// The rate limit: how it is written, how long requests take under it, and how much of its window is taken.
import { formatDuration, parseDuration } from '../text/time.js';

/** At most `requests` in any window of `perMs` milliseconds. */
export interface RateLimit {
  readonly requests: number;
  readonly perMs: number;
}

/** `off`: the platform is trusted to say stop by itself. */
export type Rate = RateLimit | 'off';

/** More in one window than any platform grants: a larger number is a slip. */
const REQUESTS_MAX = 100_000;
/** A longer window would let a whole run through before the first slot came free again. */
const WINDOW_MS_MAX = 86_400_000;

/** Reads `20/2s` (or `20 / 2s`) or `off`; undefined for anything else, a limit of 0 included. */
export function parseRate(text: string): Rate | undefined {
  if (text === 'off') return 'off';
  const match = /^(\d{1,6}) ?\/ ?(\d+[a-z]{1,2})$/.exec(text);
  const requests = Number(match?.[1]);
  const perMs = parseDuration(match?.[2] ?? '');
  if (perMs === undefined || perMs === 0 || perMs > WINDOW_MS_MAX) return undefined;
  return requests >= 1 && requests <= REQUESTS_MAX ? { requests, perMs } : undefined;
}

/** Writes what `parseRate` reads. */
export function formatRate(rate: Rate): string {
  return rate === 'off' ? 'off' : `${rate.requests}/${formatDuration(rate.perMs)}`;
}

/** The least time for this many requests: all after the first window wait for one window each. */
export function leastTimeMs(requests: number, limit: RateLimit): number {
  const windows = Math.ceil(requests / limit.requests);
  return Math.max(0, windows - 1) * limit.perMs;
}

/** What decides how long a run takes at least. */
export interface Pace {
  readonly limit: Rate;
  /** How many enrichments one request asks for. */
  readonly perCall: number;
  /** Whether the result of each is asked for by a request of its own. */
  readonly isRead: boolean;
}

/**
 * The least number of requests for `toPay` new enrichments: every result is there at its first poll. `awaited` more
 * enrichments are asked for by ticket alone.
 */
export function leastRequests({ isRead, perCall }: Pace, toPay: number, awaited: number): number {
  return Math.ceil(toPay / perCall) + (isRead ? toPay : 0) + awaited;
}

/** The least time for the same, in ms; null without a limit. */
export function leastRunMs(pace: Pace, toPay: number, awaited: number): number | null {
  const { limit } = pace;
  return limit === 'off' ? null : leastTimeMs(leastRequests(pace, toPay, awaited), limit);
}

/**
 * What is taken of the limit's window. All times are lengths, because the clock on the wall can be set between one
 * process and the next.
 */
export interface HeldLimit {
  /** For how long each slot stays taken, in ms. */
  readonly slotsMs: readonly number[];
  /** For how long the platform wants no request, in ms; 0 where it asked for no pause. */
  readonly pauseMs: number;
}

export const NOTHING_HELD: HeldLimit = { slotsMs: [], pauseMs: 0 };

/** Every slot of the limit, for a window. */
export function wholeWindow(limit: Rate): HeldLimit {
  if (limit === 'off') return NOTHING_HELD;
  return { slotsMs: Array.from({ length: limit.requests }, () => limit.perMs), pauseMs: 0 };
}
