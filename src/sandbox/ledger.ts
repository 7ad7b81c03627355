// The ledger: every enrichment that was accepted, and what it cost. It is what a test asks whether anything was
// paid for twice. It grows by accepted enrichments only.
import { createHash } from 'node:crypto';
import type { Ask, Inputs } from '../domain/ask.js';
import { priceAnswer } from './answers/decide-hits.js';
import { drawLatencyMs, type Latency } from './draw-latency.js';
import { fingerprintRequest, identifyInputs } from './fingerprint-request.js';
import { type AcceptedRecord, type LedgerFile, openLedgerFile } from './ledger-file.js';
import type { Traffic } from './traffic.js';

/** One accepted enrichment, as `GET /sandbox/ledger/entries` shows it. */
export interface LedgerEntry {
  readonly id: string;
  readonly fingerprint: string;
  readonly inputs: Inputs;
  readonly ask: readonly Ask[];
  /** Milliseconds since the Unix epoch. */
  readonly acceptedAt: number;
  readonly readyAt: number;
  /** How often its result was asked for since the sandbox opened. */
  readonly polls: number;
  /** What it cost; 0 until it is ready. */
  readonly credits: number;
}

export interface LedgerSummary {
  readonly accepted: number;
  readonly distinct: number;
  /** Fingerprints that were accepted, and therefore paid for, more than once. */
  readonly doubled: readonly { readonly fingerprint: string; readonly count: number }[];
  /** Credits of all enrichments that are ready. */
  readonly charged: number;
  /** Requests to platform routes since the sandbox opened, refused ones included. */
  readonly requests: number;
  /** The most requests that arrived within one window of the limit (of 2,000 ms without a limit). */
  readonly worstWindow: number;
  /** Requests answered 429. */
  readonly throttled: number;
  /** Readings of a known id since the sandbox opened. */
  readonly polls: number;
}

export interface LedgerReader {
  summary(): LedgerSummary;
  /** Up to `limit` entries in the order of acceptance, after the one called `after`; null for an unknown id. */
  entries(page?: { readonly after?: string; readonly limit?: number }): LedgerEntry[] | null;
}

/** A request that may be accepted. */
export type NewEnrichment = Omit<AcceptedRecord, 'id' | 'acceptedAt' | 'readyAt'>;

/** A ledger line in memory. */
export interface Enrichment extends AcceptedRecord {
  readonly position: number;
  readonly fingerprint: string;
  polls: number;
  /** Filled in when first needed: the price is a function of inputs and seed. */
  price: number | undefined;
}

interface LedgerOptions {
  readonly seed: number;
  readonly latency: Latency;
  readonly traffic: Traffic;
  readonly now: () => number;
  readonly file: string | undefined;
}

/**
 * An empty ledger, or the one that `file` remembers.
 * @throws SluiceError `store` when the file cannot be used
 */
export function openLedger(options: LedgerOptions): Ledger {
  const ledger = new Ledger(options);
  if (options.file !== undefined) ledger.attach(options.file);
  return ledger;
}

export class Ledger implements LedgerReader {
  readonly #entries: Enrichment[] = [];
  readonly #byId = new Map<string, Enrichment>();
  readonly #counts = new Map<string, number>();
  #polls = 0;
  #file: LedgerFile | undefined;

  constructor(private readonly options: LedgerOptions) {}

  /** Remembers what the file at `path` holds, and from now on writes to it. */
  attach(path: string): void {
    const onRecord = (record: AcceptedRecord): void => void this.#enter(record);
    this.#file = openLedgerFile({ path, seed: this.options.seed, onRecord });
  }

  /** Takes an enrichment on; it is in the file before this returns, so an answered request is never forgotten. */
  accept(request: NewEnrichment): Enrichment {
    const { seed, latency, now } = this.options;
    const acceptedAt = Math.floor(now());
    const readyAt = acceptedAt + drawLatencyMs(latency, seed, identifyInputs(request.inputs));
    const fingerprint = fingerprintRequest(request.ask, request.inputs);
    const id = createTicket(seed, this.#entries.length, fingerprint);
    const record = { ...request, id, acceptedAt, readyAt };
    this.#file?.append(record);
    return this.#enter(record, fingerprint);
  }

  /** The enrichment with this id, and one more poll on its account. */
  poll(id: string): Enrichment | undefined {
    const enrichment = this.#byId.get(id);
    if (enrichment === undefined) return undefined;
    enrichment.polls += 1;
    this.#polls += 1;
    return enrichment;
  }

  summary(): LedgerSummary {
    const { requests, worstWindow, throttled } = this.options.traffic;
    const doubled = [...this.#counts]
      .filter(([, count]) => count > 1)
      .map(([fingerprint, count]) => ({ fingerprint, count }));
    const now = this.options.now();
    const charged = this.#entries.reduce((sum, entry) => sum + this.#chargeAt(now, entry), 0);
    const accepted = this.#entries.length;
    const distinct = this.#counts.size;
    const polls = this.#polls;
    return { accepted, distinct, doubled, charged, requests, worstWindow, throttled, polls };
  }

  entries({ after, limit = 100 }: { after?: string; limit?: number } = {}): LedgerEntry[] | null {
    const last = after === undefined ? -1 : this.#byId.get(after)?.position;
    if (last === undefined) return null;
    const now = this.options.now();
    return this.#entries.slice(last + 1, last + 1 + limit).map((entry) => {
      const { id, fingerprint, inputs, ask, acceptedAt, readyAt, polls } = entry;
      const credits = this.#chargeAt(now, entry);
      return { id, fingerprint, inputs, ask, acceptedAt, readyAt, polls, credits };
    });
  }

  /** Idempotent. */
  close(): void {
    this.#file?.close();
  }

  #enter(
    record: AcceptedRecord,
    fingerprint = fingerprintRequest(record.ask, record.inputs),
  ): Enrichment {
    const position = this.#entries.length;
    const enrichment = { ...record, position, fingerprint, polls: 0, price: undefined };
    this.#entries.push(enrichment);
    this.#byId.set(enrichment.id, enrichment);
    this.#counts.set(fingerprint, (this.#counts.get(fingerprint) ?? 0) + 1);
    return enrichment;
  }

  #chargeAt(now: number, entry: Enrichment): number {
    if (entry.readyAt > now) return 0;
    entry.price ??= priceAnswer(entry, this.options.seed);
    return entry.price;
  }
}

// The fingerprint is part of it so that a sandbox that was started anew, without a file, does not answer an
// old ticket with somebody else's result.
function createTicket(seed: number, position: number, fingerprint: string): string {
  const hash = createHash('sha256').update(`ticket\n${seed}\n${position}\n${fingerprint}`);
  return `enr_${hash.digest('hex').slice(0, 32)}`;
}
