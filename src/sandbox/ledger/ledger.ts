// The ledger: every accepted enrichment, and its cost. A test asks it whether anything was paid for twice. Only
// accepted enrichments make it grow.
import type { Prices } from '../../model/ask.js';
import { subtractCredits, sumCredits } from '../../model/credits.js';
import { highestPrice } from '../../model/verdict.js';
import { drawLatencyMs, type Latency, priceAnswer } from '../answers/decide-outcome.js';
import type { Traffic } from '../traffic.js';
import type { DeliveryBook } from '../webhooks/delivery-book.js';
import {
  fingerprintRequest,
  hashText,
  identifyInputs,
  openDoubles,
} from './fingerprint-request.js';
import type { AcceptedRecord, WriteLines } from './ledger-file.js';
import type { ListRegister } from './list-register.js';

/** One accepted enrichment, as `GET /sandbox/ledger/entries` shows it. */
export interface LedgerEntry extends Omit<AcceptedRecord, 'webhookUrl'> {
  readonly fingerprint: string;
  /** How often its result was asked for since the sandbox opened. */
  readonly polls: number;
  /** How many POSTs to webhooks carried its result since the sandbox opened. */
  readonly deliveries: number;
  readonly credits: number;
}

export interface LedgerSummary {
  readonly accepted: number;
  readonly distinct: number;
  /** Accepted, so paid for, although earlier requests about the same inputs asked for all of it; `count`: how often. */
  readonly doubled: readonly { readonly fingerprint: string; readonly count: number }[];
  /** Credits of all enrichments that are ready. */
  readonly charged: number;
  /** Requests to platform routes since the sandbox opened, refused ones included. */
  readonly requests: number;
  /** The most requests that arrived within one window of the limit (of 2,000 ms without a limit). */
  readonly worstWindow: number;
  readonly throttled: number;
  /** Readings of a known id since the sandbox opened. */
  readonly polls: number;
  /** POSTs to webhooks since the sandbox opened, repeats included. */
  readonly deliveries: number;
  readonly delivered: number;
  /** Results and activities that will not reach a webhook: kept back by a fault, or given up after the last attempt. */
  readonly lost: number;
  readonly lists: number;
  readonly members: number;
}

export interface LedgerReader {
  summary(): LedgerSummary;
  /** Up to `limit` entries in the order of acceptance, after the one called `after`; null for an unknown id. */
  entries(page?: { readonly after?: string; readonly limit?: number }): LedgerEntry[] | null;
}

export type NewEnrichment = Omit<AcceptedRecord, 'id' | 'acceptedAt' | 'readyAt'>;

export interface Enrichment extends AcceptedRecord {
  readonly kind: 'enrichment';
  readonly position: number;
  readonly fingerprint: string;
  polls: number;
  deliveries: number;
  /** Whether a client was shown its result since the sandbox opened. */
  isRead: boolean;
  /** Whether it is, or was, on the agenda of the webhooks. */
  isScheduled: boolean;
  /** The price, computed when first needed: it is a function of inputs and seed. */
  price: number | undefined;
}

interface LedgerOptions {
  readonly seed: number;
  readonly knows?: number | undefined;
  readonly latency: Latency;
  readonly prices: Prices;
  readonly traffic: Traffic;
  readonly book: DeliveryBook;
  readonly lists: ListRegister;
  readonly now: () => number;
  readonly write: WriteLines;
}

export class Ledger implements LedgerReader {
  readonly #entries: Enrichment[] = [];
  readonly #byId = new Map<string, Enrichment>();
  readonly #fingerprints = new Set<string>();
  readonly #doubled = new Map<string, number>();
  readonly #heldBy = openDoubles<Enrichment>();
  #polls = 0;

  constructor(private readonly options: LedgerOptions) {}

