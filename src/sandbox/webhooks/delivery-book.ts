// The ends of deliveries: counts for the summary, and lines in the ledger file for those that need not be delivered
// again. Lines are written in groups, a moment later: a process that dies in between delivers again.
import type { LedgerLine, WriteLines } from '../ledger/ledger-file.js';

/** An entry has arrived, or will never be tried again. */
export type Ending = 'delivered' | 'given-up';

export class DeliveryBook {
  /** POST requests sent to targets since the sandbox opened. */
  attempts = 0;
  delivered = 0;
  /** Entries that were never sent (fault `webhook-lost`), or given up after the last attempt. */
  lost = 0;
  readonly #settled = new Set<string>();
  #unwritten: LedgerLine[] = [];

  constructor(private readonly write: WriteLines) {}

  restore(id: string): void {
    this.#settled.add(id);
  }

  /** Whether the delivery to the URL of its request ended before this sandbox was opened. */
  endedBefore(id: string): boolean {
    return this.#settled.has(id);
  }

  note(kind: Ending, ids: readonly string[], hook: string | undefined): void {
    if (kind === 'given-up') this.lost += ids.length;
    // A hook ends with the process.
    if (hook !== undefined) return;
    if (this.#unwritten.length === 0) setImmediate(() => this.flush());
    for (const id of ids) this.#unwritten.push({ kind, id });
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
