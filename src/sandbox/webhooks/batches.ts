// Entries that become ready shortly after one another go to their target in one body.
import type { Entry, Target } from './delivery.js';

export interface WebhookBatch {
  readonly max: number;
  /** The time for which the first entry of a body waits for others. */
  readonly withinMs: number;
}

export interface Batch {
  readonly target: Target;
  readonly entries: Entry[];
}

/** Only open batches are kept: every lead may have a target of its own. */
export class Batches {
  readonly #open = new Map<string, Batch>();

  constructor(private readonly limits: WebhookBatch) {}

  /** Adds an entry to its batch; `state` says whether it has opened it, filled it, or neither. */
  add(target: Target, entry: Entry): { batch: Batch; state: 'opened' | 'full' | 'growing' } {
    const { max, withinMs } = this.limits;
    if (max === 1 || withinMs === 0) return { batch: { target, entries: [entry] }, state: 'full' };
    const key = keyOf(target);
    const open = this.#open.get(key);
    const batch = open ?? { target, entries: [] };
    batch.entries.push(entry);
    if (batch.entries.length >= max) {
      this.#open.delete(key);
      return { batch, state: 'full' };
    }
    this.#open.set(key, batch);
    return { batch, state: open === undefined ? 'opened' : 'growing' };
  }

  /** Closes the batch; false if it is closed already. */
  take(batch: Batch): boolean {
    const key = keyOf(batch.target);
    return this.#open.get(key) === batch && this.#open.delete(key);
  }
}

/** The key of a target: deliveries with the same key may share a body. */
function keyOf({ url, type, hook }: Target): string {
  return `${type} ${hook?.id ?? ''} ${url}`;
}
