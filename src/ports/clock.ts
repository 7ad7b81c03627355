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
}

export function momentOf(clock: Clock): Moment {
  return { at: clock.now(), steady: clock.steady?.() ?? null };
}
