// The limit: a true sliding window. A fixed window lets twice as many requests through around its edge.
import { SluiceError } from '../../model/errors.js';
import type { RateLimit } from '../../model/schedule/rate.js';
import { SlidingCount } from './sliding-count.js';

export interface Admission {
  readonly isAdmitted: boolean;
  readonly limit: RateLimit;
  /** Requests that could still start at this moment. */
  readonly remaining: number;
  /** Until the oldest counted request leaves the window; never 0 after an admission. */
  readonly freeInMs: number;
}

/** Admits at most `limit.requests` starts in any window of `limit.perMs`; a refused one is not counted. */
export class RateWindow {
  readonly #starts: SlidingCount;

  /** @throws SluiceError `usage` for a limit that admits nothing or is no number */
  constructor(readonly limit: RateLimit) {
    const { requests, perMs } = limit;
    if (!(Number.isSafeInteger(requests) && requests >= 1 && Number.isFinite(perMs) && perMs > 0)) {
      const message = `The sandbox rate ${requests} per ${perMs} ms is not possible; give a whole number of requests and a time above 0.`;
      throw new SluiceError('usage', message, { requests, perMs });
    }
    this.#starts = new SlidingCount(perMs);
  }

  /** Moments must come in order. */
  admit(at: number): Admission {
    const { limit } = this;
    const counted = this.#starts.countAt(at);
    const isAdmitted = counted < limit.requests;
    if (isAdmitted) this.#starts.add(at);
    const freeInMs = this.#starts.oldest + limit.perMs - at;
    const remaining = limit.requests - counted - (isAdmitted ? 1 : 0);
    return { isAdmitted, limit, remaining, freeInMs };
  }
}
