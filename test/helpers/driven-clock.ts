// A clock for whole runs: time stands still while anything can go on without it, then jumps to the next
// sleeper. Where there is no sleeper either, the work waits for something that will never come.
import type { Clock } from '../../src/ports/clock.js';

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

export interface DrivenClock extends Clock {
  /** How many sleep at this moment. */
  sleeping(): number;
  /** Moves time on to the next sleeper, and wakes all that are due then. @throws Error where there is no sleeper */
  wake(): void;
  /** Moves time on by itself until the work ends. @throws Error when the work waits for nothing. */
  drive<T>(work: Promise<T>): Promise<T>;
  /** Moves time on by hand, waking sleepers on the way in order. */
  advance(ms: number): Promise<void>;
}

/** More turns than this without time passing: something runs in circles. */
const TURNS_MAX = 20_000;

/** Lets everything that needs no time go on, until two turns of the event loop leave nothing to do. */
export async function settled(): Promise<void> {
  let idleTurns = 0;
  for (let turn = 0; idleTurns < 2; turn += 1) {
    await nextTurn();
    idleTurns = process.getActiveResourcesInfo().includes('Immediate') ? 0 : idleTurns + 1;
    if (turn > TURNS_MAX) throw new Error('Busy: something runs in circles while no time passes.');
  }
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

export function createDrivenClock(startMs = 1_700_000_000_000): DrivenClock {
  let nowMs = startMs;
  const sleepers = new Set<Sleeper>();

  const nextMs = (): number => Math.min(...Array.from(sleepers, ({ atMs }) => atMs));

  /** All that are due at the same time wake in the same turn. */
  const wakeNext = (): void => {
    const atMs = nextMs();
    if (atMs === Infinity) throw new Error('Stuck: everything waits and nothing will wake it.');
    nowMs = Math.max(nowMs, atMs);
    for (const sleeper of sleepers) if (sleeper.atMs <= nowMs) sleeper.wake();
  };

  return {
    now: () => nowMs,
    sleeping: () => sleepers.size,
    wake: wakeNext,
    sleep: (ms, signal) => {
      if (signal?.aborted === true) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = (): void => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper = { atMs: nowMs + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake);
        // A timer of 0 ms is a turn of the event loop, not a wait.
        if (ms <= 0) setImmediate(wake);
      });
    },
    drive: async (work) => {
      let isDone = false;
      const follow = async (): Promise<void> => {
        try {
          await work;
        } catch {
          // Whoever drives gets the error from the work itself.
        }
        isDone = true;
      };
      void follow();
      for (;;) {
        await settled();
        if (isDone) return work;
        wakeNext();
      }
    },
    advance: async (ms) => {
      const untilMs = nowMs + ms;
      await settled();
      while (nextMs() <= untilMs) {
        wakeNext();
        await settled();
      }
      nowMs = untilMs;
    },
  };
}
