// Finds the header among the first rows. Many exports write a title or notes above it, each alone in its row.
import { isUsualHeader } from '../model/mapping/usual-headers.js';

export const ROWS_ABOVE_MAX = 20;

/**
 * The index of the header: the first row, unless it and all others above a row with a usual name of an input have one
 * filled cell at most; or the row below it, if it names groups of columns in merged cells. Undefined if more rows are
 * needed; at the end of the input it is the first.
 */
export function findHeader(rows: readonly (readonly string[])[]): number | undefined {
  for (const [index, row] of rows.slice(0, ROWS_ABOVE_MAX + 1).entries()) {
    const filled = row.filter(isFilled);
    const isUsual = filled.some(isUsualHeader);
    if (filled.length > 1) {
      const next = rows[index + 1];
      if (hasGap(row) && next === undefined) return undefined;
      if (hasGap(row) && isHeaderBelow(next ?? [], row)) return index + 1;
      return isUsual ? index : 0;
    }
    if (isUsual) return 0;
  }
  return rows.length > ROWS_ABOVE_MAX ? 0 : undefined;
}

/** Whether a row has merged cells, which are empty but for their first part. */
function hasGap(row: readonly string[]): boolean {
  return row.slice(0, row.findLastIndex(isFilled)).some((cell) => !isFilled(cell));
}

function isHeaderBelow(below: readonly string[], row: readonly string[]): boolean {
  const usual = below.filter(isUsualHeader).length;
  const isFuller = below.filter(isFilled).length > row.filter(isFilled).length;
  return isFuller && usual > 1 && usual > row.filter(isUsualHeader).length;
}

function isFilled(cell: string): boolean {
  return cell.trim() !== '';
}
