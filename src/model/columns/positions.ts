// The positions of a profile in the output (docs/platform-api.md, Position group).

import {
  COMPANY_FIELDS,
  type DateRange,
  type PartialDate,
  POSITION_FIELDS,
  type Position,
  type PositionGroup,
} from '../result.js';
import type { JsonValue } from '../text/json.js';
import { type ColumnSpec, fieldColumns } from './column-spec.js';

export type PositionShape =
  /** The current position and its company, in one set of columns. */
  | { readonly kind: 'current' }
  /** The `count` latest positions side by side: `position_1_title`, `position_2_title` … */
  | { readonly kind: 'wide'; readonly count: number }
  /** One row for each position, with its group and its order. */
  | { readonly kind: 'long' }
  /** All groups as JSON in one column. */
  | { readonly kind: 'json' };

/** The limit of `wide`: more positions are of no use, and a spreadsheet ends at 16,384 columns. */
export const WIDE_COUNT_MAX = 50;

/** Reads `current`, `wide:N` (N from 1 to 50), `long` or `json`; undefined for anything else. */
export function parsePositionShape(text: string): PositionShape | undefined {
  if (text === 'current' || text === 'long' || text === 'json') return { kind: text };
  const match = /^wide:([1-9]\d?)$/.exec(text);
  const count = Number(match?.[1]);
  return match !== null && count <= WIDE_COUNT_MAX ? { kind: 'wide', count } : undefined;
}

/** The shape of a run's positions; the text was checked when its job was read. */
export function shapeOf(positions: string): PositionShape {
  const shape = parsePositionShape(positions);
  if (shape === undefined) throw new Error(`unknown shape of positions: ${positions}`);
  return shape;
}

export interface PositionEntry {
  readonly group: PositionGroup;
  /** The index of the group in the platform's answer. */
  readonly groupIndex: number;
  /** Null for a group without positions. */
  readonly position: Position | null;
  /** The position's own dates, or the group's if it has no position. */
  readonly date: DateRange;
  /** Unique: the index of the entry in the platform's answer, counted over all groups. */
  readonly index: number;
}

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

export interface NumberedPosition extends PositionEntry {
  /** The number of the group, and of the position in it, from 1: in the order of the entries. */
  readonly groupNumber: number;
  /** Null for a group without positions. */
  readonly order: number | null;
}

/** Groups and the positions in them are numbered as they first appear among the ordered entries. */
export function numberPositions(entries: readonly PositionEntry[]): NumberedPosition[] {
  const seen = new Map<number, { readonly number: number; positions: number }>();
  return entries.map((entry) => {
    const group = seen.get(entry.groupIndex) ?? { number: seen.size + 1, positions: 0 };
    seen.set(entry.groupIndex, group);
    group.positions += 1;
    const order = entry.position === null ? null : group.positions;
    return { ...entry, groupNumber: group.number, order };
  });
}

/**
 * A total order: current positions first, then the latest end, then the latest start, then the platform's own order.
 * Unknown dates count as the earliest.
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

/** `2021-03`; `2021` without a month; null without a year (docs/platform-api.md, Position group). */
export function formatPartialDate(date: PartialDate): string | null {
  if (date.year === undefined) return null;
  const year = String(date.year).padStart(4, '0');
  return date.month === undefined ? year : `${year}-${String(date.month).padStart(2, '0')}`;
}

/** A year without a month comes before its months; a date without a year comes before all others. */
export function comparePartialDates(a: PartialDate, b: PartialDate): number {
  const [left, right] = [rank(a), rank(b)];
  // Two infinities have no difference.
  return left === right ? 0 : left - right;
}

function rank(date: PartialDate): number {
  return date.year === undefined ? Number.NEGATIVE_INFINITY : date.year * 100 + (date.month ?? 0);
}

export const COMPANY_COLUMNS = fieldColumns(
  COMPANY_FIELDS,
  {
    id: "The company's number on the network",
    name: "The company's name",
    socialUrl: "The company's page on the network",
    socialUrlSalesNav: "The company's page in the network's sales tool",
    logo: "The company's logo",
    domain: "The company's domain",
    website: "The company's website",
    industry: 'Industry of the company',
    description: 'The words of the company about itself',
    employeesOnSocial: 'The number of its employees on the network',
    foundedOn: 'The year in which the company was founded',
    headQuarter: 'The place of its headquarters',
    size: 'Number of employees, as a range',
    type: 'Legal or ownership type of the company',
  },
  (name) => `company_${name}`,
);

interface PositionColumn extends ColumnSpec {
  readonly read: (entry: PositionEntry) => JsonValue | undefined;
}

/**
 * The same set in every shape but `json`, without the prefix (`position`, `position_1` …). `company_*` is always the
 * group's company; the name that the position itself states for it is `stated_company_name`.
 */
export const POSITION_COLUMNS: readonly PositionColumn[] = [
  ...fieldColumns(
    POSITION_FIELDS,
    {
      title: 'Title of the position',
      description: 'The words of the person about the position',
      companyName: "The company's name as the position states it",
    },
    (name) => (name === 'company_name' ? 'stated_company_name' : name),
  ).map((column) => ({
    ...column,
    read: ({ position }: PositionEntry) => position?.[column.field],
  })),
  {
    name: 'start',
    type: 'month',
    about: 'The month in which the position began: `2021-03`, or `2021`',
    read: ({ position }) => position && formatPartialDate(position.date.start),
  },
  {
    name: 'end',
    type: 'month',
    about: 'The month in which the position ended; empty while it is current',
    read: ({ position }) => position && formatPartialDate(position.date.end),
  },
  {
    name: 'group_start',
    type: 'month',
    about: 'The month in which the person came to the company',
    read: ({ group }) => formatPartialDate(group.date.start),
  },
  {
    name: 'group_end',
    type: 'month',
    about: 'The month in which the person left the company; empty while they are there',
    read: ({ group }) => formatPartialDate(group.date.end),
  },
  ...COMPANY_COLUMNS.map((column) => ({
    ...column,
    read: ({ group }: PositionEntry) => group.company[column.field],
  })),
];
