// CSV for people who open it in a spreadsheet: the formula guard, the byte order mark, and phone
// numbers that stay phone numbers. Quoting is csv-stringify's; a row in which nothing is quoted is written here.
import { type Options, stringify } from 'csv-stringify/sync';
import type { Delimiter } from '../model/lead.js';
import { exactText } from '../model/text/json.js';
import type { OutputColumn, OutputKind, OutputRow } from '../ports/table-writer.js';
import type { TableFormat } from './table-format.js';

export interface CsvOptions {
  readonly delimiter?: Delimiter | undefined;
  /** Whether the file begins with a byte order mark, by which Excel recognises UTF-8. */
  readonly bom?: boolean | undefined;
  /** Whether the file has everything that Excel needs: the mark, CR LF, and phone numbers as `="+33…"`. */
  readonly excel?: boolean | undefined;
  /** Default: true. */
  readonly formulaGuard?: boolean | undefined;
}

/**
 * The library makes several small objects of each cell. A few rows at a time they are collected soon; a whole batch of
 * them survives into the old generation, and collecting it takes a third of the time (200,000 rows of 104 columns: 9.5
 * s with 500 rows at once, 7 s with 16).
 */
const ROWS_AT_ONCE = 16;

/** Kinds that hold no text of the platform's. The user's own cells are never changed. */
const UNGUARDED: ReadonlySet<OutputKind> = new Set(['original', 'integer', 'number', 'boolean']);

type CellWriter = (text: string) => string;

/** A header line with the columns' names, then a line for each row. */
export function csvFormat(
  columns: readonly OutputColumn[],
  options: CsvOptions,
): TableFormat<string> {
  const delimiter = options.delimiter ?? ',';
  const { bom = false, excel = false } = options;
  const newline = excel ? '\r\n' : '\n';
  const quoting: Options = {
    delimiter,
    record_delimiter: newline,
    // By default the library quotes only the delimiter that is set, and a single CR would break the row.
    quote_record_delimiter: true,
  };
  const writers = columns.map(({ kind }) => cellWriter(kind, options));
  const header = stringify([columns.map(({ name }) => name)], quoting);
  return {
    begin: () => (bom || excel ? '\uFEFF' : '') + header,
    rows(rows) {
      let text = '';
      let quoted: string[][] = [];
      const writeQuoted = () => {
        if (quoted.length > 0) text += stringify(quoted, quoting);
        quoted = [];
      };
      for (const row of rows) {
        const cells = cellTexts(row, writers);
        if (cells.some((cell) => isQuoted(cell, delimiter))) {
          if (quoted.push(cells) === ROWS_AT_ONCE) writeQuoted();
        } else {
          writeQuoted();
          text += cells.join(delimiter) + newline;
        }
      }
      writeQuoted();
      return text;
    },
    end: () => '',
  };
}

function isQuoted(cell: string, delimiter: string): boolean {
  return cell.includes(delimiter) || /["\r\n]/.test(cell);
}

/** The row as text, as long as the header. */
function cellTexts(row: OutputRow, writers: readonly CellWriter[]): string[] {
  return writers.map((write, n) => {
    const cell = row[n];
    return cell === null || cell === undefined ? '' : write(exactText(cell));
  });
}

function cellWriter(
  kind: OutputKind,
  { excel = false, formulaGuard = true }: CsvOptions,
): CellWriter {
  const guard = formulaGuard ? guardFormula : asIs;
  if (UNGUARDED.has(kind)) return asIs;
  if (kind !== 'phone') return guard;
  const writePhone = excel ? asExcelText : asIs;
  // A text that is not a phone number is text like any other: `=cmd|…` must not pass for one.
  return (text) => (isPhone(text) ? writePhone(text) : guard(text));
}

function asIs(text: string): string {
  return text;
}

/** A formula that yields the digits as text; otherwise Excel makes a number of them and drops the plus. */
function asExcelText(phone: string): string {
  return `="${phone}"`;
}

/**
 * The first characters that OWASP lists for CSV injection, the full-width forms among them, and NUL, which a
 * spreadsheet may drop.
 */
const FORMULA_START = /^[=+\-@\t\r\n\0＝＋－＠]/;

/** The text with a `'` in front if a spreadsheet might take it for a formula. */
export function guardFormula(text: string): string {
  return FORMULA_START.test(text) ? `'${text}` : text;
}

const PHONE = /^[+(]*\d[\d ().\-/\u00A0]*$/;

/** Whether the text consists of nothing but a phone number's characters, and so cannot be a formula. */
export function isPhone(text: string): boolean {
  return PHONE.test(text);
}
