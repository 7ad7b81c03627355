// The interfaces of formats, which make bytes of a table, and of sinks, which take them. A format knows its columns,
// but not the sink.
import { SluiceError } from '../model/errors.js';
import type { OutputRow } from '../ports/table-writer.js';

/** A part of a table, in order; may be empty. Text is written as UTF-8. */
export type Piece = string | Uint8Array;

/** A format. Its methods are called one after the other; data that it holds back comes out later. */
export interface TableFormat<P extends Piece | Promise<Piece> = Piece | Promise<Piece>> {
  begin(): P;
  rows(rows: readonly OutputRow[]): P;
  end(): P;
}

export type FormatName = 'csv' | 'ndjson' | 'xlsx' | 'parquet';

export interface Ending {
  /** The format by the ending, `ndjson` also for `.jsonl`; CSV for all others and for `-`. */
  readonly format: FormatName;
  /** `.tsv`: its delimiter is a tab, whatever delimiter is wished. */
  readonly hasTabs: boolean;
  readonly isPacked: boolean;
}

/** The endings of tables that Sluice writes, after a name. XLSX and Parquet are packed already. */
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

/** The greatest number of columns of a sheet. */
const XLSX_COLUMNS_MAX = 16_384;

/**
 * @param format default: that of the file's ending
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
  );
}

/** The target of a table's parts: a file that replaces another, or standard output. */
export interface TableSink {
  write(piece: Piece): Promise<void>;
  /** Makes the table visible and durable, if the sink can. Idempotent. */
  commit(): Promise<void>;
  /** Takes the table back, if the sink can. Idempotent, and does nothing after commit. */
  discard(): Promise<void>;
}
