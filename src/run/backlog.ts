// What is known in memory of the work ahead, so that a step sleeps while there is none and wakes when
// another makes some. The store stays the authority: these are counts, never the work itself. Each step reports what it
// did by a method, and no other file sets a count.
import type { EnrichmentState } from '../model/enrichment/arrows.js';
import type { SluiceError } from '../model/errors.js';
import { onAbort } from '../model/schedule/on-abort.js';
import type { Clock } from '../ports/clock.js';
import type { DeliveryStep } from '../ports/store/deliveries.js';

type Work = { readonly queued: number; readonly awaiting: number };

export class Backlog {
  /** Enrichments to submit, as far as this process knows. */
  queued = 0;
  /** Enrichments whose answer is awaited. */
  awaiting = 0;
  /** Enrichments whose answer came and cannot be read; not among `awaiting`. */
  unread = 0;
  /** No awaited enrichment is due before this time. */
  nextPollAt = 0;
  isReading = true;
  isSubmitting = true;
  /** Uncertain enrichments that a webhook may still answer, and until when the run waits for that. */
  uncertain = 0;
  webhookUntil = 0;
  /** Enrichments of the run that a webhook settled, and that a poll did. */
  delivered = 0;
  polled = 0;
  /** Those whose result came with the answer to their submission. */
  atOnce = 0;
  /** Deliveries were kept by this process since the journal was looked at last. */
  hasDeliveries = false;
  /** Why nothing more is sent: a result said that the account has no credits left. */
  outOfCredits: SluiceError | undefined;
  /** Whether this run has looked at what another run has left unread. */
  #hasLookedAgain = false;
  /** How often another run had taken over what was queued before it could be sent. */
  #outrun = 0;
  readonly #waiting = new Set<() => void>();

  /** Enrichments of the run that were answered since this process took it up. */
  get answered(): number {
    return this.delivered + this.polled + this.atOnce;
  }

  /** Whether an answer may still come, as far as is known. */
  canCome(now: number): boolean {
    return this.isReading || this.isSubmitting || this.awaiting > 0 || this.awaitsWebhook(now);
  }

  /** Whether the run still waits for a webhook that answers an uncertain enrichment. */
  awaitsWebhook(now: number): boolean {
    return this.uncertain > 0 && now < this.webhookUntil;
  }

  ranOutOfCredits(problem: SluiceError): void {
    this.outOfCredits ??= problem;
    this.changed();
  }

  /** The steps start, all at once. */
  started(): void {
    this.isSubmitting = true;
    this.nextPollAt = 0;
  }

  readingEnded(): void {
    this.isReading = false;
    this.changed();
  }

  submittingEnded(): void {
    this.isSubmitting = false;
    this.changed();
  }

  /** The store was asked what is left. */
  recounted({ queued, awaiting }: Work, isReading = this.isReading): void {
    this.queued = queued;
    this.awaiting = awaiting;
    this.isReading = isReading;
  }

  /** The store was asked how many are unread; true, once, where another run has left some of them. */
  recountedUnread(unread: number): boolean {
    const isOfOthers = unread > this.unread && !this.#hasLookedAgain;
    this.unread = unread;
    this.#hasLookedAgain ||= isOfOthers;
    return isOfOthers;
  }

  ingested({ queued, awaiting }: Work): void {
    this.queued += queued;
    this.awaiting += awaiting;
  }

  claimed(count: number): void {
    this.#less('queued', count);
  }

  /** Another run had taken over what was queued. Returns how often that was so. */
  outrun(): number {
    this.#outrun += 1;
    return this.#outrun;
  }

  submitted(pollAt: number): void {
    this.awaiting += 1;
    this.expectPoll(pollAt);
  }

  /** The answer to their submission ended them. */
  settledAtOnce(count: number): void {
    this.atOnce += count;
    this.#less('awaiting', count);
  }

  requeued(): void {
    this.queued += 1;
  }

  /** The store is being asked what is due: from here on only its answer counts, and what is expected afterwards. */
  fetchingDue(): void {
    this.nextPollAt = Number.POSITIVE_INFINITY;
  }

  /** The store awaits none, whatever was counted here. */
  noneAwaited(): void {
    this.awaiting = 0;
  }

  settledByPoll(count: number): void {
    this.polled += count;
    this.#less('awaiting', count);
  }

  fetchingDeliveries(): void {
    this.hasDeliveries = false;
  }

  /** A delivery has changed an enrichment that was in this state. */
  changedByDelivery(state: EnrichmentState, step: DeliveryStep['kind']): void {
    if (state === 'uncertain') this.#less('uncertain', 1);
    if (state === 'queued') this.#less('queued', 1);
    if (step === 'settle') {
      if (state === 'awaiting') this.#less('awaiting', 1);
      this.delivered += 1;
    } else if (step === 'postpone' && state !== 'awaiting') {
      this.awaiting += 1;
    }
  }

  keptUnread(count: number): void {
    this.#less('awaiting', count);
    this.unread += count;
  }

  revivedUnread(count: number): void {
    this.#less('unread', count);
    this.awaiting += count;
  }

  /** So many that were settled are awaited again. */
  reopened(count: number): void {
    this.awaiting += count;
  }

  /** An awaited enrichment is due at that time. */
  expectPoll(pollAt: number): void {
    if (pollAt >= this.nextPollAt) return;
    this.nextPollAt = pollAt;
    this.changed();
  }

  /** Deliveries were kept. */
  expectDeliveries(): void {
    this.hasDeliveries = true;
    this.changed();
  }

  /** This many sends have become uncertain: the run waits until then for webhooks that answer them. */
  expectWebhooks(count: number, until: number): void {
    if (count === 0) return;
    this.uncertain += count;
    this.webhookUntil = Math.max(this.webhookUntil, until);
  }

  /** What is uncertain is sent again: the run waits for no webhook. */
  expectNoWebhooks(): void {
    this.uncertain = 0;
  }

  /**
   * No count falls below zero: before a step reports what it did, another run or a webhook may have been faster, or the
   * store was asked again.
   */
  #less(count: 'queued' | 'awaiting' | 'unread' | 'uncertain', by: number): void {
    this[count] = Math.max(0, this[count] - by);
  }

  /** Wakes every step that this change matters to. */
  changed(): void {
    for (const wake of this.#waiting) wake();
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
    const stopListening = onAbort(signal, stop);
    try {
      if (Number.isFinite(until)) await clock.sleep(until - clock.now(), woken.signal);
      else await aborted(woken.signal);
    } finally {
      this.#waiting.delete(wake);
      stopListening();
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
