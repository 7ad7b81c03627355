// Numbers, times and tables as people read them.
import type { BadLines } from '../../app/state/bad-lines.js';
import type { KeyReport } from '../../model/columns/key-census.js';
import { formatCount, formatNumber } from '../../model/text/count.js';
import { printable } from '../../model/text/printable.js';
import type { CellChange } from '../../ports/table-writer.js';

export { formatCount, formatNumber } from '../../model/text/count.js';
export { formatDuration, formatTime } from '../../model/text/format-time.js';

const NOUNS = {
  runs: 'run',
  leads: 'lead',
  enrichments: 'enrichment',
  results: 'result',
  deliveries: 'delivery',
  events: 'event',
  rejects: 'reject',
} as const;

/** The counts that are not 0, in words: `3 leads`, `1 result`. */
export function formatCounts(counts: Partial<Record<keyof typeof NOUNS, number>>): string[] {
  const names = Object.keys(NOUNS) as (keyof typeof NOUNS)[];
  return names.flatMap((name) => {
    const { [name]: count = 0 } = counts;
    return count === 0 ? [] : [formatCount(count, NOUNS[name], name)];
  });
}

/** The words about leads whose inputs suffice for a part of the asks. */
export const IN_PART = 'asked with less than was given, or for less';

/** The words behind credits that were counted by prices that were not stated. */
export const PRICES_ASSUMED = 'prices assumed: state them with --prices, or in the job or dialect';

/** Lines with the counts of rows that lack the key or repeat it; none if it names every row. */
export function keyLines({ columns, empty, repeated }: KeyReport): string[] {
  const key = columns.join(' and ');
  return [
    ...(empty === 0 ? [] : [`${formatCount(empty, 'row has', 'rows have')} no ${key}`]),
    ...(repeated === 0
      ? []
      : [`${formatCount(repeated, 'row has', 'rows have')} the ${key} of an earlier row`]),
  ];
}

/**
 * Lines of a plain-text table, safe to print whatever its cells contain; columns named in `right` are aligned to the
 * right.
 */
export function formatTable(
  header: readonly string[],
  cells: readonly (readonly string[])[],
  right: ReadonlySet<string> = new Set(),
): string[] {
  const rows = cells.map((row) => row.map(printable));
  const widths = header.map((name, i) =>
    Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) =>
        right.has(header[i] ?? '') ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [header, ...rows].map(line);
}

/** `2 lines cannot be read: line 3 (broken_json: …), line 7 (…).` */
export function badLines({ count, first }: BadLines, noun: string, what: string): string[] {
  if (count === 0) return [];
  const shown = first.map(({ place, reason }) => printable(`${place} (${reason})`));
  const more = count > first.length ? [`and ${formatNumber(count - first.length)} more`] : [];
  return [`${formatCount(count, noun)} ${what}: ${[...shown, ...more].join(', ')}.`];
}

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
