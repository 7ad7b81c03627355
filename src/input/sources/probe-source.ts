import { SluiceError } from '../../model/errors.js';
import { kindsOfColumns } from '../../model/mapping/column-kinds.js';
import { type BrokenLine, type CsvDialect, CsvReader, type CsvRecord } from '../csv/csv-reader.js';
import type { CsvHeader } from '../csv/csv-records.js';
import { detectDialect } from '../csv/detect-dialect.js';
import { findHeader, headerOfNone, refuseLead } from '../find-header.js';
import { type InputFormat, NAMES_CHARS_MAX, type ReadOptions } from '../read-options.js';
import { type Guess, readText } from '../stream-decoder.js';
import type { SheetPlan } from '../xlsx/read-sheet.js';
import { containerOf, refuse, refuseOddText } from './foreign-file.js';
import { emptySourceError, firstBytes, type Source } from './open-source.js';
import { nameSource, noHeaderAt } from './source-name.js';

const PATIENCE_CHARS = 256 * 1024;

const OLD_OR_LOCKED =
  'is an old Excel file (.xls), or one with a password; open it in a spreadsheet program and save it as an Excel workbook (.xlsx) or as CSV, without a password';

export type SourcePlan =
  | { readonly format: 'ndjson' }
  | (CsvHeader & {
      readonly format: 'csv';
      readonly dialect: CsvDialect;
      readonly header: readonly string[];
      /** The first rows below it that have a cell for each column. */
      readonly below: readonly (readonly string[])[];
      readonly isBelowOthers: boolean;
    })
  | SheetPlan;

/**
 * Looks at a source. A workbook is recognised by its first bytes, whatever format is stated. Text is read chunk by
 * chunk until the header is there: a slow pipe is not kept waiting for more.
 * @throws SluiceError `input` for a source without text, with a header whose quotes are broken or that is too long, a
 * damaged workbook, or a file that is not a table
 */
export async function probeSource(source: Source, options: ReadOptions): Promise<SourcePlan> {
  const container = containerOf(await firstBytes(source.peek()));
  if (container === 'compound') refuse(source.path, OLD_OR_LOCKED);
  const plan =
    container === 'zip' ? await probeWorkbook(source, options) : await probeText(source, options);
  if (plan.format !== 'ndjson' && options.headerRow === undefined) refuseLead(source.path, plan);
  return plan;
}

async function probeWorkbook(source: Source, options: ReadOptions): Promise<SourcePlan> {
  // The code for workbooks is loaded only if there is one.
  const { probeSheet } = await import('../xlsx/read-sheet.js');
  return probeSheet(source, options);
}

async function probeText(source: Source, options: ReadOptions): Promise<SourcePlan> {
  let sample = '';
  let charsAwaited = 0;
  for await (const { text } of readText(source.peek(), options.encoding)) {
    sample += text;
    if (sample.length < charsAwaited) continue;
    const plan = planFor(source, sample, false, options);
    if (plan !== null) return plan;
    if (sample.length > NAMES_CHARS_MAX) throw tooLongHeader(source.path);
    // If a quote of the header is open, each look reads all of it anew.
    if (sample.length > PATIENCE_CHARS) charsAwaited = sample.length * 1.5;
  }
  const plan = planFor(source, sample, true, options);
  if (plan === null) throw emptySourceError(source.path);
  return plan;
}

/** @throws SluiceError `input` if a line shows that the guess is wrong */
export function refuseOddGuess(path: string, { isMixed, oddLine }: Guess): void {
  if (oddLine === undefined) return;
  const wayOut = isMixed
    ? 'Other lines are UTF-8: correct the line, or save the whole file as UTF-8.'
    : 'Name the encoding with the key encoding, such as windows-1250 or macintosh, or windows-1252 if the line is right.';
  throw new SluiceError(
    'input',
    `${nameSource(path)} has no encoding that can be guessed: line ${oddLine} is not UTF-8, and as windows-1252 it has signs that no text has there. ${wayOut}`,
  );
}

