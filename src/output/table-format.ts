// How a table becomes text, and what takes the text. A format knows its columns, and not where the text goes.
import type { OutputRow } from '../ports/table-writer.js';

export interface TableFormat {
  /** The text before the first row; may be empty. */
  readonly head: string;
  /** The text of the rows, with their line ends. */
  format(rows: readonly OutputRow[]): string;
}

export type FormatName = 'csv' | 'ndjson';

/** The format that a file's ending names: `.ndjson` or `.jsonl`; CSV for all others and for `-`. */
export function formatOfPath(path: string): FormatName {
  return /\.(?:ndjson|jsonl)$/i.test(path) ? 'ndjson' : 'csv';
}

/** Where the text of a table goes: a file that replaces another, or standard output. */
export interface TextSink {
  /** Resolves when the text is handed on. */
  write(text: string): Promise<void>;
  /** Makes it visible and durable, where the sink can. Idempotent. */
  commit(): Promise<void>;
  /** Takes it back, where the sink can. Idempotent, and nothing after commit. */
  discard(): Promise<void>;
}