  /** All or none, in the file before this returns. Enrichments for which `isEarly` is true are ready at once. */
  accept(
    requests: readonly NewEnrichment[],
    isEarly: (id: string, index: number) => boolean = () => false,
  ): Enrichment[] {
    const { seed, latency, now, write } = this.options;
    const acceptedAt = Math.floor(now());
    const records = requests.map((request, index) => {
      const fingerprint = fingerprintRequest(request.ask, request.inputs);
      const id = createTicket(seed, this.#entries.length + index, fingerprint);
      const latencyMs = isEarly(id, index)
        ? 0
        : drawLatencyMs(latency, seed, identifyInputs(request.inputs));
      return {
        fingerprint,
        record: { ...request, id, acceptedAt, readyAt: acceptedAt + latencyMs },
      };
    });
    write(records.map(({ record }) => ({ kind: 'accepted', ...record })));
    return records.map(({ record, fingerprint }) => this.restore(record, fingerprint));
  }

  restore(
    record: AcceptedRecord,
    fingerprint = fingerprintRequest(record.ask, record.inputs),
  ): Enrichment {
    const enrichment: Enrichment = {
      ...record,
      kind: 'enrichment',
      position: this.#entries.length,
      fingerprint,
      polls: 0,
      deliveries: 0,
      isRead: false,
      isScheduled: false,
      price: undefined,
    };
    this.#entries.push(enrichment);
    this.#byId.set(enrichment.id, enrichment);
    this.#fingerprints.add(fingerprint);
    const { length } = this.#heldBy(enrichment);
    if (length > 0) this.#doubled.set(fingerprint, length + 1);
    return enrichment;
  }

  /** The enrichments in the order of acceptance; the list only grows at its end. */
  all(): readonly Enrichment[] {
    return this.#entries;
  }

  find(id: string): Enrichment | undefined {
    return this.#byId.get(id);
  }

  poll(id: string): Enrichment | undefined {
    const enrichment = this.#byId.get(id);
    if (enrichment === undefined) return undefined;
    enrichment.polls += 1;
    this.#polls += 1;
    return enrichment;
  }

  summary(): LedgerSummary {
    const { requests, worstWindow, throttled } = this.options.traffic;
    const { attempts: deliveries, delivered, lost } = this.options.book;
    const { lists, members } = this.options.lists.counts;
    const doubled = Array.from(this.#doubled, ([fingerprint, count]) => ({ fingerprint, count }));
    const now = this.options.now();
    let charged = 0;
    for (const entry of this.#entries) charged = sumCredits([charged, this.#chargeAt(now, entry)]);
    return {
      accepted: this.#entries.length,
      distinct: this.#fingerprints.size,
      doubled,
      charged,
      requests,
      worstWindow,
      throttled,
      polls: this.#polls,
      deliveries,
      delivered,
      lost,
      lists,
      members,
    };
  }

  entries({ after, limit = 100 }: { after?: string; limit?: number } = {}): LedgerEntry[] | null {
    const last = after === undefined ? -1 : this.#byId.get(after)?.position;
    if (last === undefined) return null;
    const now = this.options.now();
    return this.#entries.slice(last + 1, last + 1 + limit).map((entry) => ({
      id: entry.id,
      fingerprint: entry.fingerprint,
      inputs: entry.inputs,
      ask: entry.ask,
      acceptedAt: entry.acceptedAt,
      readyAt: entry.readyAt,
      polls: entry.polls,
      deliveries: entry.deliveries,
      credits: this.#chargeAt(now, entry),
      ...(entry.metadata !== undefined && { metadata: entry.metadata }),
    }));
  }

  priceOf(entry: Enrichment): number {
    entry.price ??= priceAnswer(entry, this.options, this.options.prices);
    return entry.price;
  }

  #chargeAt(now: number, entry: Enrichment): number {
    return entry.readyAt > now ? 0 : this.priceOf(entry);
  }
}

// The fingerprint is part of it, so that a sandbox that was started again without a file does not answer an old ticket
// with another person's result.
function createTicket(seed: number, position: number, fingerprint: string): string {
  return `enr_${hashText(`ticket\n${seed}\n${position}\n${fingerprint}`, 32)}`;
}

/** The state as `GET /sandbox/credits` shows it. */
interface AccountState {
  /** All credits that were ever bought; null for an account without a limit. */
  readonly credits: number | null;
  readonly charged: number;
  /** The highest price of all accepted enrichments that are not ready yet. */
  readonly reserved: number;
  /** The credits that can still be spent; null without a limit. */
  readonly left: number | null;
}

interface AccountOptions {
  /** Undefined: there are always enough. */
  readonly credits: number | undefined;
  readonly ledger: Ledger;
  readonly prices: Prices;
  readonly now: () => number;
}

export class Account {
  #credits: number | undefined;

  constructor(private readonly options: AccountOptions) {
    this.#credits = options.credits;
  }

  /** Sets the credits that were bought in all, including those already charged. */
  set(credits: number | undefined): void {
    this.#credits = credits;
  }

  /** Whether the credits that are left pay for all of them if each finds everything. */
  covers(requests: readonly NewEnrichment[]): boolean {
    if (this.#credits === undefined) return true;
    const { prices } = this.options;
    const price = sumCredits(requests.map(({ ask }) => highestPrice(ask, prices)));
    const { left } = this.state();
    return left !== null && left >= price;
  }

  state(): AccountState {
    const { ledger, now, prices } = this.options;
    const at = now();
    const entries = ledger.all();
    const open = entries.filter(({ readyAt }) => readyAt > at);
    const ready = entries.filter(({ readyAt }) => readyAt <= at);
    const reserved = sumCredits(open.map(({ ask }) => highestPrice(ask, prices)));
    const charged = sumCredits(ready.map((entry) => ledger.priceOf(entry)));
    const credits = this.#credits ?? null;
    const left =
      credits === null ? null : subtractCredits(credits, sumCredits([charged, reserved]));
    return { credits, charged, reserved, left };
  }
}
