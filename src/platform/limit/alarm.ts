// One timer that rings once at the earliest moment asked for: waiting makers of requests share it, and
// a limiter that nobody waits for keeps no process alive.
import type { Clock } from '../../ports/clock.js';

export interface Alarm {
  /** Rings at `atMs` or, when it was already set to an earlier moment, then: ringing early does no harm. */
  set(atMs: number): void;
  /** Idempotent. */
  clear(): void;
}

export function createAlarm(clock: Clock, ring: () => void): Alarm {
  let current: { readonly atMs: number; readonly stop: AbortController } | undefined;

  const clear = () => {
    current?.stop.abort('cleared');
    current = undefined;
  };

  const sleepUntilRing = async (mine: {
    readonly atMs: number;
    readonly stop: AbortController;
  }) => {
    await clock.sleep(Math.max(0, mine.atMs - clock.now()), mine.stop.signal);
    if (current !== mine) return;
    current = undefined;
    ring();
  };

  const set = (atMs: number) => {
    if (current !== undefined && current.atMs <= atMs) return;
    clear();
    current = { atMs, stop: new AbortController() };
    void sleepUntilRing(current);
  };

  return { set, clear };
}
