// The rate limit: its text, the time of requests under it, and the part of its window that is taken.
import { formatDuration, parseDuration } from '../text/time.js';

/** At most `requests` in any window of `perMs` milliseconds. */
export interface RateLimit {
  readonly requests: number;
  readonly perMs: number;
}

/** `off`: the platform is trusted to ask for pauses by itself. */
export type Rate = RateLimit | 'off';

/** The limit for `requests`: no platform grants more, so a larger number is a slip. */
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

export function formatRate(rate: Rate): string {
  return rate === 'off' ? 'off' : `${rate.requests}/${formatDuration(rate.perMs)}`;
}

/** The least time for this many requests: all after the first window wait for one window each. */
export function leastTimeMs(requests: number, limit: RateLimit): number {
  const windows = Math.ceil(requests / limit.requests);
  return Math.max(0, windows - 1) * limit.perMs;
}

export interface Pace {
  readonly limit: Rate;
  readonly perCall: number;
  readonly isRead: boolean;
}

/** If every result is there at its first poll; `awaited` more enrichments are polled by their tickets alone. */
export function leastRequests({ isRead, perCall }: Pace, toPay: number, awaited: number): number {
  return Math.ceil(toPay / perCall) + (isRead ? toPay : 0) + awaited;
}

export function leastRunMs(pace: Pace, toPay: number, awaited: number): number | null {
  const { limit } = pace;
  return limit === 'off' ? null : leastTimeMs(leastRequests(pace, toPay, awaited), limit);
}

/** All times are lengths, because the wall clock can be set between one process and the next. */
export interface LimitUse {
  /** How long each slot stays taken, in ms. */
  readonly slotsMs: readonly number[];
  /** How long the platform wants no request, in ms; 0 if it asked for no pause. */
  readonly pauseMs: number;
}

export const UNUSED: LimitUse = { slotsMs: [], pauseMs: 0 };

export function wholeWindow(limit: Rate): LimitUse {
  if (limit === 'off') return UNUSED;
  return { slotsMs: Array.from({ length: limit.requests }, () => limit.perMs), pauseMs: 0 };
}
