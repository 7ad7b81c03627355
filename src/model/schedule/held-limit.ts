// What is taken of the rate limit's window, and how much of it is left a while later. All times are lengths, for a
// clock on the wall can be set between one process and the next.
import type { Moment } from '../../ports/clock.js';
import type { Rate } from './rate.js';

export interface HeldLimit {
  /** For how long each slot stays taken, in ms. */
  readonly slotsMs: readonly number[];
  /** For how long the platform wants to be asked nothing, in ms; 0 where it does not. */
  readonly pauseMs: number;
}

export const NOTHING_HELD: HeldLimit = { slotsMs: [], pauseMs: 0 };

export function holdsAnything({ pauseMs, slotsMs }: HeldLimit): boolean {
  return pauseMs > 0 || slotsMs.length > 0;
}

/** Every slot of the limit, for a window or for `forMs`. */
export function wholeWindow(limit: Rate, forMs?: number): HeldLimit {
  if (limit === 'off') return NOTHING_HELD;
  const ms = forMs ?? limit.perMs;
  if (ms <= 0) return NOTHING_HELD;
  return { slotsMs: Array.from({ length: limit.requests }, () => ms), pauseMs: 0 };
}

/** What is left of it after `elapsedMs`. */
export function leftOf({ pauseMs, slotsMs }: HeldLimit, elapsedMs: number): HeldLimit {
  return {
    slotsMs: slotsMs.map((ms) => ms - elapsedMs).filter((ms) => ms > 0),
    pauseMs: Math.max(0, pauseMs - elapsedMs),
  };
}

export function together(held: readonly HeldLimit[]): HeldLimit {
  return {
    slotsMs: held.flatMap(({ slotsMs }) => slotsMs),
    pauseMs: Math.max(0, ...held.map(({ pauseMs }) => pauseMs)),
  };
}

/**
 * The least time that can have passed, in ms, by both clocks; null where the one on the wall was set back. The other
 * one stands for nothing after a start of the machine, or on another machine.
 */
export function elapsedMs(since: Moment, now: Moment): number | null {
  const { steady: before } = since;
  const { steady: after } = now;
  const byWall = now.at - since.at;
  const isComparable = before !== null && after?.boot === before.boot && after.ms >= before.ms;
  const ms = isComparable ? Math.min(byWall, after.ms - before.ms) : byWall;
  return ms < 0 ? null : ms;
}
