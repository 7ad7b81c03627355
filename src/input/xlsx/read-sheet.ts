import { SluiceError } from '../../model/errors.js';
import { isUsualHeader } from '../../model/mapping/usual-headers.js';
import { columnLetters } from '../../model/text/count.js';
import type { JsonValue } from '../../model/text/json.js';
import type { SheetHeader } from '../../ports/lead-reader.js';
import { findHeader, headerOfNone, ROWS_ABOVE_MAX } from '../find-header.js';
import { type Placement, placeRow, raggedRow, withoutEmptyRest } from '../place-cells.js';
import type { ReadOptions } from '../read-options.js';
import { cutRaw, type ParsedPiece, RECORD_CHARS_MAX } from '../record-parser.js';
import type { RowCount } from '../row-count.js';
import type { Source, WholeFile } from '../sources/open-source.js';
import { nameSource, noHeaderAt } from '../sources/source-name.js';
import { chooseSheet, openWorkbook, type Sheet, type Workbook } from './open-workbook.js';
import { openZip, type Zip } from './open-zip.js';
import { type Links, linkedBy, readLinks } from './read-links.js';
import { readStyles, type Styles } from './read-styles.js';
import { SharedStrings } from './shared-strings.js';
import { lastShared, type SheetRow, SheetRows } from './sheet-rows.js';
import { linkedCell, typedText } from './typed-cell.js';

export interface SheetPlan {
  readonly format: 'xlsx';
  readonly sheet: string;
  readonly header: readonly string[];
  /** The first rows below it. */
  readonly below: readonly (readonly string[])[];
  /** The line of the header, in the spreadsheet's count. */
  readonly headerLine: number;
  readonly isBelowOthers: boolean;
  /** The other sheets that could have been meant, if none was named. */
  readonly others: readonly SheetHeader[];
  readonly visibleOnly: boolean | undefined;
}

/** The number of filled rows that are searched for the header, and for columns that it does not name. */
const ROWS_LOOKED_AT = 1_000;
/** The limit of cells: fewer rows of a sheet with hundreds of columns. */
const CELLS_LOOKED_AT = 200_000;
/** A cell further to the right of the header is a stray one, and makes its row ragged. */
const NAMELESS_MAX = 100;

const SHEETS_LOOKED_AT = 20;

/**
 * Looks at the first rows of the named sheet; without a name, of those that are not hidden, and takes the one with the
 * most columns of a usual name, or else the first.
 * @throws SluiceError `input` for a file that is not a workbook, for a damaged one, and for a sheet that is empty or
 * missing
 */
export async function probeSheet(source: Source, wished: ReadOptions): Promise<SheetPlan> {
  const book = await openBook(source);
  try {
    return await chooseBest(book, wished);
  } finally {
    book.file.close();
  }
}

async function chooseBest(book: Book, wished: ReadOptions): Promise<SheetPlan> {
  const names = visibleNames(book);
  if (wished.sheet !== undefined || names.length < 2) return probeOne(book, wished);
  const plans: SheetPlan[] = [];
  let trouble: unknown;
  for (const name of names.slice(0, SHEETS_LOOKED_AT)) {
    try {
      plans.push(await probeOne(book, { ...wished, sheet: name }));
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error;
      trouble ??= error;
    }
  }
  const usual = plans.map(({ header }) => new Set(header.filter(isUsualHeader)).size);
  const best = plans[usual.indexOf(Math.max(...usual))];
  if (best === undefined) throw trouble;
  const others = names
    .filter((name) => name !== best.sheet)
    .map((sheet) => ({ sheet, header: plans.find((one) => one.sheet === sheet)?.header ?? [] }));
  return { ...best, others };
}

function visibleNames({ workbook }: Book): readonly string[] {
  return workbook.sheets.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
}

