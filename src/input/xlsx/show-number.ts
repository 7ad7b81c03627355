// Shows a number of a spreadsheet as an exact text: dates in ISO 8601, long numbers with all their digits, and the text
// that the cell's format shows around them. No digit is ever lost to a format: 3.14159 stays so under `0.00`.
import { type DigitMask, maskFor, type NumberFormat } from './number-format.js';

/**
 * The text of `raw`, a cell's content; content that is not a number comes back unchanged. `is1904`: days are counted
 * from 1904 on.
 */
export function showNumber(raw: string, format: NumberFormat, is1904: boolean): string {
  const text = raw.trim();
  const exact = exactDigits(text);
  if (exact === undefined) return text;
  switch (format.kind) {
    case 'plain':
      return exact;
    case 'date':
      return showDate(Number(exact), format, is1904) ?? exact;
    case 'digits': {
      const mask = maskFor(format.sections, Number(exact));
      return mask === undefined ? exact : showDigits(exact, mask);
    }
    default:
      return exact;
  }
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

function showDigits(exact: string, mask: DigitMask): string {
  const isNegative = exact.startsWith('-');
  const [ofWhole = '', ofDecimals = ''] = (isNegative ? exact.slice(1) : exact).split('.');
  const moved = mask.isPercent ? movePoint(ofWhole, ofDecimals, 2).split('.') : [];
  const [whole = '', decimals = ''] = mask.isPercent ? moved : [ofWhole, ofDecimals];
  const [before, behindDigits] = fillMask(whole === '0' ? '' : whole, mask);
  const shown = decimals.padEnd(mask.decimalsMin, '0');
  const point = shown === '' ? '' : `.${shown}`;
  const filled = `${before}${point}${behindDigits}${mask.behind}`.trim();
  const text = isNegative ? filled.replace(/^[-+]/, '') : filled;
  // A format that shows nothing for a zero must still show that there is one.
  return `${isNegative ? '-' : ''}${/\d/.test(text) ? text : `0${text}`}`;
}

/** The text up to the last digit before the decimal point, and the text after it. */
function fillMask(whole: string, { whole: parts }: DigitMask): [string, string] {
  const places = parts.filter((part) => 'digit' in part).length;
  const digits = whole.padStart(places, ' ');
  // Surplus digits stand before the first place.
  const surplus = digits.length - places;
  let place = 0;
  let text = '';
  let end = 0;
  for (const part of parts) {
    if ('text' in part) {
      text += part.text;
      continue;
    }
    const from = place === 0 ? 0 : surplus + place;
    const own = digits.slice(from, surplus + place + 1);
    text += part.digit === '0' ? own.replaceAll(' ', '0') : own.replaceAll(' ', '');
    end = text.length;
    place += 1;
  }
  return places === 0 ? [whole, text] : [text.slice(0, end), text.slice(end)];
}

type DateFormat = Extract<NumberFormat, { readonly kind: 'date' }>;

const DAY_MS = 86_400_000;
/** The day 0 of the count from 1900 on, valid from March 1900 on, and before 1900 as LibreOffice counts. */
const DAY_ZERO_MS = Date.UTC(1899, 11, 30);
const DAYS_TO_1904 = 1_462;
/** Spreadsheets take 1900 for a leap year: this day never existed, and those before it have another number. */
const NO_DAY = 60;
/** 0001-01-01 and 9999-12-31. */
const [DAY_MIN, DAY_MAX] = [-693_593, 2_958_465];

/** A date; undefined if the number is not an existing day. */
function showDate(
  value: number,
  { hasDate, hasTime, hasParts }: DateFormat,
  is1904: boolean,
): string | undefined {
  const unit = hasParts ? 1 : 1_000;
  let day = Math.floor(value);
  let ms = Math.round(((value - day) * DAY_MS) / unit) * unit;
  if (ms === DAY_MS) [day, ms] = [day + 1, 0];
  const time = new Date(ms).toISOString().slice(11, ms % 1_000 === 0 ? 19 : 23);
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
