// How a table becomes text. A format knows its columns and nothing of where the text goes.
import type { OutputRow } from '../ports/table-writer.js';

export interface TableFormat {
  /** What stands before the first row; may be empty. */
  readonly head: string;
  /** The text of the rows, with their line ends. */
  format(rows: readonly OutputRow[]): string;
}

export type FormatName = 'csv' | 'ndjson';

/** The format that a file's ending names: `.ndjson` or `.jsonl`; CSV for all others and for `-`. */
export function formatOfPath(path: string): FormatName {
  return /\.(?:ndjson|jsonl)$/i.test(path) ? 'ndjson' : 'csv';
}