function planFor(
  source: Source,
  sample: string,
  isWhole: boolean,
  options: ReadOptions,
): SourcePlan | null {
  if (sample.trim() === '') return null;
  const { path } = source;
  refuseOddText(path, sample);
  const format = options.format ?? detectFormat(path, sample);
  if (format === 'ndjson') return { format };
  const dialect = detectDialect(sample, isWhole, options.delimiter);
  const reader = new CsvReader(dialect);
  reader.push(sample);
  if (isWhole) reader.end();
  const isEnough = isWhole || sample.length > NAMES_CHARS_MAX;
  const header = readHeader(source, reader, { isEnough, headerRow: options.headerRow });
  if (header === null) return null;
  const rows = firstRows(reader, header.first);
  refuseOneColumn(source.path, header.header, rows);
  const isMoreToCome = !isWhole && !source.isLive && sample.length < PATIENCE_CHARS;
  if (isMoreToCome && rows.length < ROWS_LOOKED_AT) return null;
  const names = options.headerRow === 'none' ? headerOfNone(rows) : header.header;
  const below = rows.filter(({ length }) => length === names.length);
  const { headerLine, isBelowOthers } = header;
  const kinds = kindsOfColumns(names, below);
  return { format, dialect, header: names, headerLine, isBelowOthers, kinds, below };
}

/** @throws SluiceError `input` if a sign that is no delimiter here stands as often in the header as in the rows */
function refuseOneColumn(
  path: string,
  [name = '', ...others]: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  if (others.length > 0 || rows.length === 0) return;
  const sign = ['^', '~', '§', '¦'].find((one) => {
    const count = name.split(one).length;
    return count > 1 && rows.every((cells) => cells.join(',').split(one).length === count);
  });
  if (sign === undefined) return;
  refuse(
    path,
    `seems to be delimited by ${sign}, which Sluice does not read: it was guessed from its first lines, which have one column by tab, ";", "|" and ","`,
    'Save it with one of those.',
  );
}

const ROWS_LOOKED_AT = 100;

function firstRows(reader: CsvReader, first: readonly CsvRecord[]): (readonly string[])[] {
  const rows = first.map(({ cells }) => cells);
  for (let n = 0; n < ROWS_LOOKED_AT; n += 1) {
    const next = reader.next();
    if (next === null) break;
    if (next.kind === 'record') rows.push(next.cells);
  }
  return rows;
}

/** The header; null if more text is needed. A pipe does not wait for lines below its first record. */
function readHeader(
  { path, isLive }: Source,
  reader: CsvReader,
  { headerRow, isEnough }: Pick<ReadOptions, 'headerRow'> & { readonly isEnough: boolean },
) {
  const records: CsvRecord[] = [];
  for (let next = reader.next(); next !== null; next = reader.next()) {
    if (headerRow === 'none') {
      if (next.kind === 'record') return { ...headerOf([], 0), first: [next] };
      continue;
    }
    if (headerRow !== undefined) {
      if (next.line < headerRow) continue;
      if (next.line > headerRow) throw noHeaderAt(path, headerRow);
      if (next.kind === 'record') return headerOf([next], 0);
    }
    if (next.kind === 'broken') {
      if (records.length > 0) return headerOf(records, 0);
      throw brokenHeader(path, next);
    }
    records.push(next);
    const index = findHeader(records.map(({ cells }) => cells));
    if (index !== undefined) return headerOf(records, index);
  }
  if (typeof headerRow === 'number' && isEnough) throw noHeaderAt(path, headerRow);
  return records.length > 0 && (isEnough || isLive) ? headerOf(records, 0) : null;
}

function headerOf(records: readonly CsvRecord[], index: number) {
  const { cells = [], line = 0 } = records[index] ?? {};
  const first = records.slice(index + 1);
  return { header: cells, headerLine: line, isBelowOthers: index > 0, first };
}

function tooLongHeader(path: string): SluiceError {
  return new SluiceError(
    'input',
    `${nameSource(path)} has a header of more than ${NAMES_CHARS_MAX} characters; it needs one line with a short name for each column.`,
  );
}

function brokenHeader(path: string, { line, reason }: BrokenLine): SluiceError {
  return new SluiceError(
    'input',
    `${nameSource(path)} has a broken header on line ${line} (${reason}); fix that line.`,
  );
}

/**
 * The format of a source by its name, or else by its first character. A `.gz` at the end is left out. `beginning` is
 * the first text that is not blank.
 * @throws SluiceError `input` for a `.json` file that holds an array
 */
export function detectFormat(path: string, beginning: string): InputFormat {
  const name = path.toLowerCase().replace(/\.gz$/, '');
  if (/\.(csv|tsv|txt)$/.test(name)) return 'csv';
  if (/\.(ndjson|jsonl)$/.test(name)) return 'ndjson';
  const first = beginning.trimStart().charAt(0);
  if (first === '[' && name.endsWith('.json')) {
    throw new SluiceError(
      'input',
      `${nameSource(path)} is a JSON array; write one object a line instead (jq -c '.[]').`,
    );
  }
  return first === '{' ? 'ndjson' : 'csv';
}
