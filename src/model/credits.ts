// Credits, with at most three decimals, and their price in money. Sums are made in whole thousandths, which the state
// file keeps: a price may be a fraction, and 0.1 + 0.2 is not 0.3. Elsewhere a number is the double nearest to its
// decimal, so it prints no more digits.

import { formatCount, formatNumber } from './text/count.js';

const THOUSANDTHS = 1000;

export function toThousandths(credits: number): number {
  return Math.round(credits * THOUSANDTHS);
}

export function fromThousandths(thousandths: number): number {
  return thousandths / THOUSANDTHS;
}

/** Whether it is 0 or more, with at most three decimals, and not too large to be counted exactly. */
export function isCredits(value: number): boolean {
  const thousandths = toThousandths(value);
  return value >= 0 && Number.isSafeInteger(thousandths) && fromThousandths(thousandths) === value;
}

export function sumCredits(all: readonly number[]): number {
  return fromThousandths(all.reduce((sum, credits) => sum + toThousandths(credits), 0));
}

export function subtractCredits(credits: number, other: number): number {
  return fromThousandths(toThousandths(credits) - toThousandths(other));
}

export function timesCredits(credits: number, count: number): number {
  return fromThousandths(toThousandths(credits) * count);
}

/** How often `price`, which is not 0, fits into `credits`. */
export function fitsInto(credits: number, price: number): number {
  return Math.floor(toThousandths(credits) / toThousandths(price));
}

/** Money: an amount in millionths, in a currency named by three letters; a price is in whole ones. */
export interface Money {
  readonly millionths: number;
  readonly currency: string;
}

/** Reads `0.012 EUR`; undefined for anything else, and for nothing. */
export function parseMoney(text: string): Money | undefined {
  const [, whole = '', part = '', currency = ''] =
    /^(\d{1,9})(?:\.(\d{1,6}))? ?([A-Z]{3})$/.exec(text) ?? [];
  const millionths = Number(whole + part.padEnd(6, '0'));
  return millionths > 0 ? { millionths, currency } : undefined;
}

/** The credits that money buys, rounded down; `price` is that of one credit, in the same currency. */
export function creditsFor(money: Money, price: Money): number {
  const thousandths = (BigInt(money.millionths) * BigInt(THOUSANDTHS)) / BigInt(price.millionths);
  return fromThousandths(Number(thousandths));
}

/** The credits at another price that cost as much, rounded up; both prices are in the same currency. */
export function creditsAt(credits: number, price: Money, other: Money): number {
  return fromThousandths(Number(dividedUp(amountOf(credits, price), BigInt(other.millionths))));
}

function dividedUp(amount: bigint, by: bigint): bigint {
  return (amount + by - 1n) / by;
}

/** The price of credits: `6.00 EUR`, and of few of them `0.0123 EUR`. */
export function tellMoney(credits: number, { currency, millionths }: Money): string {
  const amount = (toThousandths(credits) * millionths) / THOUSANDTHS / 1e6;
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: amount < 0.1 ? 4 : 2 };
  return `${amount.toLocaleString('en-US', digits)} ${currency}`;
}

/** Amounts in money where the price of a credit is stated; else in credits, without the word. */
export function amountTeller(price: Money | null | undefined): (credits: number) => string {
  return (credits) => (price ? tellMoney(credits, price) : formatNumber(credits));
}

/** `6.00 EUR` where the price of a credit is stated, else `500 credits`. */
export function tellPrice(credits: number, price: Money | null | undefined): string {
  return price ? tellMoney(credits, price) : formatCount(credits, 'credit');
}

/** The price of credits in thousandths of a millionth of its currency: a whole number, whatever the prices are. */
export function amountOf(credits: number, { millionths }: Money): bigint {
  return BigInt(toThousandths(credits)) * BigInt(millionths);
}

export function moneyOf(amount: bigint, currency: string): Money {
  return { millionths: Number(amount) / THOUSANDTHS, currency };
}

export function tellAmount(amount: bigint, currency: string): string {
  return tellMoney(1, moneyOf(amount, currency));
}

/** The amount as a budget states it: rounded up to two decimals. */
export function budgetOf({ amount, currency }: { amount: bigint; currency: string }): string {
  const hundredths = dividedUp(amount, 10_000_000n);
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')} ${currency}`;
}