/** Looks at one sheet. Columns after the last name of the header that are filled in the first rows have no name. */
async function probeOne(
  book: Book,
  { headerRow, sheet: wished, visibleOnly }: ReadOptions,
): Promise<SheetPlan> {
  const { path } = book.zip;
  const sheet = chooseSheet(path, book.workbook, wished);
  const above: { readonly line: number; readonly texts: readonly string[] }[] = [];
  const widths: number[] = [];
  let cells = 0;
  looking: for await (const group of readRows(book, sheet, { visibleOnly })) {
    for (const row of group.rows) {
      if (typeof headerRow === 'number' && row.number < headerRow) continue;
      const texts = textsOf(row, group.strings);
      if (texts === undefined && above.length === 0) throw longHeader(path);
      const width = 1 + (texts ?? []).findLastIndex((text) => !isBlank(text));
      if (width === 0) continue;
      if (above.length <= ROWS_ABOVE_MAX) above.push({ line: row.number, texts: texts ?? [] });
      cells += width;
      if (widths.push(width) > ROWS_LOOKED_AT || cells > CELLS_LOOKED_AT) break looking;
    }
  }
  const index = headerRow === undefined ? (findHeader(above.map(({ texts }) => texts)) ?? 0) : 0;
  const found = headerRow === 'none' ? above[0] && { line: 0, texts: [] } : above[index];
  if (typeof headerRow === 'number' && found?.line !== headerRow) throw noHeaderAt(path, headerRow);
  if (found === undefined) throw emptySheet(book, sheet.name);
  const named = found.texts.length;
  const near = widths.slice(index + 1).filter((width) => width <= named + NAMELESS_MAX);
  const width = Math.max(named, ...near);
  const header =
    headerRow === 'none'
      ? headerOfNone(above.map(({ texts }) => texts))
      : Array.from({ length: width }, (_, n) => found.texts[n] ?? '');
  return {
    format: 'xlsx',
    sheet: sheet.name,
    header,
    headerLine: found.line,
    isBelowOthers: index > 0,
    below: above.slice(index + 1).map(({ texts }) => texts),
    others: [],
    visibleOnly,
  };
}

/**
 * The records of some rows at a time. A row without anything to be seen is passed over. A row with more cells than the
 * header is flawed, cut to it, and a reject as well. A row with formulas whose values were not saved is a reject, and a
 * record if it has anything else.
 * @throws SluiceError `input` if the workbook is damaged, or was changed while it was read
 */
export async function* readSheet(
  source: Source,
  { sheet, headerLine, visibleOnly }: SheetPlan,
  placement: Placement,
  counted: RowCount,
): AsyncGenerator<Iterable<ParsedPiece>> {
  const book = await openBook(source);
  try {
    const chosen = chooseSheet(source.path, book.workbook, sheet);
    const links = await linksOf(book, chosen);
    for await (const group of readRows(book, chosen, { links, visibleOnly })) {
      const { hidden, rows, strings } = group;
      counted.addHidden(hidden, group.columns, visibleOnly === true);
      for (const ref of group.merged) {
        if (Number(/:\D*(\d+)/.exec(ref)?.[1]) > headerLine) counted.addMerged(ref);
      }
      const below = rows.filter(({ number }) => number > headerLine);
      yield piecesOf(below, strings, placement);
    }
    await book.file.verify();
  } finally {
    book.file.close();
  }
}

function* piecesOf(
  rows: readonly SheetRow[],
  strings: SharedStrings,
  placement: Placement,
): Generator<ParsedPiece> {
  const width = placement.positions.length;
  for (const row of rows) {
    const line = row.number;
    const texts = textsOf(row, strings);
    if (texts === undefined) {
      const reason = `record_too_long: more than ${RECORD_CHARS_MAX} characters`;
      yield { reject: { source: placement.source, line, reason, raw: '' }, chars: 0 };
    } else if (row.cells.some(({ lost }) => lost !== undefined) || !texts.every(isBlank)) {
      const shown = withoutEmptyRest(texts, width);
      const flaw = shown.length > width ? raggedRow(shown.length, width) : '';
      const chars = shown.reduce((sum, text) => sum + text.length, 0);
      const cells = withTypes(shown, row);
      const read = { line, cells, flaw, raw: () => shown.join('\t'), chars };
      yield withoutValues(row, placeRow(read, placement), placement);
    }
  }
}

/** The piece of a row, with the reject that names its formulas without values; alone if the row has nothing else. */
function withoutValues(
  { cells, number: line }: SheetRow,
  piece: ParsedPiece,
  { header, source }: Placement,
): ParsedPiece {
  const lacking = cells.filter(({ lost }) => lost === 'formula');
  if (lacking.length === 0) return piece;
  const { chars, reject } = piece;
  const unsaved = describeUnsaved(lacking.map(({ column }) => nameOf(column, header)));
  const reason = reject === undefined ? unsaved : `${reject.reason}; ${unsaved}`;
  const told = { source, line, raw: '', ...reject, reason };
  return lacking.length === cells.length ? { reject: told, chars } : { ...piece, reject: told };
}

const NAMES_IN_REASON = 3;
const NAME_CHARS_MAX = 100;

function nameOf(column: number, header: readonly string[]): string {
  return (header[column] ?? '').trim().slice(0, NAME_CHARS_MAX) || `column_${column + 1}`;
}

function describeUnsaved(names: readonly string[]): string {
  const some = names.slice(0, NAMES_IN_REASON).join(', ');
  const more = names.length > NAMES_IN_REASON ? ` and ${names.length - NAMES_IN_REASON} more` : '';
  const which = names.length === 1 ? `column ${some} holds` : `columns ${some}${more} hold`;
  return `${which} formulas whose values were not saved: open and save the file in Excel`;
}

