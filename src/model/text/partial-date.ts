// The dates of positions, which know a year, a month and a year, or nothing: how they are written
// and which of two is later.
import type { PartialDate } from '../result.js';

/** `2021-03`; `2021` without a month; null without a year (docs/platform-api.md, Position group). */
export function formatPartialDate(date: PartialDate): string | null {
  if (date.year === undefined) return null;
  const year = String(date.year).padStart(4, '0');
  return date.month === undefined ? year : `${year}-${String(date.month).padStart(2, '0')}`;
}

/**
 * Negative where `a` is earlier, 0 where neither is. A year without a month comes before every month
 * of that year; a date without a year comes before all others, whatever its month.
 */
export function comparePartialDates(a: PartialDate, b: PartialDate): number {
  const [left, right] = [rank(a), rank(b)];
  // Two infinities have no difference.
  return left === right ? 0 : left - right;
}

function rank(date: PartialDate): number {
  return date.year === undefined ? Number.NEGATIVE_INFINITY : date.year * 100 + (date.month ?? 0);
}
