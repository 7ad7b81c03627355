// The lines about cells that a table cannot show as they are.
import { printable } from '../../model/text/printable.js';
import type { CellChange } from '../../ports/table-writer.js';
import { formatCount, formatNumber } from './format.js';

const WHY: Readonly<Record<CellChange['change'], string>> = {
  controls: 'control characters of the platform are left out',
  characters: 'characters that this format cannot hold are replaced by U+FFFD',
  length: 'cut to the longest text that a cell of this format holds',
  type: "left empty, since the value is not of the column's type",
};

/** The most columns that are named; `--json` names all. */
const COLUMNS_MAX = 5;

/** No lines if every cell is as it was. */
export function changedLines(changed: readonly CellChange[]): string[] {
  const lines = changed
    .slice(0, COLUMNS_MAX)
    .map(
      ({ column, change, cells }) =>
        `  changed     ${formatCount(cells, 'cell')} of ${printable(column)}: ${WHY[change]}`,
    );
  const more = changed.length - lines.length;
  return more === 0
    ? lines
    : [...lines, `  changed     cells of ${formatNumber(more)} more columns`];
}
