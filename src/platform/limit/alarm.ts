import type { Clock } from '../../ports/clock.js';

/**
 * One timer that rings once at the earliest moment asked for: all waiting requests share it, and a limiter without
 * waiting requests keeps no process alive.
 */
export function createAlarm(clock: Clock, ring: () => void) {
  let current: { readonly atMs: number; readonly stop: AbortController } | undefined;

  /** Idempotent. */
  const clear = (): void => {
    current?.stop.abort('cleared');
    current = undefined;
  };

  const sleepUntilRing = async (mine: NonNullable<typeof current>): Promise<void> => {
    await clock.sleep(Math.max(0, mine.atMs - clock.now()), mine.stop.signal);
    if (current !== mine) return;
    current = undefined;
    ring();
  };

  /** Rings at `atMs`, or earlier if it was already set to an earlier moment: ringing early does no harm. */
  const set = (atMs: number): void => {
    if (current !== undefined && current.atMs <= atMs) return;
    clear();
    current = { atMs, stop: new AbortController() };
    void sleepUntilRing(current);
  };

  return { set, clear };
}
