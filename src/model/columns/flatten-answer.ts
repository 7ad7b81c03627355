// Makes the row or rows of a lead's answer, cell by cell in the order of `outputColumns`.

import type { OutputRow } from '../../ports/table-writer.js';
import type { LeadAnswer } from '../answer.js';
import type { CustomAsks } from '../ask.js';
import type { DateRange, PositionGroup } from '../result.js';
import type { JsonObject, JsonValue } from '../text/json.js';
import type { CompanyRules } from './companies.js';
import { customColumns } from './custom-columns.js';
import { CREDITS_INDEX, LEAD_COLUMNS } from './lead-columns.js';
import {
  isCurrent,
  numberPositions,
  orderPositions,
  POSITION_COLUMNS,
  type PositionEntry,
  type PositionShape,
} from './positions.js';
import { PROFILE_COLUMNS } from './profile-columns.js';
import { stepColumns } from './step-columns.js';

/**
 * Exactly one row, except in `long`, where each position makes one and a lead without positions has its own. `credits`
 * is in the first row only, so that the column adds up to the bill.
 * @param columnCount the number of columns of the input, over all sources
 */
export function flattenAnswer(
  answer: LeadAnswer,
  columnCount: number,
  shape: PositionShape,
  rules: CompanyRules,
  custom?: CustomAsks,
): OutputRow[] {
  const row = leadCells(answer, columnCount, rules, custom);
  const groups = answer.result?.social_enrichment?.positionGroups;
  if (shape.kind === 'json') {
    row.push(groups?.map(groupJson) ?? null);
    return [row];
  }
  const entries = groups === undefined ? [] : orderPositions(groups);
  if (shape.kind === 'long') return longRows(row, entries, columnCount + CREDITS_INDEX);
  if (shape.kind === 'current') {
    pushPosition(row, entries[0] && isCurrent(entries[0].date) ? entries[0] : undefined);
    return [row];
  }
  for (let n = 0; n < shape.count; n += 1) pushPosition(row, entries[n]);
  return [row];
}

function leadCells(
  answer: LeadAnswer,
  columnCount: number,
  rules: CompanyRules,
  custom: CustomAsks | undefined,
): JsonValue[] {
  const row: JsonValue[] = [];
  for (let n = 0; n < columnCount; n += 1) row.push(answer.cells[n] ?? null);
  for (const column of LEAD_COLUMNS) row.push(column.read(answer, rules) ?? null);
  if (custom !== undefined) {
    for (const column of customColumns(custom)) row.push(column.read(answer.result) ?? null);
  }
  const { provenance } = answer;
  if (provenance !== undefined) {
    for (const column of stepColumns(custom)) row.push(column.read(provenance) ?? null);
  }
  const profile = answer.result?.social_enrichment;
  for (const column of PROFILE_COLUMNS) {
    row.push(profile === undefined ? null : (column.read(profile) ?? null));
  }
  return row;
}

function pushPosition(row: JsonValue[], entry: PositionEntry | undefined): void {
  for (const column of POSITION_COLUMNS) {
    row.push(entry === undefined ? null : (column.read(entry) ?? null));
  }
}

function longRows(
  leadRow: JsonValue[],
  entries: readonly PositionEntry[],
  creditsIndex: number,
): JsonValue[][] {
  if (entries.length === 0) {
    leadRow.push(null, null);
    pushPosition(leadRow, undefined);
    return [leadRow];
  }
  return numberPositions(entries).map((entry, n) => {
    const row = [...leadRow];
    if (n > 0) row[creditsIndex] = 0;
    row.push(entry.groupNumber, entry.order);
    pushPosition(row, entry);
    return row;
  });
}

/** The group as in the platform's answer (docs/platform-api.md, Position group). */
function groupJson({ company, date, profilePositions }: PositionGroup): JsonObject {
  return {
    company,
    date: dateJson(date),
    profilePositions: profilePositions.map((position) => ({
      ...position,
      date: dateJson(position.date),
    })),
  };
}

function dateJson({ start, end }: DateRange): JsonObject {
  return { start: { ...start }, end: { ...end } };
}
