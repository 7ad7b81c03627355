// Caps: the credits that may be spent in a calendar day and a calendar month, in a time zone. A credit counts to the
// quarter of an hour (UTC) in which its request was sent: no time zone begins a day within one.
import {
  amountTeller,
  creditsFor,
  fitsInto,
  type Money,
  parseMoney,
  subtractCredits,
  sumCredits,
  tellPrice,
} from '../credits.js';
import { SluiceError } from '../errors.js';
import { formatTime } from '../text/format-time.js';

export const CAP_PERIODS = ['day', 'month'] as const;
export type CapPeriod = (typeof CAP_PERIODS)[number];

/** The credits of each period; absent for no cap. */
export interface Caps extends Readonly<Partial<Record<CapPeriod, number>>> {
  /** A name such as `Europe/Berlin`. */
  readonly timezone: string;
}

/** The same as they are stated: credits, or money like `6 EUR`. */
export interface StatedCaps extends Readonly<Partial<Record<CapPeriod, number | string>>> {
  readonly timezone: string;
}

/** An account as `sluice caps` shows it: the name that the user gave, and caps as they were stated, in money. */
export interface ToldCaps extends Readonly<Partial<Record<CapPeriod, string | undefined>>> {
  readonly name?: string | undefined;
}

export function inCredits({ timezone, ...stated }: StatedCaps, price: Money | undefined): Caps {
  const amounts = CAP_PERIODS.flatMap((period) => {
    const amount = stated[period];
    return amount === undefined ? [] : [[period, amountIn(amount, price, 'caps')] as const];
  });
  return { ...Object.fromEntries(amounts), timezone };
}

/**
 * An amount in credits, rounded down; `price` is that of a credit.
 * @throws SluiceError `usage` for money without a price, or in another currency
 */
export function amountIn(
  amount: number | string,
  price: Money | undefined,
  key: 'budget' | 'caps',
): number {
  const what = `A ${key === 'caps' ? 'cap' : key} of ${amount}`;
  const money = typeof amount === 'string' ? parseMoney(amount) : undefined;
  if (typeof amount === 'number') return amount;
  if (money === undefined) throw new Error(`${amount} is no money`);
  if (price === undefined) {
    throw new SluiceError(
      'usage',
      `${what} is money, and what a credit costs is not stated: state the key credit, like --set 'credit=0.012 ${money.currency}'.`,
    );
  }
  if (price.currency !== money.currency) {
    throw new SluiceError(
      'usage',
      `${what} is in ${money.currency}, and a credit is priced in ${price.currency}: state both in one currency.`,
    );
  }
  const credits = creditsFor(money, price);
  if (credits > 0) return credits;
  throw new SluiceError('usage', `${what} buys no credit.`);
}

export interface CapState {
  /** Whether it is one of the account, for all jobs, or one that a job states. */
  readonly of: 'account' | 'job';
  readonly period: CapPeriod;
  readonly timezone: string;
  readonly credits: number;
  /** The credits that were spent, and those that may still be charged, at their highest price. */
  readonly spent: number;
  readonly reserved: number;
  readonly from: number;
  readonly until: number;
}

export const QUARTER_MS = 900_000;

export function quarterOf(ms: number): number {
  return Math.floor(ms / QUARTER_MS) * QUARTER_MS;
}

export function periodAt(
  period: CapPeriod,
  at: number,
  timezone: string,
): { readonly from: number; readonly until: number } {
  const zone = zoneOf(timezone);
  const [year = 0, month = 0, day = 0] = zone.dayOf(at).split('-').map(Number);
  return period === 'day'
    ? { from: beginningOf(zone, year, month, day), until: beginningOf(zone, year, month, day + 1) }
    : { from: beginningOf(zone, year, month, 1), until: beginningOf(zone, year, month + 1, 1) };
}

/** The first quarter of a date. Midnight may be missing where clocks change, or come twice. */
function beginningOf(zone: Zone, year: number, month: number, day: number): number {
  const date = new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
  let at = quarterOf(zone.startOf(year, month, day));
  while (zone.dayOf(at) < date) at += QUARTER_MS;
  while (zone.dayOf(at - QUARTER_MS) >= date) at -= QUARTER_MS;
  return at;
}

/** Zones by their names, since to open one takes long. */
const ZONES = new Map<string, Zone>();

function zoneOf(timezone: string): Zone {
  const zone = ZONES.get(timezone) ?? openZone(timezone);
  ZONES.set(timezone, zone);
  return zone;
}

/** The credits that a cap leaves; below zero if it was lowered, or a charge was higher than stated. */
export function leftOf({ credits, reserved, spent }: CapState): number {
  return subtractCredits(credits, sumCredits([spent, reserved]));
}

/** The number of requests of the highest price that fit into all caps; infinite without a cap. */
export function roomIn(caps: readonly CapState[], dearest: number): number {
  if (dearest === 0) return Number.POSITIVE_INFINITY;
  return Math.min(
    Number.POSITIVE_INFINITY,
    ...caps.map((cap) => Math.max(0, fitsInto(leftOf(cap), dearest))),
  );
}

/** The cap that leaves no room for a request of this price, and lasts longest; undefined if there is room. */
export function metCap(caps: readonly CapState[], dearest: number): CapState | undefined {
  return caps
    .filter((cap) => dearest > 0 && leftOf(cap) < dearest)
    .toSorted((a, b) => b.until - a.until)[0];
}

/** `500 credits a day (Europe/Berlin)`. */
export function tellCap({ credits, period, timezone }: CapState, price?: Money): string {
  return `${tellPrice(credits, price)} a ${period} (${timezone})`;
}

/** `480 spent, 15 reserved, 5 left until 2026-11-27 23:00:00 (UTC)`. */
export function tellUse(cap: CapState, price?: Money): string {
  const tell = amountTeller(price);
  return `${tell(cap.spent)} spent, ${tell(cap.reserved)} reserved, ${tell(Math.max(0, leftOf(cap)))} left until ${formatTime(cap.until)} (UTC)`;
}

export function capData({ from, timezone, until, ...cap }: CapState) {
  const left = Math.max(0, leftOf({ ...cap, from, timezone, until }));
  return { ...cap, left, timeZone: timezone, begunAt: from, beginsAnewAt: until };
}

interface Zone {
  /** `2026-11-21`: the day of a moment. */
  dayOf(ms: number): string;
  /** The moment at which a day begins; `month` and `day` count from 1 and may be out of range. */
  startOf(year: number, month: number, day: number): number;
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
  return {
    dayOf: (ms) => new Date(ms + offsetAt(ms)).toISOString().slice(0, 10),
    startOf: (year, month, day) => {
      // The offset of the moment itself decides where clocks change.
      const midnight = Date.UTC(year, month - 1, day);
      return midnight - offsetAt(midnight - offsetAt(midnight));
    },
  };
}
