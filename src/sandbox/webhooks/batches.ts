// Entries that become ready shortly after one another go to their target in one body.
import type { Entry, Target } from './delivery.js';

export interface WebhookBatch {
  /** Entries of one body. */
  readonly max: number;
  /** How long the first entry of a body waits for others. */
  readonly withinMs: number;
}

export interface Batch {
  readonly target: Target;
  readonly entries: Entry[];
}

/** A lane exists only while entries wait in it: every lead may have a target of its own. */
export class Batches {
  readonly #lanes = new Map<string, Batch>();

  constructor(private readonly limits: WebhookBatch) {}

  /** The batch of this entry, and whether the entry has opened it, filled it, or neither. */
  add(target: Target, entry: Entry): { batch: Batch; state: 'opened' | 'full' | 'growing' } {
    const { max, withinMs } = this.limits;
    if (max === 1 || withinMs === 0) return { batch: { target, entries: [entry] }, state: 'full' };
    const lane = laneOf(target);
    const open = this.#lanes.get(lane);
    const batch = open ?? { target, entries: [] };
    batch.entries.push(entry);
    if (batch.entries.length >= max) {
      this.#lanes.delete(lane);
      return { batch, state: 'full' };
    }
    this.#lanes.set(lane, batch);
    return { batch, state: open === undefined ? 'opened' : 'growing' };
  }

  /** Closes the batch; false where it is closed already. */
  take(batch: Batch): boolean {
    const lane = laneOf(batch.target);
    return this.#lanes.get(lane) === batch && this.#lanes.delete(lane);
  }
}

/** Which deliveries may share a body. */
function laneOf({ url, type, hook }: Target): string {
  return `${type} ${hook?.id ?? ''} ${url}`;
}
