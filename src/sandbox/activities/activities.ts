// The activities that were emitted by hand: kept to deliver them after a restart, and to know the first one of a lead
// from the later ones. Only emitted activities make it grow.
import type { JsonObject } from '../../model/text/json.js';
import { hashText } from '../ledger/fingerprint-request.js';
import type { EmittedRecord, WriteLines } from '../ledger/ledger-lines.js';

export interface Activity {
  readonly kind: 'activity';
  /** Never used twice; the `_id` of its record unless the caller gave another one. */
  readonly id: string;
  readonly type: string;
  /** What is sent to hooks, without their secret. */
  readonly record: JsonObject;
  /** Milliseconds since the Unix epoch. */
  readonly readyAt: number;
  /** Whether it is the first of its type for this lead; always true where the record names no lead. */
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

  /** Adds the record that `build` makes with its id (`act_…`); it is in the file before this returns. */
  emit(type: string, build: (id: string, now: number) => JsonObject): Activity {
    const { seed, now, write } = this.options;
    const id = `act_${hashText(`activity\n${seed}\n${this.#all.length}`)}`;
    const emittedAt = Math.floor(now());
    const line = { id, type, emittedAt, record: build(id, emittedAt) };
    write([{ kind: 'emitted', ...line }]);
    return this.restore(line);
  }

  /** Adds an activity of the ledger file. */
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
