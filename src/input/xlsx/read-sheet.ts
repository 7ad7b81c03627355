// One sheet of a workbook as records under its header.
import { SluiceError } from '../../model/errors.js';
import type { JsonValue } from '../../model/text/json.js';
import { findHeader, ROWS_ABOVE_MAX } from '../find-header.js';
import { type Placement, placeRow, raggedRow, withoutEmptyRest } from '../place-cells.js';
import { cutRaw, type ParsedPiece, RECORD_CHARS_MAX } from '../record-parser.js';
import type { Source } from '../sources/open-source.js';
import { nameSource } from '../sources/source-name.js';
import { chooseSheet, openWorkbook } from './open-workbook.js';
import { openZip } from './open-zip.js';
import { readStyles } from './read-styles.js';
import { SharedStrings } from './shared-strings.js';
import { type SheetRow, SheetRows } from './sheet-rows.js';
import { typedText } from './typed-cell.js';

export interface SheetPlan {
  readonly format: 'xlsx';
  readonly sheet: string;
  readonly header: readonly string[];
  /** As the spreadsheet counts. */
  readonly headerLine: number;
  /** Whether it is not the first row with anything in it. */
  readonly isBelowOthers: boolean;
  /** Whether none was named, and there are others that are not hidden. */
  readonly isGuessed: boolean;
}

/** How many rows with anything in them are looked at for the header, and for columns that it does not name. */
const ROWS_LOOKED_AT = 1_000;
/** Of a sheet with hundreds of columns, fewer rows. */
const CELLS_LOOKED_AT = 200_000;
/** A cell further to the right of the header is a stray one, and makes its row ragged. */
const NAMELESS_MAX = 100;

/**
 * Looks at the first rows. Columns behind the last name of the header, with something in those rows, have no name.
 * @throws SluiceError `input` for what is no workbook, for a damaged one, and for a sheet that is empty or not there
 */
export async function probeSheet(source: Source, wished: string | undefined): Promise<SheetPlan> {
  let [sheet, others]: [string, readonly string[]] = ['', []];
  const above: { readonly line: number; readonly texts: readonly string[] }[] = [];
  const widths: number[] = [];
  let cells = 0;
  looking: for await (const group of readRows(source, wished)) {
    ({ sheet, others } = group);
    for (const row of group.rows) {
      const texts = textsOf(row, group.strings);
      if (texts === undefined && above.length === 0) throw longHeader(source.path);
      const width = 1 + (texts ?? []).findLastIndex((text) => !isBlank(text));
      if (width === 0) continue;
      if (above.length <= ROWS_ABOVE_MAX) above.push({ line: row.number, texts: texts ?? [] });
      cells += width;
      if (widths.push(width) > ROWS_LOOKED_AT || cells > CELLS_LOOKED_AT) break looking;
    }
  }
  const index = findHeader(above.map(({ texts }) => texts)) ?? 0;
  const found = above[index];
  if (found === undefined) throw emptySheet(source.path, sheet, others);
  const named = found.texts.length;
  const near = widths.slice(index + 1).filter((width) => width <= named + NAMELESS_MAX);
  const width = Math.max(named, ...near);
  const header = Array.from({ length: width }, (_, n) => found.texts[n] ?? '');
  return {
    format: 'xlsx',
    sheet,
    header,
    headerLine: found.line,
    isBelowOthers: index > 0,
    isGuessed: wished === undefined && others.length > 0,
  };
}

/**
 * The records of some rows at a time. A row without a visible character is none. One with more cells than the header is
 * flawed, cut to it, and a reject as well.
 * @throws SluiceError `input` where the workbook is damaged, or was changed while it was read
 */
export async function* readSheet(
  source: Source,
  { sheet, headerLine }: SheetPlan,
  placement: Placement,
): AsyncGenerator<Iterable<ParsedPiece>> {
  for await (const { rows, strings } of readRows(source, sheet)) {
    const below = rows.filter(({ number }) => number > headerLine);
    yield piecesOf(below, strings, placement);
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
    } else if (!texts.every(isBlank)) {
      const shown = withoutEmptyRest(texts, width);
      const flaw = shown.length > width ? raggedRow(shown.length, width) : '';
      const chars = shown.reduce((sum, text) => sum + text.length, 0);
      const cells = withTypes(shown, row);
      yield placeRow({ line, cells, flaw, raw: () => shown.join('\t'), chars }, placement);
    }
  }
}

/** The cells of a row, those in between too; undefined where they are too long for a record. */
function textsOf({ cells, isTooLong }: SheetRow, strings: SharedStrings): string[] | undefined {
  if (isTooLong) return undefined;
  // They need not be in order.
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

/** The cells of a row by their texts, with what is more than a text. */
function withTypes(texts: readonly string[], { cells }: SheetRow): JsonValue[] {
  const typed: JsonValue[] = [...texts];
  for (const { column, isText, typed: own } of cells) {
    const text = texts[column];
    if (text !== undefined && own !== undefined) typed[column] = own;
    else if (text !== undefined && isText === true) typed[column] = typedText(text);
  }
  return typed;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

interface RowGroup {
  readonly sheet: string;
  /** The sheets that could have been meant as well. */
  readonly others: readonly string[];
  readonly rows: readonly SheetRow[];
  /** Read as far as these rows need it. */
  readonly strings: SharedStrings;
}

/** At least one group, even without rows. */
async function* readRows(source: Source, wished: string | undefined): AsyncGenerator<RowGroup> {
  const { path } = source;
  const file = await source.openWhole();
  try {
    const zip = await openZip(path, file);
    const workbook = await openWorkbook(zip);
    const { name, part } = chooseSheet(path, workbook, wished);
    const others = workbook.sheets
      .filter((sheet) => !sheet.isHidden && sheet.name !== name)
      .map((sheet) => sheet.name);
    const styles = await readStyles(zip, workbook.styles);
    const parser = new SheetRows({ path, part }, { styles, is1904: workbook.is1904 });
    const strings = new SharedStrings(zip, workbook.strings);
    try {
      for await (const bytes of zip.bytes(part)) {
        parser.write(bytes);
        const rows = parser.take();
        await strings.readTo(lastShared(rows));
        yield { sheet: name, others, rows, strings };
      }
      parser.end();
    } finally {
      await strings.close();
    }
    await file.verify();
  } finally {
    file.close();
  }
}

/** The highest index of a shared text; -1 where there is none. */
function lastShared(rows: readonly SheetRow[]): number {
  let last = -1;
  for (const { cells } of rows) {
    for (const { content } of cells) {
      if (typeof content === 'number' && content > last) last = content;
    }
  }
  return last;
}

function emptySheet(path: string, sheet: string, others: readonly string[]): SluiceError {
  const more =
    others.length === 0 ? '' : ', or name another of its sheets with --sheet or the key sheet';
  return new SluiceError(
    'input',
    `${nameSource(path)} has nothing on its sheet "${cutRaw(sheet)}"; it needs a header and one row for each lead${more}.`,
    { path },
  );
}

function longHeader(path: string): SluiceError {
  return new SluiceError(
    'input',
    `${nameSource(path)} has a header of more than ${RECORD_CHARS_MAX} characters; it needs one row with the names of the columns.`,
    { path },
  );
}
