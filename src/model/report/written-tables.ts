import type { CellChange } from '../../ports/table-writer.js';
import type { KeyReport } from '../columns/key-census.js';
import { formatCount, formatNumber } from '../text/count.js';

export interface WrittenTable {
  readonly out: string;
  readonly rows: number;
}

interface Written {
  readonly out: string | null;
  readonly rows: number;
  readonly further: Readonly<Record<string, WrittenTable>>;
}

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

export function writtenTables({ further, out, rows }: Written): WrittenTable[] {
  return [...(out === null ? [] : [{ out, rows }]), ...Object.values(further)];
}

const WHY: Readonly<Record<Exclude<CellChange['change'], 'excel'>, string>> = {
  controls: 'control characters of the platform are left out',
  characters: 'characters that this format cannot hold are replaced by U+FFFD',
  length: 'cut to the longest text that a cell of this format holds',
  type: "left empty, since the value is not of the column's type",
};

/** The most columns that are named; the data names all. */
const COLUMNS_MAX = 5;

/** None if every cell is as it was; `keeps`: how to write a table of which Excel changes nothing. */
export function changedTexts(
  changed: readonly CellChange[],
  keeps = 'an .xlsx keeps them',
): string[] {
  const named = changed.slice(0, COLUMNS_MAX).map(({ cells, change, column }) => {
    const of = `${formatCount(cells, 'cell')} of ${column}`;
    return change === 'excel'
      ? `${of} ${cells === 1 ? 'loses' : 'lose'} digits when Excel opens the CSV (leading zeros, long numbers); ${keeps}`
      : `${of}: ${WHY[change]}`;
  });
  const more = changed.length - named.length;
  return more === 0 ? named : [...named, `cells of ${formatNumber(more)} more columns`];
}
