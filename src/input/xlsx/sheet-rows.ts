// The rows of a sheet, from its XML. Each cell is a text already, or the number of a text that the workbook shares; its
// typed value stands beside it.
import { linkOfFormula } from '../../model/text/formula.js';
import type { JsonValue } from '../../model/text/json.js';
import { RECORD_CHARS_MAX } from '../record-parser.js';
import { TextElement, unescapeText } from './cell-text.js';
import type { Styles } from './read-styles.js';
import { type Attributes, brokenPart, type PartPlace, XmlReader } from './read-xml.js';
import { showIsoDate, showNumber } from './show-number.js';
import { typedDate, typedNumber } from './typed-cell.js';

/** As many as Excel takes. */
const FORMULA_CHARS_MAX = 8_192;
const ROWS_MAX = 1_048_576;
const COLUMNS_MAX = 16_384;
const MERGED_MAX = 100_000;

export interface SheetCell {
  /** The column, from 0 on. */
  readonly column: number;
  /** A number is the index of a shared text. */
  readonly content: string | number;
  /** The number, date or truth value that the text shows. */
  readonly typed?: JsonValue;
  /** The target of a formula `HYPERLINK`. */
  readonly link?: string;
  /** Whether it has the format of texts, so that digits stay a text also after editing. */
  readonly isText?: true;
  /** What stands there in a spreadsheet, if the file has no text of it: `content` is then empty. */
  readonly lost?: 'error' | 'formula';
}

export interface SheetRow {
  /** The row's number in the spreadsheet, from 1 on. */
  readonly number: number;
  /** The cells that are not empty, in the order of the file. */
  readonly cells: readonly SheetCell[];
  readonly isTooLong: boolean;
  /** Whether a filter, or the user, hides it. */
  readonly isHidden?: boolean;
}

export interface CellLooks {
  readonly styles: Styles;
  readonly is1904: boolean;
}

/** The depths in the XML: worksheet, sheetData, row, c, and v or is. */
const [ROW, CELL, VALUE] = [3, 4, 5];

/** Rows come in order, without empty ones. Elements that are not a row or cell are passed over. */
export class SheetRows {
  readonly #place: PartPlace;
  readonly #looks: CellLooks;
  readonly #xml: XmlReader;
  readonly #inline: TextElement;
  /** The columns that are hidden, known before the first row. */
  readonly hidden = new Set<number>();
  /** The references of merged cells, known after the last row. */
  readonly merged: string[] = [];
  #rows: SheetRow[] = [];
  #isHidden = false;
  #isData = false;
  #isValue = false;
  #formula: string | undefined;
  #number = 0;
  #column = -1;
  #cellCount = 0;
  #cells: SheetCell[] = [];
  #chars = 0;
  #type = 'n';
  #style = 0;
  #content: string | number = '';
  #lost: SheetCell['lost'];
  #typed: JsonValue | undefined;
  #link: string | undefined;
  #value = '';

