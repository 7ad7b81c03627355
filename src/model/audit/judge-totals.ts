// Compares sums for days or months with what is known: a charge that was asked on one day and answered on the next may
// be counted for either, so each sum has a least and a most.

import { type ChargeSum, QUARTER_MS, type Span } from '../../ports/store/charges.js';
import { sumCredits, timesCredits } from '../credits.js';
import { DAY_MS, type When, type Zone } from './zoned-time.js';

/** A longer list is a mistake, or is better audited in parts. */
export const PERIODS_MAX = 800;

export interface Total extends Span {
  /** `2026-11-21` or `2026-11`. */
  readonly label: string;
  /** The credits that the list has for it. */
  readonly credits: number;
}

/** `open`: more than is known, which sends without an answer may explain. */
export type TotalFinding = 'agreed' | 'more' | 'less' | 'open';

export interface JudgedTotal extends Total {
  readonly finding: TotalFinding;
  /** The least and the most credits that the known charges can have come to. */
  readonly least: number;
  readonly most: number;
  /** Sends of that time without a known answer. */
  readonly open: number;
  /** The credits above the most, or below the least; 0 if it agrees. */
  readonly over: number;
}

/** Adds rows up to days or months. Months if `kind` is `month`. */
export function createTotals(kind: 'month' | 'day', zone: Zone) {
  const sums = new Map<string, { from: number; until: number; credits: number }>();
  const labelOf = (at: number) => zone.dayOf(at).slice(0, kind === 'month' ? 7 : 10);
  const periodAt = (at: number): Span & { readonly label: string } => {
    const label = labelOf(at);
    const [year = 0, month = 0, day = 1] = label.split('-').map(Number);
    const next = kind === 'month' ? [year, month + 1, 1] : [year, month, day + 1];
    const [nextYear = 0, nextMonth = 0, nextDay = 1] = next;
    return {
      label,
      from: zone.startOf(year, month, day),
      until: zone.startOf(nextYear, nextMonth, nextDay),
    };
  };
  return {
    /** False if there are too many. */
    add: (when: When, credits: number): boolean => {
      const { label, from, until } = periodAt(when.from);
      const sum = sums.get(label);
      if (sum === undefined) sums.set(label, { from, until, credits });
      else sum.credits = sumCredits([sum.credits, credits]);
      return sums.size <= PERIODS_MAX;
    },
    /** In their order, also those within them or the stated span without a row; null if there are too many. */
    all: (stated: Span | null): Total[] | null => {
      const known = [...sums].map(([label, sum]) => ({ label, ...sum }));
      const spans = stated === null ? known : [...known, stated];
      const first = Math.min(...spans.map(({ from }) => from));
      const end = Math.max(...spans.map(({ until }) => until));
      const totals: Total[] = [];
      for (let at = first; at < end; ) {
        const period = periodAt(at);
        totals.push({ ...period, credits: sums.get(period.label)?.credits ?? 0 });
        if (totals.length > PERIODS_MAX) return null;
        at = period.until;
      }
      return totals;
    },
  };
}

/** Judges each period, and the whole. */
export function judgeTotals(
  totals: readonly Total[],
  sums: readonly ChargeSum[],
): { readonly periods: JudgedTotal[]; readonly whole: JudgedTotal } {
  const dearest = new Map<string, number>();
  for (const { ask, credits } of sums) {
    dearest.set(ask.join(), Math.max(credits, dearest.get(ask.join()) ?? 0));
  }
  const judge = (total: Total) => judgeTotal(total, sums, dearest);
  const whole = {
    label: 'all',
    from: totals[0]?.from ?? 0,
    until: totals.at(-1)?.until ?? 0,
    credits: sumCredits(totals.map(({ credits }) => credits)),
  };
  return { periods: totals.map(judge), whole: judge(whole) };
}

function judgeTotal(
  total: Total,
  sums: readonly ChargeSum[],
  dearest: ReadonlyMap<string, number>,
): JudgedTotal {
  const { credits, from, until } = total;
  let [least, most, open, mayCost] = [0, 0, 0, 0];
  for (const sum of sums) {
    const isOpen = sum.outcome === 'unanswered' || sum.outcome === 'uncertain';
    const end = sum.answeredAt + QUARTER_MS + (isOpen ? DAY_MS : 0);
    if (sum.sentAt >= until || end <= from) continue;
    if (isOpen) {
      open += sum.count;
      // The price of an ask that never found anything is not known.
      const price = dearest.get(sum.ask.join()) ?? 0;
      mayCost += price === 0 ? Number.POSITIVE_INFINITY : timesCredits(price, sum.count);
      continue;
    }
    const cost = timesCredits(sum.credits, sum.count);
    most = sumCredits([most, cost]);
    if (sum.sentAt >= from && end <= until) least = sumCredits([least, cost]);
  }
  const over =
    credits > most ? sumCredits([credits, -most]) : Math.min(0, sumCredits([credits, -least]));
  return { ...total, least, most, open, over, finding: findingOf(over, mayCost) };
}

function findingOf(over: number, mayCost: number): TotalFinding {
  if (over === 0) return 'agreed';
  if (over < 0) return 'less';
  return over <= mayCost ? 'open' : 'more';
}
