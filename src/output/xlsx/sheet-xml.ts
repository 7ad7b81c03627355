// A sheet as XML (ECMA-376, part 1, section 18.3). Text is inline, so that no table of texts stays in memory, and no
// cell has a formula.
import { columnLetters } from '../../model/text/count.js';
import { parseDate } from '../../model/text/date.js';
import {
  exactText,
  isSheetNumber,
  type JsonValue,
  plainJson,
  type WorkbookCell,
  workbookCell,
} from '../../model/text/json.js';
import type { OutputColumn, OutputKind, OutputRow } from '../../ports/table-writer.js';

export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Indices into `cellXfs` of the styles (workbook-xml.ts); those of the user's own cells follow. */
const STYLES = { header: 1, dateTime: 2, text: 3 } as const;

/** From here on a whole number is text: a sheet keeps 15 digits of a number. */
const INTEGER_MAX = 1e15;

const DAY_MS = 86_400_000;
/** The number of 1970-01-01; day 1 is 1900-01-01. */
const EPOCH_DAY = 25_569;
/** 1900-03-01: before it sheets count a leap day that never was. */
const DAY_MIN = 61;

/** Excel drops further links of a sheet. */
const LINKS_MAX = 65_530;

const WIDTH_MIN = 8;
const WIDTH_MAX = 60;

/** The XML before the rows. `widths` are those of the columns, in characters. */
export function sheetHead(widths: readonly number[], isFirst: boolean): string {
  const columns = widths
    .map((width, n) => `<col min="${n + 1}" max="${n + 1}" width="${width}" customWidth="1"/>`)
    .join('');
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    `<sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/></sheetView></sheetViews>` +
    '<sheetFormatPr defaultRowHeight="15"/>' +
    `${columns === '' ? '' : `<cols>${columns}</cols>`}<sheetData>`
  );
}

/** The XML after the rows. Phone numbers and ids are text on purpose, so the sheet must not mark them as mistakes. */
export function sheetTail(
  columnCount: number,
  rowCount: number,
  links: readonly CellLink[] = [],
): string {
  const range = `A1:${columnLetters(columnCount - 1)}${rowCount}`;
  const linked = links.map(({ place }, n) => `<hyperlink ref="${place}" r:id="rId${n + 1}"/>`);
  const all =
    links.length === 0 ? '' : `<hyperlinks xmlns:r="${OFFICE}">${linked.join('')}</hyperlinks>`;
  const ofCells = `<autoFilter ref="${range}"/>${all}<ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/></ignoredErrors>`;
  return `</sheetData>${columnCount === 0 ? '' : ofCells}</worksheet>`;
}

/** The place of a cell of the user's own, and the target of its link. */
export interface CellLink {
  readonly place: string;
  readonly target: string;
}

export interface RowWriter {
  /** Widths for the names and these rows, within bounds. */
  widths(rows: readonly OutputRow[]): number[];
  header(): string;
  /** A row; number 1 is the header's. */
  row(row: OutputRow, number: number): string;
  /** The links of the rows since the last call. */
  takeLinks(): CellLink[];
}

/** The style of a number format as `WorkbookCell` has it; undefined if there are too many. */
export type StyleOf = (format: string) => number | undefined;

export function createRowWriter(columns: readonly OutputColumn[], styleOf: StyleOf): RowWriter {
  const letters = columns.map((_, n) => columnLetters(n));
  let links: CellLink[] = [];
  return {
    widths: (rows) =>
      columns.map(({ name, kind }, n) => {
        const shown = rows.map((row) => shownWidth(row[n] ?? null, kind));
        return Math.min(Math.max(WIDTH_MIN, shownWidth(name, 'text') + 3, ...shown), WIDTH_MAX);
      }),
    header() {
      const cells = columns.map(({ name }, n) =>
        name === '' ? '' : textCell(`${letters[n]}1`, name, STYLES.header),
      );
      return `<row r="1">${cells.join('')}</row>`;
    },
    row(row, number) {
      let xml = `<row r="${number}">`;
      for (const [n, { kind }] of columns.entries()) {
        const cell = row[n] ?? null;
        if (cell === null || cell === '') continue;
        const place = `${letters[n]}${number}`;
        xml += cellXml(place, cell, kind, styleOf);
        const target = kind === 'original' ? workbookCell(cell)?.link : undefined;
        if (target !== undefined && links.length < LINKS_MAX) links.push({ place, target });
      }
      return `${xml}</row>`;
    },
    takeLinks() {
      const taken = links;
      links = [];
      return taken;
    },
  };
}

function cellXml(place: string, cell: JsonValue, kind: OutputKind, styleOf: StyleOf): string {
  const own = kind === 'original' ? workbookCell(cell) : undefined;
  if (own !== undefined) return ownXml(place, own, styleOf);
  const value = kind === 'original' ? plainJson(cell) : cell;
  if (typeof value === 'boolean') return `<c r="${place}" t="b"><v>${value ? 1 : 0}</v></c>`;
  if (typeof value === 'number') {
    return Number.isInteger(value) && Math.abs(value) >= INTEGER_MAX
      ? textCell(place, exactText(cell))
      : `<c r="${place}"><v>${value}</v></c>`;
  }
  const day = kind === 'dateTime' ? dayOf(value) : undefined;
  if (day !== undefined) return `<c r="${place}" s="${STYLES.dateTime}"><v>${day}</v></c>`;
  return textCell(place, exactText(value), kind === 'phone' ? STYLES.text : undefined);
}

/** A cell of the user's workbook: a number without its format would show something else than before. */
function ownXml(place: string, { text, value, format }: WorkbookCell, styleOf: StyleOf): string {
  const style = format === '' ? 0 : styleOf(format);
  if (style === undefined || !isSheetNumber(value)) return textCell(place, text, style);
  return `<c r="${place}"${style === 0 ? '' : ` s="${style}"`}><v>${value}</v></c>`;
}

/** In UTC, since a sheet knows no zone. Undefined for what is not a time, or what a sheet cannot show. */
function dayOf(value: JsonValue): number | undefined {
  const at = typeof value === 'string' ? parseDate(value) : undefined;
  const day = at === undefined ? Number.NaN : at / DAY_MS + EPOCH_DAY;
  return day >= DAY_MIN ? day : undefined;
}

function textCell(place: string, text: string, style?: number): string {
  const styled = style === undefined ? '' : ` s="${style}"`;
  const space = OUTER_SPACE.test(text) ? ' xml:space="preserve"' : '';
  return `<c r="${place}"${styled} t="inlineStr"><is><t${space}>${escaped(text)}</t></is></c>`;
}

/** Space that a reader may drop, unless it is told to keep it. */
const OUTER_SPACE = /^\s|\s$|\n/;
const SPECIAL = /[&<>\r]|_(?=x[0-9A-Fa-f]{4}_)/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  // A parser would make a line break of it.
  '\r': '&#13;',
  // Sheets read `_x000D_` as a carriage return.
  _: '_x005F_',
};

export function escaped(text: string): string {
  return text.search(SPECIAL) === -1
    ? text
    : text.replace(SPECIAL, (special) => ESCAPES[special] ?? special);
}

const DATE_TIME_WIDTH = 20;
/** Hangul, Chinese, Japanese and emoji take the room of two letters. */
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uD800-\uDBFF]/g;

function shownWidth(cell: JsonValue, kind: OutputKind): number {
  if (kind === 'dateTime') return DATE_TIME_WIDTH;
  const text = cell === null ? '' : exactText(cell).slice(0, WIDTH_MAX);
  return text.length + (text.match(WIDE)?.length ?? 0) + 1;
}
