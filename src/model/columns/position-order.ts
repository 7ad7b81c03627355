// The one order of a profile's positions, which every shape of the output follows: latest first.

import type { DateRange, Position, PositionGroup } from '../result.js';
import { comparePartialDates } from '../text/partial-date.js';

/** One position with the group it stands in; a group without positions makes one entry by itself. */
export interface PositionEntry {
  readonly group: PositionGroup;
  /** Where the group stood in the platform's answer. */
  readonly groupIndex: number;
  /** Null for a group without positions. */
  readonly position: Position | null;
  /** The position's own dates, or the group's where it has no position. */
  readonly date: DateRange;
  /** Unique: where the entry stood in the platform's answer, counted over all groups. */
  readonly index: number;
}

/** Every position of every group, latest first (see {@link comparePositions}). */
export function orderPositions(groups: readonly PositionGroup[]): PositionEntry[] {
  const entries: PositionEntry[] = [];
  for (const [groupIndex, group] of groups.entries()) {
    const positions = group.profilePositions.length === 0 ? [null] : group.profilePositions;
    for (const position of positions) {
      const date = (position ?? group).date;
      entries.push({ group, groupIndex, position, date, index: entries.length });
    }
  }
  return entries.sort(comparePositions);
}

/**
 * A total order: current positions first, then the latest end, then the latest start, then the
 * platform's own order. Dates that are not known count as the earliest.
 */
export function comparePositions(a: PositionEntry, b: PositionEntry): number {
  return (
    Number(isCurrent(b.date)) - Number(isCurrent(a.date)) ||
    comparePartialDates(b.date.end, a.date.end) ||
    comparePartialDates(b.date.start, a.date.start) ||
    a.index - b.index
  );
}

/** The end of a current position is an empty object (docs/platform-api.md, Position group). */
export function isCurrent(date: DateRange): boolean {
  return date.end.year === undefined && date.end.month === undefined;
}
