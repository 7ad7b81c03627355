// Which of the first rows is the header. Many exports write a title or notes above it, each alone in its row.
import { isUsualHeader } from '../model/mapping/usual-headers.js';

/** How many rows with anything in them may stand above a header. */
export const ROWS_ABOVE_MAX = 20;

/**
 * The index of the header: the first row, unless it and all others above a row with a usual name of an input have one
 * filled cell at most. Undefined where that needs more rows; at the end of the input it is the first.
 */
export function findHeader(rows: readonly (readonly string[])[]): number | undefined {
  for (const [index, row] of rows.slice(0, ROWS_ABOVE_MAX + 1).entries()) {
    const filled = row.filter((cell) => cell.trim() !== '');
    const isUsual = filled.some(isUsualHeader);
    if (filled.length > 1) return isUsual ? index : 0;
    if (isUsual) return 0;
  }
  return rows.length > ROWS_ABOVE_MAX ? 0 : undefined;
}
