// What arrived at the platform's routes: counted, measured, and held against the limit.
// The measurement includes refused requests: it judges the client, not the limit.
import type { RateLimit } from '../../model/schedule/rate.js';
import { type Admission, RateWindow } from './rate-window.js';
import { SlidingCount } from './sliding-count.js';

export class Traffic {
  readonly #window: RateWindow | null;
  readonly #arrivals: SlidingCount;
  #last = Number.NEGATIVE_INFINITY;
  #requests = 0;
  #throttled = 0;
  #worstWindow = 0;

  /** Without a limit, `measured` still says how long a window is for `worstWindow`. */
  constructor(limit: RateLimit | null, measured: RateLimit) {
    this.#window = limit === null ? null : new RateWindow(limit);
    this.#arrivals = new SlidingCount(measured.perMs);
  }

  /** Records one request; null when there is no limit. */
  arrive(now: number): Admission | null {
    // A clock that steps back must not reopen the window.
    const at = Math.max(now, this.#last);
    this.#last = at;
    this.#requests += 1;
    this.#arrivals.add(at);
    this.#worstWindow = Math.max(this.#worstWindow, this.#arrivals.countAt(at));
    const admission = this.#window?.admit(at) ?? null;
    if (admission?.isAdmitted === false) this.noteThrottled();
    return admission;
  }

  /** A request was answered 429. */
  noteThrottled(): void {
    this.#throttled += 1;
  }

  /** All requests since the sandbox opened, refused ones included. */
  get requests(): number {
    return this.#requests;
  }

  /** Requests answered 429. */
  get throttled(): number {
    return this.#throttled;
  }

  /** The most requests that ever arrived within one window. */
  get worstWindow(): number {
    return this.#worstWindow;
  }
}
