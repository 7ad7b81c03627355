// The career of a profile: position groups, latest first (docs/platform-api.md, Position group).
import type { DateRange, PartialDate, Position, PositionGroup } from '../../model/result.js';
import { disturb } from './awkward-text.js';
import type { Persona } from './imagine-persona.js';
import type { Draw } from './open-draw.js';
import { SENTENCES, TITLES } from './word-lists.js';
import { writeCompany } from './write-company.js';

/** Months since year 0; null while it goes on. */
type Month = number;
type Period = { readonly start: Month; readonly end: Month | null };

// Not the clock's: the same inputs have to give the same career next year.
const LATEST: Month = 2025 * 12 + 5;

/** 0 to 8 groups; the first is usually current, at the persona's company. */
export function writePositionGroups(persona: Persona, draw: Draw): PositionGroup[] {
  const count = draw.chance(0.06) ? 0 : Math.floor(draw.next() ** 1.7 * 8) + 1;
  const groups: PositionGroup[] = [];
  let until = LATEST;
  for (let index = 0; index < count; index += 1) {
    // A second job beside the first is current as well.
    const isCurrent = index === 0 ? draw.chance(0.88) : index === 1 && draw.chance(0.12);
    const start = until - draw.between(4, 70);
    groups.push(writeGroup(persona, { start, end: isCurrent ? null : until }, index, draw));
    until = start - draw.between(0, 5);
  }
  return groups;
}

function writeGroup(persona: Persona, period: Period, index: number, draw: Draw): PositionGroup {
  const company = writeCompany(index === 0 ? persona : null, draw);
  const count = draw.chance(0.04) ? 0 : draw.pick([1, 1, 1, 2, 2, 3, 4]);
  const profilePositions = splitPeriod(period, count, draw).map((part) =>
    writePosition(company.name ?? '', part, draw),
  );
  return { company, date: writeRange(period, draw), profilePositions };
}

function writePosition(companyName: string, period: Period, draw: Draw): Position {
  return {
    title: disturb(draw.pick(TITLES), draw),
    ...(draw.chance(0.6) && { description: disturb(draw.pick(SENTENCES), draw) }),
    ...(draw.chance(0.9) && { companyName }),
    date: writeRange(period, draw),
  };
}

// The latest part first; each earlier one ends where the next begins.
function splitPeriod({ start, end }: Period, count: number, draw: Draw): Period[] {
  const parts: Period[] = [];
  let partEnd = end;
  for (let left = count; left > 0; left -= 1) {
    const room = (partEnd ?? LATEST) - start;
    const partStart = left === 1 ? start : start + draw.between(Math.floor(room / 2), room);
    parts.push({ start: partStart, end: partEnd });
    partEnd = partStart;
  }
  return parts;
}

function writeRange({ start, end }: Period, draw: Draw): DateRange {
  return { start: writeDate(start, draw), end: end === null ? {} : writeDate(end, draw) };
}

// Many people remember the year only.
function writeDate(month: Month, draw: Draw): PartialDate {
  const year = Math.floor(month / 12);
  return draw.chance(0.15) ? { year } : { month: (month % 12) + 1, year };
}
