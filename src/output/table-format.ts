// How a table becomes bytes, and what takes them. A format knows its columns, and not where the bytes go.
import type { OutputRow } from '../ports/table-writer.js';

/** A part of a table, in order; may be empty. Text is written as UTF-8. */
export type Piece = string | Uint8Array;

/** Its methods are called one after the other. What it holds back, it returns later. */
export interface TableFormat<P extends Piece | Promise<Piece> = Piece | Promise<Piece>> {
  /** What comes before the first row. */
  begin(): P;
  rows(rows: readonly OutputRow[]): P;
  /** What comes behind the last row. */
  end(): P;
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

/** Where the parts of a table go: a file that replaces another, or standard output. */
export interface TableSink {
  /** Resolves when the part is handed on. */
  write(piece: Piece): Promise<void>;
  /** Makes it visible and durable, where the sink can. Idempotent. */
  commit(): Promise<void>;
  /** Takes it back, where the sink can. Idempotent, and nothing after commit. */
  discard(): Promise<void>;
}
