// The table of positions: a row for each position of each lead, with references to the other tables.
import type { OutputColumn, OutputRow } from '../../ports/table-writer.js';
import type { LeadAnswer } from '../answer.js';
import type { Column } from '../lead.js';
import { cellAt, type FoundColumn } from '../mapping/find-column.js';
import { findKey, toChosen } from './choose-columns.js';
import type { ColumnSpec } from './column-spec.js';
import { type AnswerCompanies, COMPANY_KEY } from './companies.js';
import { freeColumns, LEAD_NUMBER, NUMBER_COLUMNS } from './output-columns.js';
import {
  isCurrent,
  type NumberedPosition,
  numberPositions,
  orderPositions,
  POSITION_COLUMNS,
} from './positions.js';

interface RowColumn extends ColumnSpec {
  readonly read: (row: PositionRow) => OutputRow[number] | undefined;
}

interface PositionRow {
  readonly answer: LeadAnswer;
  readonly sources: readonly string[];
  readonly companies: AnswerCompanies;
  readonly entry: NumberedPosition;
  /** The number of the position, from 1, in the order of the rows of the lead. */
  readonly number: number;
}

/** The company's other fields are in the table of companies. */
const OWN_COLUMNS = POSITION_COLUMNS.filter(
  ({ name }) => !name.startsWith('company_') || name === 'company_name',
);

const [GROUP, ORDER] = NUMBER_COLUMNS as readonly [ColumnSpec, ColumnSpec];

export const POSITION_TABLE: readonly RowColumn[] = [
  { ...LEAD_NUMBER, read: ({ answer }) => answer.position },
  {
    name: 'position_number',
    type: 'integer',
    about: 'The number of the position of the lead: 1 is the latest',
    read: ({ number }) => number,
  },
  { ...COMPANY_KEY, read: ({ companies, entry }) => companies.groups[entry.groupIndex] },
  {
    name: 'source_file',
    type: 'text',
    about: 'The file of the lead',
    read: ({ answer, sources }) => sources[answer.file],
  },
  {
    name: 'source_line',
    type: 'integer',
    about: 'The line on which the lead begins in that file',
    read: ({ answer }) => answer.line,
  },
  {
    name: 'enrichment_id',
    type: 'text',
    about: 'The ticket (`enr_…`) that the platform handed back',
    read: ({ answer }) => answer.ticket,
  },
  { ...GROUP, read: ({ entry }) => entry.groupNumber },
  { ...ORDER, read: ({ entry }) => entry.order },
  {
    name: 'is_current',
    type: 'boolean',
    about: 'Whether it has no end',
    read: ({ entry }) => isCurrent(entry.date),
  },
  ...OWN_COLUMNS.map((column) => ({
    ...column,
    name: `position_${column.name}`,
    read: ({ entry }: PositionRow) => column.read(entry),
  })),
];

/** The columns; those of the key come first, as in the table of people. */
export function positionColumns(input: readonly Column[], key: readonly string[]): OutputColumn[] {
  const own = findKey(input, key).map((found) => toChosen(found).column);
  return [...own, ...freeColumns(own, POSITION_TABLE)];
}

/** Aligned with {@link positionColumns}; `key` gives the places of the key's columns among the lead's cells. */
export function positionRows(
  answer: LeadAnswer,
  companies: AnswerCompanies,
  { key, sources }: { readonly key: readonly FoundColumn[]; readonly sources: readonly string[] },
): OutputRow[] {
  const own = key.map((place) => cellAt(place, answer.cells) ?? null);
  const groups = answer.result?.social_enrichment?.positionGroups ?? [];
  return numberPositions(orderPositions(groups)).map((entry, n) => {
    const row = { answer, sources, companies, entry, number: n + 1 };
    return [...own, ...POSITION_TABLE.map(({ read }) => read(row) ?? null)];
  });
}
