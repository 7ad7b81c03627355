// Days, months and moments as a list of charges writes them, in a time zone.
import { parseDate } from '../text/date.js';

export const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** The time that a cell names: from `from` until before `until`, in epoch ms. */
export interface When {
  readonly kind: 'month' | 'day' | 'moment';
  readonly from: number;
  readonly until: number;
}

export interface Zone {
  /** `2026-11-21`: the day of a moment. */
  dayOf(ms: number): string;
  /** The moments at which a day and a month begin; `month` and `day` count from 1 and may be out of range. */
  startOf(year: number, month: number, day: number): number;
  /** The moment at which its clocks show what those in UTC show at `ms`. */
  fromLocal(ms: number): number;
}

/** @throws RangeError for a name that is no time zone */
export function openZone(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const offsetAt = (ms: number): number => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    const day = Date.UTC(part('year'), part('month') - 1, part('day'));
    const seconds = part('hour') * 3_600 + part('minute') * 60 + part('second');
    return day + seconds * 1_000 - Math.floor(ms / 1_000) * 1_000;
  };
  // The offset of the moment itself decides where clocks change.
  const fromLocal = (ms: number): number => ms - offsetAt(ms - offsetAt(ms));
  return {
    dayOf: (ms) => new Date(ms + offsetAt(ms)).toISOString().slice(0, 10),
    startOf: (year, month, day) => fromLocal(Date.UTC(year, month - 1, day)),
    fromLocal,
  };
}

/**
 * Reads `2026-11`, `11/2026`, `Nov 2026`; `2026-11-21`, `21.11.2026`; and moments, which are in the zone unless they
 * name one. Undefined for anything else: `11/12/2026` has two meanings.
 */
export function readWhen(text: string, zone: Zone): When | undefined {
  const month = monthIn(text);
  if (month !== undefined) {
    const [year, number] = month;
    const from = zone.startOf(year, number, 1);
    return { kind: 'month', from, until: zone.startOf(year, number + 1, 1) };
  }
  const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})\b/.exec(text);
  const iso =
    german === null
      ? text
      : `${german[3]}-${german[2]?.padStart(2, '0')}-${german[1]?.padStart(2, '0')}${text.slice(german[0].length)}`;
  const time = parseDate(iso);
  if (time === undefined) return undefined;
  if (!iso.includes(':')) {
    const date = new Date(time);
    const [year, number, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
    const from = zone.startOf(year, number, day);
    return { kind: 'day', from, until: zone.startOf(year, number, day + 1) };
  }
  const from = namesZone(iso) ? time : zone.fromLocal(time);
  return { kind: 'moment', from, until: from + MINUTE_MS };
}

function monthIn(text: string): readonly [number, number] | undefined {
  const [, year, number] = /^(\d{4})[-/](\d{1,2})$/.exec(text) ?? [];
  const [, otherNumber, otherYear] = /^(\d{1,2})[-/.](\d{4})$/.exec(text) ?? [];
  const [, name = '', namedYear] = /^([a-z]{3,9})\.?[ -](\d{4})$/i.exec(text) ?? [];
  const named = MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  const month = Number(number ?? otherNumber ?? named);
  if (!(month >= 1 && month <= 12)) return undefined;
  return [Number(year ?? otherYear ?? namedYear), month];
}

/** Whether a moment names its zone, behind its first colon. */
function namesZone(text: string): boolean {
  const behind = text.slice(text.indexOf(':') + 1);
  return /(?:z|utc|gmt|[ecmp][sd]t|[+-]\d\d(?::?\d\d)?|\))$/i.test(behind);
}
