// Numbers, times and tables as people read them.
import type { BadLines } from '../../app/state/bad-lines.js';
import { formatCount, formatNumber } from '../../model/text/count.js';
import { printable } from '../../model/text/printable.js';

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

/** Names, and texts about them beside them, broken where the terminal ends. */
export function inTwoColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(NAME_WIDTH_MAX, Math.max(...rows.map(([name]) => name.length)));
  const room = Math.min(100, process.stdout.columns ?? 80) - width - 4;
  return rows.flatMap(([name, text]) => {
    const lines = wrapped(text, Math.max(room, 20));
    const isLong = name.length > width;
    const first = isLong ? '' : (lines.shift() ?? '');
    return [
      `  ${name.padEnd(width)}  ${first}`.trimEnd(),
      ...lines.map((line) => `${' '.repeat(width + 4)}${line}`),
    ];
  });
}

const NAME_WIDTH_MAX = 26;

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** `2 lines cannot be read: line 3 (broken_json: …), line 7 (…).` */
export function badLines({ count, first }: BadLines, noun: string, what: string): string[] {
  if (count === 0) return [];
  const shown = first.map(({ place, reason }) => printable(`${place} (${reason})`));
  const more = count > first.length ? [`and ${formatNumber(count - first.length)} more`] : [];
  return [`${formatCount(count, noun)} ${what}: ${[...shown, ...more].join(', ')}.`];
}
