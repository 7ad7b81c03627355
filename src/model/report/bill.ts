// The bill of a run. Credits of several platforms are no sum: those of a waterfall add up in money alone.
import { amountOf, type Money, tellAmount } from '../credits.js';
import type { RunTally } from '../tally.js';
import { formatNumber } from '../text/count.js';

export interface Bill {
  /** Null for a waterfall: each of its steps has its own. */
  readonly credits: number | null;
  /** `14.20 EUR`; null unless the price of all that was paid is stated. */
  readonly money: string | null;
  /** The credits in words: `20`, or `20 of first, 12 of second`. */
  readonly text: string;
}

export function billOf(
  { credits, steps }: Pick<RunTally, 'credits' | 'steps'>,
  credit: Money | null = null,
): Bill {
  const all = steps ?? [{ step: '', credits, credit }];
  const paid = all.filter((one) => one.credits > 0);
  const amounts = new Map<string, bigint>();
  const billed = paid.length > 0 ? paid : all;
  for (const one of billed) {
    if (one.credit === null) continue;
    const { currency } = one.credit;
    amounts.set(currency, (amounts.get(currency) ?? 0n) + amountOf(one.credits, one.credit));
  }
  const isPriced = billed.every((one) => one.credit !== null);
  const each = paid.map((one) => `${formatNumber(one.credits)} of ${one.step}`);
  return {
    credits: steps === undefined ? credits : null,
    money: isPriced
      ? Array.from(amounts, ([currency, amount]) => tellAmount(amount, currency)).join(' and ')
      : null,
    text: steps === undefined ? formatNumber(credits) : each.join(', ') || '0',
  };
}
