// Input without files: persons as records, in batches that come when a test lets them.
import type { Column, Reject, SourceRecord } from '../../src/model/lead.js';
import type { LeadReader, RecordBatch } from '../../src/ports/lead-reader.js';

export const PEOPLE_COLUMNS: readonly Column[] = ['first_name', 'last_name', 'domain'].map(
  (name) => ({ key: name, name }),
);

/** A lead that can be asked for; an empty name makes one that cannot. */
export function person(who: string, line = 2): SourceRecord {
  return { source: 0, line, cells: [who, 'Doe', 'example.com'] };
}

/** Persons as one batch, with lines counted from `firstLine`. */
export function people(names: readonly string[], firstLine = 2): RecordBatch {
  return peopleWith(names, [], firstLine);
}

export function peopleWith(
  names: readonly string[],
  rejects: readonly Reject[],
  firstLine = 2,
): RecordBatch {
  const records = names.map((who, i) => person(who, firstLine + i));
  return { columns: PEOPLE_COLUMNS, records, rejects };
}

/** Reads the batches given; a function among them is awaited, and may block or throw. */
export function readerOf(
  ...batches: (RecordBatch | (() => Promise<RecordBatch | undefined>))[]
): LeadReader {
  return {
    sources: ['leads.csv'],
    signature: () => Promise.resolve('s1'),
    async *batches() {
      for (const batch of batches) {
        const ready = typeof batch === 'function' ? await batch() : batch;
        if (ready !== undefined) yield ready;
      }
    },
  };
}

/** `count` names: `a1`, `a2` … */
export function names(count: number, prefix = 'a'): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`);
}
