import type { Writable } from 'node:stream';
import { SluiceError } from '../model/errors.js';
import type { OutputColumn, TableWriter } from '../ports/table-writer.js';
import { type CellLimits, openCellCleaner } from './clean-cells.js';
import { type CsvOptions, csvFormat } from './csv-format.js';
import { ndjsonFormat } from './ndjson-format.js';
import { openStandardOutput } from './standard-output.js';
import { openTableFile, type ReadyFile } from './table-file.js';
import { checkColumnCount, endingOf, type FormatName, type TableFormat } from './table-format.js';

/** `delimiter`, `bom`, `excel` and `formulaGuard` concern CSV only. */
export interface TableWriterOptions extends CsvOptions {
  /** The format of the table `-`: a file has that of its ending. Default: CSV. */
  readonly format?: FormatName | undefined;
  /** The stream of the table `-`. */
  readonly standardOutput?: Writable | undefined;
  /** Whether a new file is its owner's alone, whatever the umask. */
  readonly isPrivate?: boolean;
  /** Called and waited for before a file takes its place. */
  readonly onReady?: (file: ReadyFile) => Promise<void>;
}

/**
 * It has its header even if no row follows.
 * @throws SluiceError `usage` if no table can stand at the path, it has no stream, or the format has fewer columns
 * @throws SluiceError `output` here and from every method, when writing fails
 * @throws ClosedPipe here and from `write`, when the reader of standard output has gone; not an error
 */
export async function openTableWriter(
  path: string,
  columns: readonly OutputColumn[],
  options: TableWriterOptions,
): Promise<TableWriter> {
  const own = path === '-' ? options : { ...options, format: undefined };
  checkColumnCount(path, columns.length, own.format);
  const { limits, open } = await findFormat(path, own);
  const cleaner = openCellCleaner(columns, limits);
  const format = open(cleaner.columns);
  const sink =
    path === '-'
      ? openStandardOutput(streamOf(options))
      : await openTableFile(path, options.onReady, options.isPrivate);
  try {
    await sink.write(await format.begin());
  } catch (problem) {
    await sink.discard();
    throw problem;
  }
  let ended: Promise<void> | undefined;
  const writeRest = async (): Promise<void> => {
    const rest = await format.end();
    if (rest.length > 0) await sink.write(rest);
  };
  const end = (): Promise<void> => {
    ended ??= writeRest();
    return ended;
  };
  return {
    async write(rows) {
      await sink.write(await format.rows(cleaner.clean(rows)));
    },
    end,
    async commit() {
      await end();
      await sink.commit();
    },
    changes: () => cleaner.changes(),
    discard: () => sink.discard(),
  };
}

function streamOf({ standardOutput }: TableWriterOptions): Writable {
  if (standardOutput !== undefined) return standardOutput;
  throw new SluiceError(
    'usage',
    'The table goes to standard output: give its stream as standardOutput, or a file.',
  );
}

interface FoundFormat {
  readonly limits: CellLimits;
  readonly open: (columns: readonly OutputColumn[]) => TableFormat;
}

/** Leading zeros, the plus of a phone number, or more digits than Excel keeps or shows. */
function isDigitsForExcel(text: string): boolean {
  return /^(?:0\d+|\+\d{5,}|-?\d{12,})$/.test(text);
}

async function findFormat(path: string, options: TableWriterOptions): Promise<FoundFormat> {
  const { format, hasTabs } = endingOf(path);
  switch (options.format ?? format) {
    case 'csv': {
      const own = hasTabs ? { ...options, delimiter: '\t' as const } : options;
      const limits = options.excel === true ? { isMisread: isDigitsForExcel } : {};
      return { limits, open: (columns) => csvFormat(columns, own) };
    }
    case 'ndjson':
      return { limits: {}, open: ndjsonFormat };
    case 'xlsx': {
      const { XLSX_LIMITS, xlsxFormat } = await import('./xlsx/xlsx-format.js');
      return { limits: XLSX_LIMITS, open: (columns) => xlsxFormat(columns) };
    }
    case 'parquet': {
      const { PARQUET_LIMITS, parquetFormat } = await import('./parquet/parquet-format.js');
      return { limits: PARQUET_LIMITS, open: (columns) => parquetFormat(columns) };
    }
  }
}
