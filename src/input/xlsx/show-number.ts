// Shows a number of a spreadsheet as an exact text: dates in ISO 8601, other numbers with all their digits, and with the
// leading zeros of their format. No digit is ever lost to a format: 3.14159 stays so under `0.00`.
import type { NumberFormat } from './number-format.js';

/** Content that is not a number comes back unchanged. `is1904`: days are counted from 1904 on. */
export function showNumber(raw: string, format: NumberFormat, is1904: boolean): string {
  const text = raw.trim();
  const exact = exactDigits(text);
  if (exact === undefined) return text;
  return format.kind === 'date'
    ? (showDate(Number(exact), format, is1904) ?? exact)
    : withZeros(exact, format.digitsMin);
}

function withZeros(exact: string, digitsMin: number): string {
  return exact.replace(/\d+/, (whole) => whole.padStart(digitsMin, '0'));
}

const NUMBER = /^([+-]?)(\d{0,400})(?:\.(\d{0,400}))?(?:e([+-]?\d{1,3}))?$/i;
/** The number of digits with which spreadsheets compute; further digits of a sum are the noise of binary fractions. */
const DIGITS_SHOWN = 15;

/** All digits without an exponent: `3.36123E10` is 33612300000. Whole numbers stay whole, however long. */
function exactDigits(text: string): string | undefined {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole + decimals === '') return undefined;
  const plain = movePoint(whole, decimals, Number(exponent));
  const digits = plain.replace('.', '').replace(/^0+/, '');
  const shown = plain.includes('.') && digits.length > DIGITS_SHOWN ? rounded(plain) : plain;
  return sign === '-' && shown !== '0' ? `-${shown}` : shown;
}

function rounded(plain: string): string {
  const value = Number(plain);
  if (!Number.isFinite(value)) return plain;
  const [whole = '', decimals = '', exponent = '0'] = value
    .toExponential(DIGITS_SHOWN - 1)
    .split(/[.e]/);
  return movePoint(whole, decimals, Number(exponent));
}

/** Moves the decimal point `places` to the right, and drops zeros without meaning. */
function movePoint(whole: string, decimals: string, places: number): string {
  const digits = whole + decimals;
  const point = whole.length + places;
  const before = digits.slice(0, Math.max(0, point)).padEnd(point, '0').replace(/^0+/, '');
  const behind = '0'.repeat(Math.max(0, -point)) + digits.slice(Math.max(0, point));
  const kept = behind.replace(/0+$/, '');
  return `${before === '' ? '0' : before}${kept === '' ? '' : `.${kept}`}`;
}

type DateFormat = Extract<NumberFormat, { readonly kind: 'date' }>;

const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1_000;
/** The day 0 of the count from 1900 on, valid from March 1900 on, and before 1900 as LibreOffice counts. */
const DAY_ZERO_MS = Date.UTC(1899, 11, 30);
const DAYS_TO_1904 = 1_462;
/** Spreadsheets take 1900 for a leap year: this day never existed, and those before it have another number. */
const NO_DAY = 60;
/** 0001-01-01 and 9999-12-31. */
const [DAY_MIN, DAY_MAX] = [-693_593, 2_958_465];

/** A date, to the second; undefined if the number is not an existing day. */
function showDate(
  value: number,
  { hasDate, hasTime }: DateFormat,
  is1904: boolean,
): string | undefined {
  let day = Math.floor(value);
  let ms = Math.round((value - day) * DAY_SECONDS) * 1_000;
  if (ms === DAY_MS) [day, ms] = [day + 1, 0];
  const time = new Date(ms).toISOString().slice(11, 19);
  if (day === 0 && !hasDate) return time;
  if (day === 0 && !is1904) return ms > 0 ? time : undefined;
  const counted = is1904 ? day + DAYS_TO_1904 : day;
  if (counted < DAY_MIN || counted === NO_DAY || counted > DAY_MAX) return undefined;
  const sinceZero = counted > 0 && counted < NO_DAY ? counted + 1 : counted;
  const date = new Date(DAY_ZERO_MS + sinceZero * DAY_MS).toISOString().slice(0, 10);
  return hasTime || ms > 0 ? `${date}T${time}` : date;
}

const ISO_MIDNIGHT = /T00:00(?::00(?:\.0+)?)?Z?$/;

const ISO_CHARS_MAX = 40;

/** Shows a date that the file holds as text in ISO 8601. */
export function showIsoDate(text: string, format: NumberFormat): string {
  const hasTime = format.kind === 'date' && format.hasTime;
  return hasTime || text.length > ISO_CHARS_MAX
    ? text.trim()
    : text.trim().replace(ISO_MIDNIGHT, '');
}
