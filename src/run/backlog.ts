// What is known in memory of the work ahead, so that a step sleeps while there is none and wakes when
// another makes some. The store stays the authority: these are counts, never the work itself.
import type { Clock } from '../ports/clock.js';

export class Backlog {
  /** Enrichments to submit, as far as this process knows. */
  queued = 0;
  /** Enrichments whose answer is awaited. */
  awaiting = 0;
  /** Awaited ones whose answer came and cannot be read; not among `awaiting`. */
  unread = 0;
  /** Whether those that another run has left unread were looked at here. */
  hasLookedAgain = false;
  /** No awaited enrichment is due before this time. */
  nextPollAt = 0;
  isReading = true;
  isSubmitting = true;
  /** Uncertain enrichments that a webhook may still claim, and until when that is waited for. */
  claimable = 0;
  claimUntil = 0;
  /** Enrichments of the run that a webhook settled, and that a poll did. */
  delivered = 0;
  polled = 0;
  /** Enrichments of the run that were answered since this process took it up. */
  get answered(): number {
    return this.delivered + this.polled;
  }

  /** How often another run had taken over what was queued when it was to be sent. */
  outrun = 0;
  /** Deliveries were kept by this process since the journal was looked at last. */
  hasDeliveries = false;

  readonly #waiting = new Set<() => void>();

  /** Wakes every step that waits for a change like this. */
  changed(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Tells that an awaited enrichment is due at a time. */
  expectPoll(pollAt: number): void {
    if (pollAt >= this.nextPollAt) return;
    this.nextPollAt = pollAt;
    this.changed();
  }

  /** Tells that deliveries were kept. */
  expectDeliveries(): void {
    this.hasDeliveries = true;
    this.changed();
  }

  /** Whether an answer may still come, as far as is known. */
  canCome(now: number): boolean {
    return this.isReading || this.isSubmitting || this.awaiting > 0 || this.awaitsClaim(now);
  }

  /** So many sends have become uncertain: a webhook may claim them until then. */
  expectClaims(count: number, until: number): void {
    if (count === 0) return;
    this.claimable += count;
    this.claimUntil = Math.max(this.claimUntil, until);
  }

  /** Whether a webhook that claims an uncertain enrichment is still waited for. */
  awaitsClaim(now: number): boolean {
    return this.claimable > 0 && now < this.claimUntil;
  }

  /**
   * Resolves at the next change (that `matters`, where it is given), at the time `until`, or when the signal
   * aborts.
   */
  async wait(
    clock: Clock,
    signal: AbortSignal,
    until = Number.POSITIVE_INFINITY,
    matters: () => boolean = () => true,
  ): Promise<void> {
    if (signal.aborted) return;
    const woken = new AbortController();
    // With a reason of its own: to make an error for each of thousands of waits a second costs more than the wait.
    const stop = (): void => woken.abort('woken');
    const wake = (): void => {
      if (matters()) stop();
    };
    this.#waiting.add(wake);
    signal.addEventListener('abort', stop);
    try {
      if (Number.isFinite(until)) await clock.sleep(until - clock.now(), woken.signal);
      else await aborted(woken.signal);
    } finally {
      this.#waiting.delete(wake);
      signal.removeEventListener('abort', stop);
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
