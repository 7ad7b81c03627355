// What is known in memory of the work ahead, so that a step sleeps while there is none and wakes when
// another makes some. The store stays the authority: these are counts, never the work itself.

export class Backlog {
  /** Enrichments to submit, as far as this process knows. */
  queued = 0;
  /** Enrichments whose answer is awaited. */
  awaiting = 0;
  isReading = true;
  isSubmitting = true;

  #waiters: (() => void)[] = [];

  /** Wakes every step that waits. */
  changed(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }

  /** Resolves at the next change, or when the signal aborts. */
  change(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      signal.addEventListener('abort', wake, { once: true });
      this.#waiters.push(wake);
    });
  }
}
