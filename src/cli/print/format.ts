// Numbers, times and tables as people read them.
import type { BadLines } from '../../app/state/bad-lines.js';
import { formatCount, formatNumber } from '../../model/text/count.js';
import { printable } from '../../model/text/printable.js';
import type { CellChange } from '../../ports/table-writer.js';
import { changedTexts } from '../../tell/shared.js';

export { formatCount, formatNumber } from '../../model/text/count.js';
export { formatDuration, formatTime } from '../../model/text/format-time.js';
export { keyLines } from '../../tell/shared.js';

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

/** No lines if every cell is as it was. */
export function changedLines(changed: readonly CellChange[]): string[] {
  return changedTexts(changed).map((text) => `  changed     ${text}`);
}
