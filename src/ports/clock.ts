// Time for everything above the domain. Tests pass a clock that they move by hand.

/** Time that cannot be set; it measures durations, also from one process to the next. */
export interface SteadyTime {
  /** The start of the machine from which it counts. */
  readonly boot: string;
  readonly ms: number;
}

/** A point in time that outlives a process. */
export interface Moment {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Null if the clock has no steady time. */
  readonly steady: SteadyTime | null;
}

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** The steady time. Without it, a clock that was set between two processes is not always noticed. */
  steady?(): SteadyTime;
  /** The time on the wall, where `now` does not follow it. */
  wall?(): number;
}

export function momentOf(clock: Clock): Moment {
  return { at: wallOf(clock), steady: clock.steady?.() ?? null };
}

/** The time on the wall, which may be set, and goes on while the machine sleeps. */
export function wallOf(clock: Clock): number {
  return clock.wall?.() ?? clock.now();
}

/**
 * A clock that begins at this moment of another one, and goes by its steady time from then on: a time that is set makes
 * no wait longer or shorter.
 */
export function steadied(clock: Clock, rounded: (ms: number) => number = Math.floor): Clock {
  const begun = clock.steady?.();
  if (begun === undefined) return clock;
  const steady = (): SteadyTime => clock.steady?.() ?? begun;
  const aheadMs = clock.now() - begun.ms;
  return {
    now: () => rounded(aheadMs + steady().ms),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    steady,
    wall: () => wallOf(clock),
  };
}
