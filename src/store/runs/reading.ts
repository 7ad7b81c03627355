// The facts that a run has learnt of its input: columns and mapping.
import type { Column } from '../../model/lead.js';
import type { MappedInput } from '../../model/mapping/mapping.js';
import type { IngestBatch } from '../../ports/store/enrichments.js';

export interface LearntRow {
  readonly columns: string;
  readonly mapping: string;
}

/** Adds the facts of a batch. A reading that starts over knows fewer columns at first than the stored leads have. */
export function learnMore(before: LearntRow, { columns, mapping = [] }: IngestBatch): LearntRow {
  return {
    columns: JSON.stringify(longer(JSON.parse(before.columns) as Column[], columns)),
    mapping: JSON.stringify(longer(JSON.parse(before.mapping) as MappedInput[], mapping)),
  };
}

function longer<T>(known: readonly T[], now: readonly T[]): readonly T[] {
  return now.length < known.length ? known : now;
}
