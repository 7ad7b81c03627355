// JSON values, and the cells of an input that JavaScript would write otherwise: numbers of NDJSON such as `1.0`,
// `1e400` and an id of twenty digits; dates and formatted numbers of a workbook. A cell must come out as it went in, so
// such a cell is kept as text after a mark, in memory and in the store.
import { rewriteNumbers } from './json-numbers.js';

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/** The name of a field as JSON, log lines and columns have it. */
export function snakeCase(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * A result has 8 levels (docs/platform-api.md, Enrichment result); recursion may overflow the stack on a deeper value.
 */
export const JSON_LEVELS_MAX = 64;

/** Whether arrays and objects are nested more than `levelsMax` times; `[]` is one level. */
export function isDeeperThan(value: unknown, levelsMax: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levelsMax === 0) return true;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inner.some((one) => isDeeperThan(one, levelsMax - 1));
}

/** The beginning of a whole number of 16 digits or more; it is also found within texts. */
const MAY_BE_LONG = /(?:^|[[:,\s])-?\d{16}/;
const WHOLE = /^-?[1-9]\d*$/;

/**
 * Undefined if it is not JSON. A whole number that a double does not hold becomes its digits: platforms give such ids.
 */
export function parseJson(text: string): JsonValue | undefined {
  try {
    // JSON.parse returns JSON; its own type says `any`.
    const value: JsonValue = JSON.parse(
      MAY_BE_LONG.test(text) ? rewriteNumbers(text, keepDigits) : text,
    );
    return value;
  } catch {
    return undefined;
  }
}

function keepDigits(number: string): string {
  return !WHOLE.test(number) || Number.isSafeInteger(Number(number)) ? number : `"${number}"`;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Unicode guarantees that no text holds this character. */
const MARK = '\uFDD0';
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const MARKED = /^\uFDD0-?\d[\d.eE+-]*$/;
/** A marked number; the key of an object stays text. */
const MARKED_IN_JSON = /"\uFDD0(-?\d[\d.eE+-]*)"(?!:)/g;
/** A decimal of up to this many characters is the same after it was a double. */
const DOUBLE_LENGTH_MAX = 15;

/** The marked string for a number of JSON; undefined if a double says the same, and for a text that is not a number. */
export function exactNumber(text: string): string | undefined {
  return NUMBER.test(text) && String(Number(text)) !== text ? MARK + text : undefined;
}

/** A cell of a workbook that is more than its text. The text alone is mapped, compared and sent. */
export interface WorkbookCell {
  readonly text: string;
  /** The number in the cell; for a date, days from 1900 on. Empty for a text. */
  readonly value: string;
  /** Its number format: the number of a built-in format, or a code after a colon. Empty for none. */
  readonly format: string;
  /** The target of its link. */
  readonly link?: string | undefined;
}

const WORKBOOK_CELL =
  /^\uFDD0([^\uFDD0]*)\uFDD0([^\uFDD0]*)\uFDD0([^\uFDD0]*)(?:\uFDD0([^\uFDD0]*))?$/;

const SHEET_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
/** The limit for a number: no program writes a longer one into a sheet. */
const SHEET_NUMBER_LENGTH_MAX = 40;

export function isSheetNumber(text: string): boolean {
  return text.length <= SHEET_NUMBER_LENGTH_MAX && SHEET_NUMBER.test(text);
}

/** The marked string for it; the text alone if the mark itself is in it. */
export function markWorkbookCell({ text, value, format, link }: WorkbookCell): string {
  const parts = link === undefined ? [text, value, format] : [text, value, format, link];
  return parts.some((part) => part.includes(MARK)) ? text : ['', ...parts].join(MARK);
}

export function workbookCell(cell: JsonValue): WorkbookCell | undefined {
  if (typeof cell !== 'string' || !cell.startsWith(MARK)) return undefined;
  const [, text, value = '', format = '', link] = WORKBOOK_CELL.exec(cell) ?? [];
  return text === undefined ? undefined : { text, value, format, link };
}

/** The value for programs: a number if its text is one. */
function plainWorkbookCell({ text, value }: WorkbookCell): JsonValue {
  return value !== '' && String(Number(text)) === text ? Number(text) : text;
}

/** The JSON text of a cell, its numbers as they were written. */
export function exactJson(cell: JsonValue): string {
  const own = workbookCell(cell);
  if (own !== undefined) return JSON.stringify(plainWorkbookCell(own));
  const text = JSON.stringify(cell);
  return text.includes(MARK) ? text.replace(MARKED_IN_JSON, '$1') : text;
}

/** A cell as text; objects and arrays are JSON. */
export function exactText(cell: JsonValue): string {
  if (typeof cell !== 'string') return exactJson(cell);
  if (!cell.startsWith(MARK)) return cell;
  return MARKED.test(cell) ? cell.slice(MARK.length) : (workbookCell(cell)?.text ?? cell);
}

/** The value for programs, which do not know the marks: a number, or its text if a double cannot hold it. */
export function plainJson(cell: JsonValue): JsonValue {
  if (typeof cell === 'string') {
    if (!cell.startsWith(MARK)) return cell;
    const own = workbookCell(cell);
    if (own !== undefined) return plainWorkbookCell(own);
    return MARKED.test(cell) ? plainNumber(exactText(cell)) : cell;
  }
  if (typeof cell !== 'object' || cell === null || !JSON.stringify(cell).includes(MARK))
    return cell;
  if (Array.isArray(cell)) return cell.map(plainJson);
  return Object.fromEntries(Object.entries(cell).map(([key, inner]) => [key, plainJson(inner)]));
}

function plainNumber(text: string): number | string {
  const value = Number(text);
  const isLost = value === 0 ? /^[^eE]*[1-9]/.test(text) : !Number.isFinite(value);
  return isLost || text.length > DOUBLE_LENGTH_MAX ? text : value;
}
