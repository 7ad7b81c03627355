// The counts of the work ahead, in memory, by which a step sleeps while it has no work and wakes when another step
// makes some. The store stays the authority: these are counts, never the work itself. Each step reports what it did
// through a method, and no other file sets a count.
import type { EnrichmentState } from '../model/enrichment/arrows.js';
import type { SluiceError } from '../model/errors.js';
import { onAbort } from '../model/schedule/on-abort.js';
import type { Clock } from '../ports/clock.js';
import type { DeliveryStep } from '../ports/store/deliveries.js';
import type { Claim } from '../ports/store/enrichments.js';

type Work = { readonly queued: number; readonly awaiting: number };

export class Backlog {
  queued = 0;
  awaiting = 0;
  /** Enrichments whose answer came and cannot be read; not among `awaiting`. */
  unread = 0;
  /** No awaited enrichment is due before this time. */
  nextPollAt = 0;
  isReading = true;
  isSubmitting = true;
  isPolling = true;
  /** Answers are awaited that decide. */
  sendingWaits = false;
  /** Uncertain enrichments that a webhook may still answer; the run waits for that until `webhookUntil`. */
  uncertain = 0;
  webhookUntil = 0;
  /** Enrichments of the run that a webhook settled; `polled` are those that a poll settled. */
  delivered = 0;
  polled = 0;
  /** Enrichments whose result came with the answer to their submission, or was there before it. */
  atOnce = 0;
  /** Whether this process has kept deliveries since it last read the journal. */
  hasDeliveries = false;
  sendingProblem: SluiceError | undefined;
  /** The last request for the account had no answer: the next one shows whether the platform works. */
  isAfterOutage = false;
  #hasLookedAgain = false;
  #takenOver = 0;
  readonly #waiting = new Set<() => void>();

  get answered(): number {
    return this.delivered + this.polled + this.atOnce;
  }

  get sendable(): number {
    return this.isSubmitting && !this.sendingWaits ? this.queued : 0;
  }

  canCome(now: number): boolean {
    return this.isReading || this.isSubmitting || this.awaiting > 0 || this.awaitsWebhook(now);
  }

  awaitsWebhook(now: number): boolean {
    return this.uncertain > 0 && now < this.webhookUntil;
  }

  stopSending(problem: SluiceError): void {
    this.sendingProblem ??= problem;
    this.changed();
  }

  startsAfter(isOutage: boolean): void {
    this.isAfterOutage = isOutage;
  }

  started(): void {
    this.isSubmitting = true;
    this.isPolling = true;
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

  recounted({ queued, awaiting }: Work, isReading = this.isReading): void {
    this.queued = queued;
    this.awaiting = awaiting;
    this.isReading = isReading;
  }

  /** Takes over the store's count of unread answers. Returns true, once, if another run has left some of them. */
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

  noteWaiting(waits: boolean): void {
    if (waits === this.sendingWaits) return;
    this.sendingWaits = waits;
    this.changed();
  }

  claimed(count: number): void {
    this.#less('queued', count);
  }

  /** Queued enrichments that are not sent, because others answered them, and those that are awaited for them. */
  known({ awaiting, known }: Pick<Claim, 'awaiting' | 'known'>, pollAt: number): void {
    this.#less('queued', known.length);
    this.awaiting += awaiting;
    this.atOnce += known.filter(({ outcome }) => outcome !== 'uncertain').length;
    if (awaiting > 0) this.expectPoll(pollAt);
  }

  takenOver(): number {
    this.#takenOver += 1;
    return this.#takenOver;
  }

  submitted(pollAt: number): void {
    this.awaiting += 1;
    this.expectPoll(pollAt);
  }

  settledAtOnce(count: number): void {
    this.atOnce += count;
    this.#less('awaiting', count);
  }

  requeued(): void {
    this.queued += 1;
  }

  /**
   * Notes that the store is asked for due tickets: from now on only its answer counts, and polls that are expected
   * later.
   */
  fetchingDue(): void {
    this.nextPollAt = Number.POSITIVE_INFINITY;
  }

  /** Notes that the store awaits no enrichment, whatever the count here is. */
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

  pollingEnded(): void {
    this.isPolling = false;
    this.changed();
  }

  /** `state`: the enrichment's before the delivery. */
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

  expectPoll(pollAt: number): void {
    if (pollAt >= this.nextPollAt) return;
    this.nextPollAt = pollAt;
    this.changed();
  }

  expectDeliveries(): void {
    this.hasDeliveries = true;
    this.changed();
  }

  expectWebhooks(count: number, until: number): void {
    if (count === 0) return;
    this.uncertain += count;
    this.webhookUntil = Math.max(this.webhookUntil, until);
  }

  expectNoWebhooks(): void {
    this.uncertain = 0;
  }

  /** Down to zero: another run or a webhook may have been faster than the report of a step. */
  #less(count: 'queued' | 'awaiting' | 'unread' | 'uncertain', by: number): void {
    this[count] = Math.max(0, this[count] - by);
  }

  changed(): void {
    for (const wake of this.#waiting) wake();
  }

  /** `matters`: not each change, but the next for which it is true. */
  async wait(
    clock: Clock,
    signal: AbortSignal,
    until = Number.POSITIVE_INFINITY,
    matters: () => boolean = () => true,
  ): Promise<void> {
    if (signal.aborted) return;
    const woken = new AbortController();
    // The reason is a string: an error for each of thousands of waits a second would cost more than the wait.
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
