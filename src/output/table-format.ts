// How a table becomes text, and what takes the text. A format knows its columns, and not where the text goes.
import type { OutputRow } from '../ports/table-writer.js';

export interface TableFormat {
  /** The text before the first row; may be empty. */
  readonly head: string;
  /** The text of the rows, with their line ends. */
  format(rows: readonly OutputRow[]): string;
}

export type FormatName = 'csv' | 'ndjson';

/** What a file's ending names. */
export interface Ending {
  /** `ndjson` for `.ndjson` and `.jsonl`; CSV for all others and for `-`. */
  readonly format: FormatName;
  /** `.tsv`: its delimiter is a tab, whatever is asked for. */
  readonly hasTabs: boolean;
  /** `.gz` behind the format. */
  readonly isPacked: boolean;
}

/** The endings of tables that Sluice writes, behind a name. */
export const TABLE_ENDING = /(?<=[^/\\])\.(?:csv|tsv|ndjson|jsonl)(?:\.gz)?$/i;

export function endingOf(path: string): Ending {
  const [ending = ''] = TABLE_ENDING.exec(path.toLowerCase()) ?? [];
  const isJson = ending.startsWith('.ndjson') || ending.startsWith('.jsonl');
  return {
    format: isJson ? 'ndjson' : 'csv',
    hasTabs: ending.startsWith('.tsv'),
    isPacked: ending.endsWith('.gz'),
  };
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
