// The sentence about lines of a table that were not used.
import type { BadLines } from '../../app/state/bad-lines.js';
import { printable } from '../../model/text/printable.js';
import { formatCount, formatNumber } from './format.js';

/** `2 lines cannot be read: line 3 (broken_json: …), line 7 (…).` */
export function badLines({ count, first }: BadLines, noun: string, what: string): string[] {
  if (count === 0) return [];
  const shown = first.map(({ place, reason }) => printable(`${place} (${reason})`));
  const more = count > first.length ? [`and ${formatNumber(count - first.length)} more`] : [];
  return [`${formatCount(count, noun)} ${what}: ${[...shown, ...more].join(', ')}.`];
}
