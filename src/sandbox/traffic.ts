// Counts the requests at the platform's routes, measures them, and compares them with the limit. The limit is a true
// sliding window: a fixed window lets twice as many requests through around its edge. Limit and measurement share one
// count, so both mean the same by "window".
import type { Rate, RateLimit } from '../model/schedule/rate.js';

/** The measurement includes refused requests: it judges the client, not the limit. */
export class Traffic {
  readonly #windows: readonly RateWindow[];
  readonly #arrivals: SlidingCount;
  #last = Number.NEGATIVE_INFINITY;
  requests = 0;
  throttled = 0;
  worstWindow = 0;

  /** Without a limit, `measured` still says how long a window is for `worstWindow`. */
  constructor(rate: Rate, measured: RateLimit) {
    this.#windows = rate.map((limit) => new RateWindow(limit));
    this.#arrivals = new SlidingCount(measured.perMs);
  }

  arrive(now: number): Admission | null {
    // A clock that steps back must not reopen the window.
    const at = Math.max(now, this.#last);
    this.#last = at;
    this.requests += 1;
    this.#arrivals.add(at);
    this.worstWindow = Math.max(this.worstWindow, this.#arrivals.countAt(at));
    const looks = this.#windows.map((window) => window.look(at));
    const tightest = looks.toSorted(
      (a, b) => a.remaining - b.remaining || b.freeInMs - a.freeInMs,
    )[0];
    if (tightest === undefined) return null;
    if (tightest.isAdmitted) for (const window of this.#windows) window.add(at);
    else this.throttled += 1;
    return tightest;
  }
}

export interface Admission {
  readonly isAdmitted: boolean;
  readonly limit: RateLimit;
  readonly remaining: number;
  /** The time until the oldest counted request leaves the window; never 0 after an admission. */
  readonly freeInMs: number;
}

/** At most `limit.requests` starts are admitted in any window of `limit.perMs`; a refused request is not counted. */
class RateWindow {
  readonly #starts: SlidingCount;

  constructor(readonly limit: RateLimit) {
    this.#starts = new SlidingCount(limit.perMs);
  }

  /** Moments must come in order. */
  look(at: number): Admission {
    const { limit } = this;
    const counted = this.#starts.countAt(at);
    const isAdmitted = counted < limit.requests;
    const freeInMs = (counted === 0 ? at : this.#starts.oldest) + limit.perMs - at;
    const remaining = limit.requests - counted - (isAdmitted ? 1 : 0);
    return { isAdmitted, limit, remaining, freeInMs };
  }

  add(at: number): void {
    this.#starts.add(at);
  }
}

/** Counts moments in the half-open window `(at - perMs, at]`; moments must come in order. */
class SlidingCount {
  #moments: number[] = [];
  /** The index of the oldest moment that is not forgotten. */
  #first = 0;

  constructor(private readonly perMs: number) {}

  /** How many moments are still in the window at `at`; forgets the others. */
  countAt(at: number): number {
    while (at >= this.oldest + this.perMs) this.#first += 1;
    // Forgotten moments are cut off when they are half of the list: each moment is copied about once.
    if (this.#first * 2 > this.#moments.length) {
      this.#moments = this.#moments.slice(this.#first);
      this.#first = 0;
    }
    return this.#moments.length - this.#first;
  }

  add(at: number): void {
    this.#moments.push(at);
  }

  /** The oldest moment not yet forgotten; NaN when there is none. */
  get oldest(): number {
    return this.#moments[this.#first] ?? Number.NaN;
  }
}
