// Webhooks: every enrichment that becomes ready is sent to the URL of its request and to the hooks that want its event,
// and every activity to the hooks that want it. Everything that waits is on one agenda; without a webhook it is empty.
import type { Activity } from '../activities.js';
import { answerEnrichment, isEmptyReading } from '../answers/answer-enrichment.js';
import type { Enrichment, Ledger } from '../ledger/ledger.js';
import { Agenda } from './agenda.js';
import {
  Batches,
  chooseEntries,
  type Delivery,
  type Entry,
  findTargets,
  type Subject,
  type Surroundings,
  type Target,
  type WebhookBatch,
} from './delivery.js';
import { DeliverySender, Poster } from './delivery-sender.js';
import type { Hook } from './hook-register.js';

/** The fault `webhook-reordered` holds a result back for at most this time. */
const REORDER_MS_MAX = 2_000;

export interface WebhookTerms {
  /** The time after which a target without an answer has failed. */
  readonly timeoutMs: number;
  readonly retryMs: number;
  readonly batch: WebhookBatch;
}

interface WebhooksOptions extends Surroundings {
  readonly now: () => number;
  readonly ledger: Ledger;
  readonly terms: WebhookTerms;
  /** The secret of hooks that have none of their own, and of the URLs of requests. */
  readonly webhookSecret: string | undefined;
}

export class Webhooks {
  readonly #agenda: Agenda<() => void>;
  readonly #batches: Batches;
  readonly #poster: Poster;
  readonly #sender: DeliverySender;

  constructor(private readonly options: WebhooksOptions) {
    const { now, book, terms } = options;
    this.#batches = new Batches(terms.batch);
    this.#poster = new Poster(terms.timeoutMs);
    this.#sender = new DeliverySender({
      poster: this.#poster,
      book,
      retryMs: terms.retryMs,
      write: (delivery) => this.#write(delivery),
      sendLater: (delivery, delayMs) =>
        this.#agenda.add(now() + delayMs, () => void this.#sender.send(delivery)),
      onRoom: () => this.#agenda.look(),
    });
    this.#agenda = new Agenda<() => void>({
      now,
      hasRoom: () => this.#sender.hasRoom,
      perform: (task) => task(),
    });
  }

  /** Whether anything will be sent for this enrichment, as far as is known now. */
  wants({ webhookUrl }: Pick<Enrichment, 'webhookUrl'>): boolean {
    return webhookUrl !== undefined || this.options.hooks.list().length > 0;
  }

  /** Sends its result when it is ready, if there is a target for it. */
  schedule(enrichment: Enrichment): void {
    if (enrichment.isScheduled || !this.wants(enrichment)) return;
    enrichment.isScheduled = true;
    this.#agenda.add(enrichment.readyAt, () => this.#sendReady(enrichment));
  }

  /** Sends an activity to the hooks that want it; returns how many these are. */
  announce(activity: Activity): number {
    const count = findTargets(activity, this.options, activity.type).length;
    if (count > 0) this.#agenda.add(activity.readyAt, () => this.#sendReady(activity));
    return count;
  }

  /** Sends the deliveries that were not made before a restart. */
  resume(): void {
    for (const enrichment of this.options.ledger.all()) {
      if (findTargets(enrichment, this.options).length > 0) this.schedule(enrichment);
    }
  }

  /** Schedules for a new hook, which also gets enrichments that were accepted before it came and are not ready yet. */
  scheduleFor({ createdAt }: Hook): void {
    for (const enrichment of this.options.ledger.all()) {
      if (enrichment.readyAt > createdAt) this.schedule(enrichment);
    }
  }

  /** Sends the result of a ready enrichment now; resolves after the first attempt at each target. */
  async deliverNow(enrichment: Enrichment): Promise<void> {
    enrichment.isScheduled = true;
    const entries = chooseEntries(enrichment, this.options);
    await Promise.all(
      entries.map(({ target, entry }) =>
        this.#sender.send({ target, entries: [entry], attempts: 0 }),
      ),
    );
  }

  /** Stops. POSTs under way are broken off; a sandbox with the same ledger file delivers them. */
  close(): void {
    this.#agenda.close();
    this.#sender.close();
    this.#poster.close();
    this.options.book.flush();
  }

  // Times count from the readiness, not from the time at which this process looked.
  #sendReady(subject: Subject): void {
    const { faults } = this.options;
    const isDelayed = faults.hits('webhook-reordered', subject.id);
    const delayMs = isDelayed ? faults.drawDelayMs(subject.id, REORDER_MS_MAX) : 0;
    const at = subject.readyAt + delayMs;
    for (const { target, entry } of chooseEntries(subject, this.options)) {
      if (isDelayed) this.#agenda.add(at, () => this.#addToBatch(target, entry, at));
      else this.#addToBatch(target, entry, at);
    }
  }

  #addToBatch(target: Target, entry: Entry, readyAt: number): void {
    // A body holds one activity, or any number of results (docs/platform-api.md, Events).
    if (entry.subject.kind === 'activity') {
      void this.#sender.send({ target, entries: [entry], attempts: 0 });
      return;
    }
    const { batch, state } = this.#batches.add(target, entry);
    if (state === 'full') void this.#sender.send({ ...batch, attempts: 0 });
    if (state !== 'opened') return;
    this.#agenda.add(readyAt + this.options.terms.batch.withinMs, () => {
      if (this.#batches.take(batch)) void this.#sender.send({ ...batch, attempts: 0 });
    });
  }

  #write({ target, entries }: Delivery): string {
    const { people, faults, webhookSecret } = this.options;
    const secret = target.hook?.secret ?? webhookSecret;
    const write = (body: object): string =>
      JSON.stringify(secret === undefined ? body : { ...body, secret });
    const data: unknown[] = [];
    for (const entry of entries) {
      const { subject } = entry;
      if (subject.kind === 'activity') return write(subject.record);
      entry.isEmpty ??= isEmptyReading(subject, faults);
      data.push(answerEnrichment(subject, people, entry.isEmpty).data[0]);
    }
    return write({ data, type: target.type });
  }
}
