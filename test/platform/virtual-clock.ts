// A clock that tests move by hand, or that a sleep takes along, and that keeps what sleeps were asked for.
import type { Clock } from '../../src/ports/clock.js';
import { createDrivenClock, nextTurn } from '../helpers/driven-clock.js';

export interface VirtualClock extends Clock {
  /** Every sleep that was asked for, in order. */
  readonly sleeps: readonly number[];
  /** Moves the time forward, waking sleepers on the way in order. */
  advance(ms: number): Promise<void>;
  /** Wakes one sleeper after the other until none is left. */
  runAll(): Promise<void>;
}

/** `isAuto`: a sleep passes at once, taking the time along. */
export function createVirtualClock({ startMs = 1_000_000, isAuto = false } = {}): VirtualClock {
  const driven = createDrivenClock(startMs);
  const sleeps: number[] = [];
  let sleptMs = 0;
  return {
    sleeps,
    now: () => driven.now() + sleptMs,
    sleep: (ms, signal) => {
      if (signal?.aborted === true) return Promise.resolve();
      sleeps.push(ms);
      if (!isAuto) return driven.sleep(ms, signal);
      sleptMs += ms;
      return Promise.resolve();
    },
    advance: async (ms) => {
      await driven.advance(ms);
      await nextTurn();
    },
    runAll: async () => {
      for (await nextTurn(); driven.sleeping() > 0; await nextTurn()) driven.wake();
    },
  };
}
