// The activities that were emitted by hand: kept so that they are delivered over a restart, and so that the first
// one of a lead can be told from the later ones. It grows by what is emitted only.
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../model/text/json.js';
import type { EmittedRecord, WriteLines } from '../ledger/ledger-lines.js';

export interface Activity {
  readonly kind: 'activity';
  /** Of this emission, and never handed out twice; the `_id` of its record unless that was named otherwise. */
  readonly id: string;
  readonly type: string;
  /** What hooks are sent, but for their secret. */
  readonly record: JsonObject;
  /** Milliseconds since the Unix epoch. */
  readonly readyAt: number;
  /** Whether no activity of this type came before for this lead; always so where the record names none. */
  readonly isFirst: boolean;
  deliveries: number;
}

interface ActivitiesOptions {
  readonly seed: number;
  readonly now: () => number;
  readonly write: WriteLines;
}

export class Activities {
  readonly #all: Activity[] = [];
  /** Type and lead of every activity. */
  readonly #seen = new Set<string>();

  constructor(private readonly options: ActivitiesOptions) {}

  /** Takes on the record that `build` makes with its id (`act_…`); in the file before this returns. */
  emit(type: string, build: (id: string, now: number) => JsonObject): Activity {
    const { seed, now, write } = this.options;
    const hash = createHash('sha256').update(`activity\n${seed}\n${this.#all.length}`);
    const id = `act_${hash.digest('hex').slice(0, 24)}`;
    const emittedAt = Math.floor(now());
    const line = { id, type, emittedAt, record: build(id, emittedAt) };
    write([{ kind: 'emitted', ...line }]);
    return this.restore(line);
  }

  /** Takes on what the ledger file remembers. */
  restore({ id, type, emittedAt: readyAt, record }: EmittedRecord): Activity {
    const leadId = record['leadId'];
    const key = JSON.stringify([type, leadId]);
    const isFirst = leadId === undefined || !this.#seen.has(key);
    this.#seen.add(key);
    const activity: Activity = {
      kind: 'activity',
      id,
      type,
      record,
      readyAt,
      isFirst,
      deliveries: 0,
    };
    this.#all.push(activity);
    return activity;
  }

  /** In the order of their emission. */
  all(): readonly Activity[] {
    return this.#all;
  }
}
