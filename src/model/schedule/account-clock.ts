// The clock of an account, which goes by what its processes measure, and never back.
import type { Moment } from '../../ports/clock.js';

/** A time that is earlier by less than this was measured by a process that then waited for its turn. */
const OVERTAKEN_MS_MAX = 60_000;

/**
 * In whole ms, by the clock that cannot be set if both have it; else by the wall clock, and none if that was set back.
 */
export function measure(asOf: Moment, now: Moment): { passedMs: number; asOf: Moment } {
  const { steady } = asOf;
  if (steady !== null && now.steady?.boot === steady.boot) {
    const ms = Math.floor(now.steady.ms - steady.ms);
    if (ms >= 0) {
      const then = { boot: steady.boot, ms: steady.ms + ms };
      return { passedMs: ms, asOf: { at: Math.ceil(now.at), steady: then } };
    }
    if (-ms < OVERTAKEN_MS_MAX) return { passedMs: 0, asOf };
  }
  const whole = wholeMs(now);
  const ms = Math.floor(now.at - asOf.at);
  return ms < 0 || now.steady !== null
    ? { passedMs: Math.max(0, ms), asOf: whole }
    : { passedMs: ms, asOf: { at: asOf.at + ms, steady: null } };
}

/** The moment in whole ms, rounded up. */
export function wholeMs({ at, steady }: Moment): Moment {
  return {
    at: Math.ceil(at),
    steady: steady === null ? null : { boot: steady.boot, ms: Math.ceil(steady.ms) },
  };
}
