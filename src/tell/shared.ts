// What several subjects tell in the same words.
import type { KeyReport } from '../model/columns/key-census.js';
import { type CapState, tellCap, tellUse } from '../model/schedule/caps.js';
import { formatCount } from '../model/text/count.js';
import type { Fact } from './page.js';

/** The words about leads whose inputs suffice for a part of the asks. */
export const IN_PART = 'asked with less than was given, or for less';

/** The words behind credits that were counted by prices that were not stated. */
export const PRICES_ASSUMED = 'prices assumed: state them with --prices, or in the job or dialect';

/** Lines with the counts of rows that lack the key or repeat it; none if it names every row. */
export function keyLines(report: KeyReport | null): string[] {
  if (report === null) return [];
  const { empty, repeated } = report;
  const key = report.columns.join(' and ');
  return [
    ...(empty === 0 ? [] : [`${formatCount(empty, 'row has', 'rows have')} no ${key}`]),
    ...(repeated === 0
      ? []
      : [`${formatCount(repeated, 'row has', 'rows have')} the ${key} of an earlier row`]),
  ];
}

/** What each cap leaves; `more`: what it means here. */
export function capFacts(
  caps: readonly CapState[],
  more: (cap: CapState) => string = () => '',
): Fact[] {
  return caps.map((cap) => ({
    name: 'cap',
    value: [`${tellCap(cap)}: ${tellUse(cap)}`, more(cap)].filter(Boolean).join('; '),
  }));
}
