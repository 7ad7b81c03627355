// What several subjects tell in the same words.
import type { ExportReport, WrittenTable } from '../app/results/export-run.js';
import type { KeyReport } from '../model/columns/key-census.js';
import { type CapState, tellCap, tellUse } from '../model/schedule/caps.js';
import { formatCount, formatNumber } from '../model/text/count.js';
import type { CellChange } from '../ports/table-writer.js';
import type { Fact } from './page.js';

/** The words about leads whose inputs suffice for a part of the asks. */
export const IN_PART = 'asked with less than was given, or for less';

/** The words behind credits that were counted by prices that were not stated. */
export const PRICES_ASSUMED = 'prices assumed: state the key prices of the job, or of the dialect';

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

/** Each table that was written, and its number of rows. */
export function writtenTables({ further, out, rows }: ExportReport): WrittenTable[] {
  return [...(out === null ? [] : [{ out, rows }]), ...Object.values(further)];
}

const WHY: Readonly<Record<CellChange['change'], string>> = {
  controls: 'control characters of the platform are left out',
  characters: 'characters that this format cannot hold are replaced by U+FFFD',
  length: 'cut to the longest text that a cell of this format holds',
  type: "left empty, since the value is not of the column's type",
};

/** The most columns that are named; the data names all. */
const COLUMNS_MAX = 5;

/** None if every cell is as it was. */
export function changedTexts(changed: readonly CellChange[]): string[] {
  const named = changed
    .slice(0, COLUMNS_MAX)
    .map(
      ({ cells, change, column }) => `${formatCount(cells, 'cell')} of ${column}: ${WHY[change]}`,
    );
  const more = changed.length - named.length;
  return more === 0 ? named : [...named, `cells of ${formatNumber(more)} more columns`];
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
