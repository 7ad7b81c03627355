// The ends of deliveries: counts for the summary, and lines in the ledger file for those that need not be delivered
// again. Lines are written in groups, a moment later: a process that dies in between delivers again.
import type { LedgerLine, WriteLines } from '../ledger/ledger-lines.js';

/** An entry has arrived, or will never be tried again. */
export type Ending = 'delivered' | 'given-up';

export class DeliveryBook {
  /** POST requests sent to targets since the sandbox opened. */
  attempts = 0;
  /** The requests that were answered 2xx. */
  delivered = 0;
  /** Entries that were never sent (fault `webhook-lost`), or given up after the last attempt. */
  lost = 0;
  readonly #settled = new Set<string>();
  #unwritten: LedgerLine[] = [];

  constructor(private readonly write: WriteLines) {}

  /** Adds an ending of the ledger file. */
  restore(id: string, hook: string | undefined): void {
    this.#settled.add(keyOf(id, hook));
  }

  /** Whether it ended before this sandbox was opened; `hook` is undefined for the URL of the request. */
  endedBefore(id: string, hook: string | undefined): boolean {
    return this.#settled.has(keyOf(id, hook));
  }

  note(kind: Ending, ids: readonly string[], hook: string | undefined): void {
    if (kind === 'given-up') this.lost += ids.length;
    if (this.#unwritten.length === 0) setImmediate(() => this.flush());
    for (const id of ids) this.#unwritten.push({ kind, id, ...(hook !== undefined && { hook }) });
  }

  flush(): void {
    const lines = this.#unwritten;
    if (lines.length === 0) return;
    this.#unwritten = [];
    try {
      this.write(lines);
    } catch {
      // The disk is full: after a restart they are delivered again, which a client has to accept anyway.
    }
  }
}

function keyOf(id: string, hook: string | undefined): string {
  return `${id} ${hook ?? ''}`;
}
