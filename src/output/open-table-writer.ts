// Writing a table: a format makes bytes of the rows, a sink takes them. This file puts the two together.
import type { Writable } from 'node:stream';
import type { OutputColumn, TableWriter } from '../ports/table-writer.js';
import { type CsvOptions, csvFormat } from './csv-format.js';
import { ndjsonFormat } from './ndjson-format.js';
import { openStandardOutput } from './standard-output.js';
import { openTableFile, type ReadyFile } from './table-file.js';
import { endingOf, type FormatName, type TableFormat } from './table-format.js';

/** `delimiter`, `bom`, `excel` and `formulaGuard` concern CSV only. */
export interface TableWriterOptions extends CsvOptions {
  /** Instead of what the file's ending says. */
  readonly format?: FormatName;
  /** Where the path `-` writes to. */
  readonly standardOutput: Writable;
  /** Waited for before a file takes its place. */
  readonly onReady?: (file: ReadyFile) => Promise<void>;
}

/**
 * Opens a table, which has its header even if no row follows.
 * @throws SluiceError `usage` where no table can stand at the path
 * @throws SluiceError `output` here and from every method, when writing fails
 * @throws ClosedPipe here and from `write`, when the reader of standard output has gone; not an error
 */
export async function openTableWriter(
  path: string,
  columns: readonly OutputColumn[],
  options: TableWriterOptions,
): Promise<TableWriter> {
  const format = openFormat(path, columns, options);
  const sink =
    path === '-'
      ? openStandardOutput(options.standardOutput)
      : await openTableFile(path, options.onReady);
  try {
    await sink.write(await format.begin());
  } catch (problem) {
    await sink.discard();
    throw problem;
  }
  let hasEnded = false;
  return {
    async write(rows) {
      await sink.write(await format.rows(rows));
    },
    async commit() {
      if (!hasEnded) {
        hasEnded = true;
        const tail = await format.end();
        if (tail.length > 0) await sink.write(tail);
      }
      await sink.commit();
    },
    discard: () => sink.discard(),
  };
}

function openFormat(
  path: string,
  columns: readonly OutputColumn[],
  options: TableWriterOptions,
): TableFormat {
  const ending = endingOf(path);
  switch (options.format ?? ending.format) {
    case 'csv':
      return csvFormat(columns, ending.hasTabs ? { ...options, delimiter: '\t' } : options);
    case 'ndjson':
      return ndjsonFormat(columns);
  }
}
