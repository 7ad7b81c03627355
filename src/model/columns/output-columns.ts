// The header of the output, known before the first row: the input's columns, then ours, which are always the same for a
// shape. If the input already has one of our names, ours changes. The columns of rejects are here too.

import type { OutputColumn, OutputRow } from '../../ports/table-writer.js';
import type { CustomAsks } from '../ask.js';
import type { Column, Reject } from '../lead.js';
import type { RunPlan } from '../run.js';
import { type ColumnSpec, columnOf } from './column-spec.js';
import { COMPANY_KEY } from './companies.js';
import { customColumns } from './custom-columns.js';
import { LEAD_COLUMNS } from './lead-columns.js';
import { POSITION_COLUMNS, type PositionShape } from './positions.js';
import { PROFILE_ASKS, PROFILE_COLUMNS } from './profile-columns.js';
import { stepColumns } from './step-columns.js';

/** Every column of the output, in order; `flattenAnswer` makes the rows that align with them. */
export function outputColumns(
  input: readonly Column[],
  shape: PositionShape,
  extras: ExtraColumns = {},
): OutputColumn[] {
  const originals = input.map(({ name, key }) => ({ name, key, kind: 'original' as const }));
  return [...originals, ...freeColumns(input, describeColumns(shape, extras))];
}

export interface ExtraColumns {
  /** The custom asks of the run; their columns come before those of the profile. */
  readonly custom?: CustomAsks | undefined;
  /** Whether steps of a waterfall were asked; their columns come before those of the profile. */
  readonly isWaterfall?: boolean;
  readonly isFilled?: boolean;
  readonly isJoined?: boolean;
}

export function columnsOfRun({ custom, waterfall }: RunPlan) {
  return { custom, isWaterfall: waterfall !== undefined };
}

export function freeColumns(
  input: readonly Column[],
  specs: readonly ColumnSpec[],
): OutputColumn[] {
  const names = freeNames(input, specs);
  return specs.map((spec) => columnOf(spec, names.get(spec.name) ?? spec.name));
}

export interface ColumnRename {
  readonly name: string;
  readonly renamedTo: string;
}

export function columnRenames(
  input: readonly Column[],
  specs: readonly ColumnSpec[],
): ColumnRename[] {
  return [...freeNames(input, specs)].map(([name, renamedTo]) => ({ name, renamedTo }));
}

export function describeColumns(
  shape: PositionShape,
  { custom, isFilled = false, isJoined = false, isWaterfall = false }: ExtraColumns = {},
): ColumnSpec[] {
  const extras = [...(isFilled ? [FILLED_COLUMN] : []), ...(isJoined ? JOIN_COLUMNS : [])];
  const positions = describePositions(shape).map((one) => ({ ...one, asks: PROFILE_ASKS }));
  const steps = isWaterfall ? stepColumns(custom) : [];
  const ofAnswer = [...LEAD_COLUMNS, ...customColumns(custom), ...steps, ...PROFILE_COLUMNS];
  return [...ofAnswer, ...positions, ...extras];
}

export const FILLED_COLUMN: ColumnSpec = {
  name: 'filled',
  type: 'text',
  about: 'Your own columns that this row fills: `email`, `phone` or `email,phone`',
};

/** The part of {@link describeColumns} that differs between shapes. */
export function describePositions(shape: PositionShape): ColumnSpec[] {
  if (shape.kind === 'json') return [GROUPS_COLUMN];
  if (shape.kind === 'current') return prefixed('position');
  if (shape.kind === 'long') return [...NUMBER_COLUMNS, ...prefixed('position')];
  return Array.from({ length: shape.count }, (_, n) => prefixed(`position_${n + 1}`)).flat();
}

const GROUPS_COLUMN: ColumnSpec = {
  name: 'position_groups',
  type: 'JSON',
  kind: 'positions',
  about: "Every position group, as the platform's answer has it and in its order",
};

export const LEAD_NUMBER: ColumnSpec = {
  name: 'lead_number',
  type: 'integer',
  about: 'The number of the lead in the run, in input order from 1',
};

export const JOIN_COLUMNS: readonly ColumnSpec[] = [LEAD_NUMBER, COMPANY_KEY];

export const NUMBER_COLUMNS: readonly ColumnSpec[] = [
  {
    name: 'position_group',
    type: 'integer',
    about: 'The number of the group: 1 is that of the latest position',
  },
  {
    name: 'position_order',
    type: 'integer',
    about:
      'The number of the position in its group: 1 is its latest; empty for a group without positions',
  },
];

function prefixed(prefix: string): ColumnSpec[] {
  return POSITION_COLUMNS.map((column) => ({ ...column, name: `${prefix}_${column.name}` }));
}

/** New names for our columns whose names the input has already: `sluice_x`, then `sluice_x_2`, `sluice_x_3` … */
function freeNames(input: readonly Column[], specs: readonly ColumnSpec[]): Map<string, string> {
  const given = new Set(input.flatMap(({ key, name }) => [key, name]));
  const renames = new Map<string, string>();
  for (const { name } of specs) {
    if (!given.has(name)) continue;
    let free = `sluice_${name}`;
    for (let n = 2; given.has(free); n += 1) free = `sluice_${name}_${n}`;
    renames.set(name, free);
  }
  return renames;
}

/** The table of texts that could not become a record at all. `raw` is the user's own text and stays as it was. */
export const REJECT_COLUMNS: readonly OutputColumn[] = [
  { name: 'source', key: 'source', kind: 'original' },
  { name: 'line', key: 'line', kind: 'integer' },
  { name: 'reason', key: 'reason', kind: 'text' },
  { name: 'raw', key: 'raw', kind: 'original' },
];

export function rejectRow(reject: Reject, sources: readonly string[]): OutputRow {
  return [sources[reject.source] ?? null, reject.line, reject.reason, reject.raw];
}
