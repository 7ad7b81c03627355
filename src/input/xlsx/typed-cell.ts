// The number or date of a cell, beside its text, so that a written workbook shows it again.
import { parseDate } from '../../model/text/date.js';
import {
  exactText,
  isSheetNumber,
  type JsonValue,
  markWorkbookCell,
  workbookCell,
} from '../../model/text/json.js';
import type { CellStyle } from './read-styles.js';

const DAYS_TO_1904 = 1_462;
const DAY_MS = 86_400_000;
const EPOCH_DAY = 25_569;
/** 1900-03-01: before it sheets count a leap day that never was. */
const DAY_MIN = 61;

/** A number; `raw` is the cell's content, `text` its text. Undefined if the cell is not a number. */
export function typedNumber(
  raw: string,
  text: string,
  style: CellStyle,
  is1904: boolean,
): JsonValue | undefined {
  const digits = raw.trim();
  const number = Number(digits);
  if (!isSheetNumber(digits) || !Number.isFinite(number)) return undefined;
  if (style.code === '' && Number(text) === number && String(number) === text) return number;
  const value = is1904 && isDay(number, style) ? String(number + DAYS_TO_1904) : digits;
  return markWorkbookCell({ text, value, format: style.code });
}

/** Whether the number is a day. A time alone is not a day: it is the same, whichever day is counted from. */
function isDay(number: number, { format }: CellStyle): boolean {
  return format.kind === 'date' && (format.hasDate || Math.floor(number) !== 0);
}

/** A date; `raw` is in ISO 8601. Undefined if no sheet counts the day. */
export function typedDate(
  raw: string,
  text: string,
  { code, format }: CellStyle,
): JsonValue | undefined {
  const at = parseDate(raw.trim());
  const day = at === undefined ? Number.NaN : at / DAY_MS + EPOCH_DAY;
  // Without a format of dates, it would be shown as a number.
  if (!(day >= DAY_MIN)) return undefined;
  return markWorkbookCell({
    text,
    value: String(day),
    format: format.kind === 'date' ? code : '14',
  });
}

/** The cell with the target of its link. */
export function linkedCell(cell: JsonValue, link: string): JsonValue {
  const own = workbookCell(cell) ?? { text: exactText(cell), value: '', format: '' };
  return markWorkbookCell({ ...own, link });
}

/** A longer text is not mistaken for a number by anybody. */
const DIGITS_MAX = 100;

/** A text with the format of texts, if a sheet would otherwise make a number of it when it is edited. */
export function typedText(text: string): string {
  const isLikeNumber = text.length <= DIGITS_MAX && /^\s*[-+=(]?[\d.,]/.test(text);
  return isLikeNumber ? markWorkbookCell({ text, value: '', format: '49' }) : text;
}
