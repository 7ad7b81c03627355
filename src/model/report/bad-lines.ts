import { formatCount, formatNumber } from '../text/count.js';
import { printable } from '../text/printable.js';

export interface BadLines {
  readonly count: number;
  readonly first: readonly { readonly place: string; readonly reason: string }[];
}

export class BadLineCounter implements BadLines {
  count = 0;
  readonly first: { place: string; reason: string }[] = [];

  constructor(private readonly shownMax = 5) {}

  add(place: string, reason: string): void {
    this.count += 1;
    if (this.first.length < this.shownMax) this.first.push({ place, reason });
  }
}

/** `2 lines cannot be read: line 3 (broken_json: …), line 7 (…).` */
export function tellBadLines({ count, first }: BadLines, noun: string, what: string): string[] {
  if (count === 0) return [];
  const shown = first.map(({ place, reason }) => printable(`${place} (${reason})`));
  const more = count > first.length ? [`and ${formatNumber(count - first.length)} more`] : [];
  return [`${formatCount(count, noun)} ${what}: ${[...shown, ...more].join(', ')}.`];
}