/** The cells of a row, with those in between; undefined if they are too long for a record. */
function textsOf({ cells, isTooLong }: SheetRow, strings: SharedStrings): string[] | undefined {
  if (isTooLong) return undefined;
  // The cells need not be in order.
  const width = cells.reduce((most, { column }) => Math.max(most, column + 1), 0);
  const texts = Array<string>(width).fill('');
  let chars = 0;
  for (const { column, content } of cells) {
    const text = typeof content === 'string' ? content : strings.at(content);
    chars += text.length;
    if (chars > RECORD_CHARS_MAX) return undefined;
    texts[column] = text;
  }
  return texts;
}

/** The cells of a row: their texts, and the typed cells that are more than a text. */
function withTypes(texts: readonly string[], { cells }: SheetRow): JsonValue[] {
  const typed: JsonValue[] = [...texts];
  for (const { column, isText, link, typed: own } of cells) {
    const text = texts[column];
    if (text !== undefined && own !== undefined) typed[column] = own;
    else if (text !== undefined && isText === true) typed[column] = typedText(text);
    const cell = typed[column];
    if (link !== undefined && cell !== undefined && cell !== '')
      typed[column] = linkedCell(cell, link);
  }
  return typed;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

interface RowGroup {
  readonly rows: readonly SheetRow[];
  /** The shared texts, read as far as these rows need them. */
  readonly strings: SharedStrings;
  /** How many rows are hidden, and the letters of the columns that are. */
  readonly hidden: number;
  readonly columns: readonly string[];
  /** The references of merged cells, which come with the last group. */
  readonly merged: readonly string[];
}

interface Book {
  readonly file: WholeFile;
  readonly zip: Zip;
  readonly workbook: Workbook;
  readonly styles: Styles;
}

async function openBook(source: Source): Promise<Book> {
  const file = await source.openWhole();
  try {
    const zip = await openZip(source.path, file);
    const workbook = await openWorkbook(zip);
    return { file, zip, workbook, styles: await readStyles(zip, workbook.styles) };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** A look passes over the links of a sheet that is too long for it. */
async function linksOf({ file, zip }: Book, { part }: Sheet): Promise<Links> {
  try {
    return await readLinks(zip, part);
  } catch (error) {
    if (Number.isFinite(file.unpackedMax) && error instanceof SluiceError) return new Map();
    throw error;
  }
}

/** The rows in groups: at least one group, even without rows. */
async function* readRows(
  { styles, workbook, zip }: Book,
  { part }: Sheet,
  { links, visibleOnly }: { readonly links?: Links; readonly visibleOnly?: boolean | undefined },
): AsyncGenerator<RowGroup> {
  const { path } = zip;
  const parser = new SheetRows({ path, part }, { styles, is1904: workbook.is1904 });
  const strings = new SharedStrings(zip, workbook.strings);
  try {
    for await (const bytes of zip.bytes(part)) {
      parser.write(bytes);
      const all = parser.take();
      const hidden = all.filter(({ isHidden }) => isHidden === true).length;
      const rows = links === undefined || links.size === 0 ? all : all.map(linkedBy(links));
      const shown = visibleOnly === true ? shownOf(rows, parser.hidden) : rows;
      await strings.readTo(lastShared(shown));
      const columns = [...parser.hidden].slice(0, COLUMNS_TOLD).map(columnLetters);
      yield { rows: shown, strings, hidden, columns, merged: [] };
    }
    parser.end();
    yield { rows: [], strings, hidden: 0, columns: [], merged: parser.merged };
  } finally {
    await strings.close();
  }
}

const COLUMNS_TOLD = 10;

/** The rows that are not hidden, without the columns that are. */
function shownOf(rows: readonly SheetRow[], hidden: ReadonlySet<number>): readonly SheetRow[] {
  const shown = rows.filter(({ isHidden }) => isHidden !== true);
  if (hidden.size === 0) return shown;
  const before = [...hidden].sort((a, b) => a - b);
  const placeOf = (column: number) => column - before.filter((one) => one < column).length;
  return shown.map((row) => ({
    ...row,
    cells: row.cells
      .filter(({ column }) => !hidden.has(column))
      .map((cell) => ({ ...cell, column: placeOf(cell.column) })),
  }));
}

function emptySheet(book: Book, sheet: string): SluiceError {
  const { path } = book.zip;
  const more = visibleNames(book).every((name) => name === sheet)
    ? ''
    : ', or name another of its sheets with the key sheet';
  return new SluiceError(
    'input',
    `${nameSource(path)} has nothing on its sheet "${cutRaw(sheet)}"; it needs a header and one row for each lead${more}.`,
  );
}

function longHeader(path: string): SluiceError {
  return new SluiceError(
    'input',
    `${nameSource(path)} has a header of more than ${RECORD_CHARS_MAX} characters; it needs one row with the names of the columns.`,
  );
}
