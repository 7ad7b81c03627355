// Finds the header among the first rows. Many exports write a title or notes above it, each alone in its row.
import { SluiceError } from '../model/errors.js';
import { kindOfCell } from '../model/mapping/column-kinds.js';
import { isUsualHeader } from '../model/mapping/usual-headers.js';

import { nameSource } from './sources/source-name.js';

export const ROWS_ABOVE_MAX = 20;

/** The header of a table without one, as wide as its widest row. */
export function headerOfNone(rows: readonly (readonly string[])[]): string[] {
  return Array.from(
    { length: Math.max(0, ...rows.map(({ length }) => length)) },
    (_, n) => `column_${n + 1}`,
  );
}

const WHAT = {
  email: 'an e-mail address',
  socialUrl: 'the address of a profile',
  companyDomain: 'a website',
} as const;

interface HeaderFound {
  readonly header: readonly string[];
  readonly headerLine: number;
  /** Rows below it. */
  readonly below: readonly (readonly string[])[];
}

/**
 * A domain may be a name, as `contact.email`, unless a row below has one in the same column.
 * @throws SluiceError `input` for a header that is a lead
 */
export function refuseLead(path: string, { below, header, headerLine }: HeaderFound): void {
  if (header.some(isUsualHeader)) return;
  for (const [n, name] of header.entries()) {
    const kind = kindOfCell(name);
    if (kind === 'text' || kind === 'empty') continue;
    const isName = kind === 'companyDomain' && !/^https?:|^www\./i.test(name.trim());
    if (isName && !below.some((row) => kindOfCell(row[n] ?? '') === kind)) continue;
    throw new SluiceError(
      'input',
      `${nameSource(path)} has no names of columns: line ${headerLine}, its first with text, holds ${WHAT[kind]} where a name would be.`,
      { key: 'header-row' },
      {
        way: 'Write a line with their names above it, or read it with --set header-row=none, or that key of the job: its columns are then column_1, column_2 and so on.',
      },
    );
  }
}

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