  constructor(place: PartPlace, looks: CellLooks) {
    this.#place = place;
    this.#looks = looks;
    this.#inline = new TextElement(place, (text) => {
      this.#content = text;
    });
    this.#xml = new XmlReader(place, {
      open: (name, attributes, depth) => this.#open(name, attributes, depth),
      text: (text) => this.#text(text),
      close: (name, depth) => this.#close(name, depth),
    });
  }

  /** @throws SluiceError `input` for broken XML, and for rows and cells that no sheet has */
  write(bytes: Uint8Array): void {
    this.#xml.write(bytes);
  }

  end(): void {
    this.#xml.end();
  }

  take(): SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #open(name: string, attributes: Attributes, depth: number): void {
    if (depth === 2) this.#isData = name === 'sheetData';
    else if (!this.#isData && depth === 3) this.#openAround(name, attributes);
    else if (!this.#isData) return;
    else if (depth === ROW && name === 'row') this.#openRow(attributes);
    else if (depth === CELL && name === 'c') this.#openCell(attributes);
    else if (depth === VALUE && name === 'v') {
      this.#isValue = true;
      this.#value = '';
    } else if (depth === VALUE && name === 'f') [this.#lost, this.#formula] = ['formula', ''];
    else if (depth === VALUE && name === 'is') this.#inline.begin(depth);
    else this.#inline.open(name);
  }

  #text(text: string): void {
    if (this.#isValue) this.#value += text;
    else if (this.#formula !== undefined && this.#formula.length < FORMULA_CHARS_MAX)
      this.#formula += text;
    else this.#inline.add(text);
    if (this.#value.length > RECORD_CHARS_MAX) this.#fail('has a text without an end');
  }

  #close(name: string, depth: number): void {
    if (depth === 2) this.#isData = false;
    else if (!this.#isData) return;
    else if (depth === ROW) this.#closeRow();
    else if (depth === CELL) this.#closeCell();
    else if (depth === VALUE && name === 'v') {
      this.#isValue = false;
      this.#content = this.#read(this.#value);
    } else if (depth === VALUE && name === 'f') {
      this.#link = linkOfFormula(`=${this.#formula ?? ''}`)?.target;
      this.#formula = undefined;
    } else this.#inline.close(name, depth);
  }

  #openAround(name: string, { hidden, max, min, ref }: Attributes): void {
    if (name === 'mergeCell' && ref !== undefined && this.merged.length < MERGED_MAX)
      this.merged.push(ref);
    if (name !== 'col' || !isTrue(hidden)) return;
    // The last ones reach to the end of the sheet.
    for (let n = Number(min); n <= Math.min(Number(max), COLUMNS_MAX); n += 1)
      this.hidden.add(n - 1);
  }

  #openRow({ hidden, r }: Attributes): void {
    const number = r === undefined ? this.#number + 1 : Number(r);
    const isInOrder = Number.isSafeInteger(number) && number > this.#number;
    if (!isInOrder || number > ROWS_MAX) this.#fail('has rows that are not in order');
    this.#number = number;
    this.#isHidden = isTrue(hidden);
    this.#column = -1;
    this.#cellCount = 0;
    this.#cells = [];
    this.#chars = 0;
  }

  #openCell({ r, t, s }: Attributes): void {
    this.#column = r === undefined ? this.#column + 1 : columnOf(r);
    this.#cellCount += 1;
    const isInside = this.#column >= 0 && this.#column < COLUMNS_MAX;
    if (!isInside || this.#cellCount > COLUMNS_MAX) this.#fail('has cells where no sheet has any');
    this.#type = t ?? 'n';
    this.#style = s === undefined ? 0 : Number(s);
    this.#content = '';
    this.#lost = undefined;
    this.#typed = undefined;
    this.#link = undefined;
  }

  #closeCell(): void {
    if (this.#content === '') {
      const [column, lost] = [this.#column, this.#lost];
      if (lost !== undefined) this.#cells.push({ column, content: '', lost });
      return;
    }
    this.#chars += typeof this.#content === 'string' ? this.#content.length : 0;
    // A row that is too long for a record is not kept.
    if (this.#chars > RECORD_CHARS_MAX) this.#cells = [];
    else {
      const [column, content] = [this.#column, this.#content];
      if (this.#link !== undefined) this.#cells.push({ column, content, link: this.#link });
      else if (this.#typed !== undefined) this.#cells.push({ column, content, typed: this.#typed });
      else if (TEXT_FORMATS.has(this.#looks.styles(this.#style).code)) {
        this.#cells.push({ column, content, isText: true });
      } else this.#cells.push({ column, content });
    }
  }

  #closeRow(): void {
    const isTooLong = this.#chars > RECORD_CHARS_MAX;
    if (this.#cells.length === 0 && !isTooLong) return;
    const [number, cells, isHidden] = [this.#number, this.#cells, this.#isHidden];
    this.#rows.push({ number, cells, isTooLong, ...(isHidden && { isHidden }) });
    this.#cells = [];
  }

  /** The value by the type of its cell; an error such as #N/A is an empty cell. */
  #read(value: string): string | number {
    const style = this.#looks.styles(this.#style);
    // A formula that gives an empty text is saved as one; others without a value were written by a program.
    if (this.#type === 'str') this.#lost = undefined;
    switch (this.#type) {
      case 's':
        return this.#indexOf(value);
      case 'b': {
        const text = readBoolean(value.trim());
        if (text === 'true' || text === 'false') this.#typed = text === 'true';
        return text;
      }
      case 'e':
        this.#lost = 'error';
        return '';
      case 'str':
        return unescapeText(value);
      case 'd': {
        const text = showIsoDate(value, style.format);
        this.#typed = typedDate(value, text, style);
        return text;
      }
      default: {
        const text = showNumber(value, style.format, this.#looks.is1904);
        this.#typed = typedNumber(value, text, style, this.#looks.is1904);
        return text;
      }
    }
  }

  #indexOf(value: string): number {
    const text = value.trim();
    if (!/^\d{1,9}$/.test(text)) this.#fail('points to a shared text that is none');
    return Number(text);
  }

  #fail(what: string): never {
    throw brokenPart(this.#place, this.#number === 0 ? what : `${what} (row ${this.#number})`);
  }
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

function readBoolean(value: string): string {
  if (value === '1') return 'true';
  return value === '0' ? 'false' : value;
}

/** The format of texts: `@`, by its number and by its code. */
const TEXT_FORMATS: ReadonlySet<string> = new Set(['49', ':@']);

const REFERENCE = /^\$?([A-Za-z]{1,3})\$?[1-9]\d{0,6}$/;

/** The column of `AB12`, from 0 on; -1 for a text that is not a reference. */
export function columnOf(reference: string): number {
  const letters = REFERENCE.exec(reference)?.[1]?.toUpperCase() ?? '';
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** The highest index of a shared text; -1 if there is none. */
export function lastShared(rows: readonly SheetRow[]): number {
  let last = -1;
  for (const { cells } of rows) {
    for (const { content } of cells) {
      if (typeof content === 'number' && content > last) last = content;
    }
  }
  return last;
}
