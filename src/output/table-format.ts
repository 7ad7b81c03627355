// How a table becomes bytes, and what takes them. A format knows its columns, and not where the bytes go.
import { SluiceError } from '../model/errors.js';
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

export type FormatName = 'csv' | 'ndjson' | 'xlsx' | 'parquet';

/** What a file's ending names. */
export interface Ending {
  /** By the ending, `ndjson` also for `.jsonl`; CSV for all others and for `-`. */
  readonly format: FormatName;
  /** `.tsv`: its delimiter is a tab, whatever is asked for. */
  readonly hasTabs: boolean;
  /** `.gz` behind the format. */
  readonly isPacked: boolean;
}

/** The endings of tables that Sluice writes, behind a name. XLSX and Parquet are packed as they are. */
export const TABLE_ENDING = /(?<=[^/\\])\.(?:(?:csv|tsv|ndjson|jsonl)(?:\.gz)?|xlsx|parquet)$/i;

const FORMATS: Readonly<Record<string, FormatName>> = {
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  xlsx: 'xlsx',
  parquet: 'parquet',
};

export function endingOf(path: string): Ending {
  const [ending = ''] = TABLE_ENDING.exec(path.toLowerCase()) ?? [];
  const [, name = '', packed] = ending.split('.');
  return { format: FORMATS[name] ?? 'csv', hasTabs: name === 'tsv', isPacked: packed === 'gz' };
}

/** The most columns of a sheet. */
const XLSX_COLUMNS_MAX = 16_384;

/**
 * @param format default: what the ending of the file says
 * @throws SluiceError `usage` for more columns than the format has
 */
export function checkColumnCount(
  path: string,
  count: number,
  format: FormatName = endingOf(path).format,
): void {
  if (format !== 'xlsx' || count <= XLSX_COLUMNS_MAX) return;
  const name = path === '-' ? 'The table' : path;
  throw new SluiceError(
    'usage',
    `${name} would have ${count} columns, and XLSX ends at ${XLSX_COLUMNS_MAX}. Choose some with --columns, or write a .csv, .ndjson or .parquet.`,
    { out: path, columns: count, columnsMax: XLSX_COLUMNS_MAX },
  );
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
