// A lead as it was read: the original cells, untouched, and their place in the input.
import type { JsonValue } from './text/json.js';

/**
 * `name` is the header to the letter (it may be empty or come twice); `key` is unique within the input: the name,
 * `name_2` for its second appearance, `column_3` for an empty header.
 */
export interface Column {
  readonly key: string;
  readonly name: string;
}

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** One input record. `cells` align with the columns known when it was read; missing cells are absent at the end. */
export interface SourceRecord {
  /** Index into the reader's `sources`. */
  readonly source: number;
  /** 1-based number of the physical line on which the record begins. */
  readonly line: number;
  /** CSV cells are strings; NDJSON cells keep their JSON type, and some numbers are marked (text/json.ts). */
  readonly cells: readonly JsonValue[];
  /** Why it may not mean what it says (ragged, invalid bytes): its lead is skipped for this, and never paid for. */
  readonly flaw?: string;
  /** Cells are missing at its end, and count as empty. */
  readonly isShort?: true;
}

/** A piece of input that could not become a record at all; it goes to `<out>.rejects.csv`. */
export interface Reject {
  readonly source: number;
  readonly line: number;
  readonly reason: string;
  /** The raw text, cut to 2,000 characters. */
  readonly raw: string;
}
