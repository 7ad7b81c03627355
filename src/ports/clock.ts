// Time, as everything above the domain sees it. Tests pass a clock that they move by hand.

/** Time that cannot be set; it shows how much has passed, also from one process to the next. */
export interface SteadyTime {
  /** Which start of which machine it counts from. */
  readonly boot: string;
  readonly ms: number;
}

/** A point in time that outlives a process. */
export interface Moment {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Null where the clock has none. */
  readonly steady: SteadyTime | null;
}

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Without it, a clock that was set between two processes is not always noticed. */
  steady?(): SteadyTime;
}

export function momentOf(clock: Clock): Moment {
  return { at: clock.now(), steady: clock.steady?.() ?? null };
}
