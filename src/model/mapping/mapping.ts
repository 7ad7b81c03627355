// Which column feeds which input: as the job says, and where it is silent, by the usual headers.
import { INPUTS, type InputName } from '../ask.js';
import { SluiceError } from '../errors.js';
import type { Column } from '../lead.js';
import { nearestNames } from '../text/nearest.js';
import { tellColumns } from './tell-columns.js';
import { guessByHeader } from './usual-headers.js';

/** What a job or `--map` says: the column's key, also with a path behind it, or `''` for "no column, do not guess". */
export type MappingWish = Readonly<Partial<Record<InputName, string>>>;

export interface MappedInput {
  readonly input: InputName;
  readonly column: Column;
  /** Index of the column among the input's columns. */
  readonly index: number;
  /** Where the value is inside the objects and lists of the column: `first_name`, `[0].value`. */
  readonly path?: string;
  readonly isGuessed: boolean;
}

/** What a guess goes by, besides the names of the columns. */
export interface GuessBasis {
  /** Entries stay as they are, so that columns appearing later in an NDJSON input can only add to them. */
  readonly previous?: readonly MappedInput[];
}

/**
 * Resolves the mapping against the columns at hand.
 * @throws SluiceError `usage` when the job names a column that is not there, or no column feeds any input
 */
export function resolveMapping(
  columns: readonly Column[],
  wish: MappingWish,
  basis: GuessBasis = {},
): MappedInput[] {
  const mapped = mapColumns(columns, wish, basis);
  if (mapped.length === 0) throw nothingMapped(columns);
  return mapped;
}

/** The same, but no column needs to feed an input. */
export function mapColumns(
  columns: readonly Column[],
  wish: MappingWish,
  { previous = [] }: GuessBasis = {},
): MappedInput[] {
  const taken = new Set(previous.map((entry) => entry.index));
  const mapped = [...previous];
  const open = INPUTS.filter((input) => !previous.some((entry) => entry.input === input));
  for (const input of open) {
    const wished = wish[input];
    if (wished === undefined || wished === '') continue;
    const found = findColumn(columns, wished) ?? findInside(columns, wished);
    if (found === undefined) throw noSuchColumn(input, wished, columns);
    taken.add(found.index);
    mapped.push({ input, ...found, isGuessed: false });
  }
  for (const input of open) {
    if (wish[input] !== undefined) continue;
    const index = guessByHeader(columns, input, taken);
    if (index === -1) continue;
    taken.add(index);
    mapped.push({ input, column: columns[index] as Column, index, isGuessed: true });
  }
  return mapped.sort((a, b) => INPUTS.indexOf(a.input) - INPUTS.indexOf(b.input));
}

type Found = Pick<MappedInput, 'column' | 'index' | 'path'>;

function findColumn(columns: readonly Column[], wished: string): Found | undefined {
  const folded = wished.trim().toLowerCase();
  const column =
    columns.find(({ key, name }) => key === wished || name === wished) ??
    columns.find(({ key }) => key.toLowerCase() === folded);
  return column && { column, index: columns.indexOf(column) };
}

/** `contact.first_name` in the column `contact`, `emails[0].value` in `emails`; the longest name of a column counts. */
function findInside(columns: readonly Column[], wished: string): Found | undefined {
  const cuts = [...wished.matchAll(/[.[]/g)].map(({ index }) => index);
  for (const cut of cuts.toReversed()) {
    const found = findColumn(columns, wished.slice(0, cut));
    if (found !== undefined) return { ...found, path: wished.slice(cut).replace(/^\./, '') };
  }
  return undefined;
}

/** The column as a job names it: `contact.first_name`. */
export function nameOfMapped({ column, path }: Pick<MappedInput, 'column' | 'path'>): string {
  if (path === undefined) return column.key;
  return path.startsWith('[') ? column.key + path : `${column.key}.${path}`;
}

function nothingMapped(columns: readonly Column[]): SluiceError {
  return new SluiceError(
    'usage',
    `No column of the input looks like something to ask for. Say which is which with --map INPUT=COLUMN, or map: in the job.`,
    {},
    { aside: tellColumns(columns) },
  );
}

function noSuchColumn(input: InputName, wished: string, columns: readonly Column[]): SluiceError {
  const keys = columns.map((column) => column.key);
  const near = nearestNames(wished, keys)[0];
  const hint = near === undefined ? '' : `Did you mean "${near}"? `;
  return new SluiceError(
    'usage',
    `${input} is mapped to the column "${wished}", which the input does not have.`,
    { input, column: wished },
    { aside: hint + tellColumns(columns) },
  );
}
