// A clock that tests move by hand, or that moves by itself to the next sleeper as soon as nothing else happens.
import type { Clock } from '../../src/ports/clock.js';

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

export interface VirtualClock extends Clock {
  /** Every sleep that was asked for, in order. */
  readonly sleeps: readonly number[];
  /** Moves the time forward, waking sleepers on the way in order. */
  advance(ms: number): Promise<void>;
  /** Wakes one sleeper after the other until none is left. */
  runAll(): Promise<void>;
}

/** Lets every promise that can settle without a timer do so. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** `isAuto`: a sleep passes at once, taking the time along. */
export function createVirtualClock({ startMs = 1_000_000, isAuto = false } = {}): VirtualClock {
  let nowMs = startMs;
  let sleepers: Sleeper[] = [];
  const sleeps: number[] = [];

  const wakeNext = async (untilMs: number): Promise<boolean> => {
    await settle();
    const next = sleepers.toSorted((a, b) => a.atMs - b.atMs)[0];
    if (next === undefined || next.atMs > untilMs) return false;
    sleepers = sleepers.filter((sleeper) => sleeper !== next);
    nowMs = Math.max(nowMs, next.atMs);
    next.wake();
    return true;
  };

  return {
    sleeps,
    now: () => nowMs,
    sleep: (ms, signal) => {
      if (signal?.aborted === true) return Promise.resolve();
      sleeps.push(ms);
      if (isAuto) {
        nowMs += ms;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const sleeper = { atMs: nowMs + ms, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          resolve();
        });
      });
    },
    advance: async (ms) => {
      const untilMs = nowMs + ms;
      while (await wakeNext(untilMs));
      nowMs = untilMs;
      await settle();
    },
    runAll: async () => {
      while (await wakeNext(Infinity));
    },
  };
}
