// The columns of a table, their order and their names, if a user wants other than all of them.
import type { OutputColumn, OutputRow } from '../../ports/table-writer.js';
import type { Ask } from '../ask.js';
import { SluiceError } from '../errors.js';
import type { Column } from '../lead.js';
import {
  cellAt,
  columnsInside,
  type FoundColumn,
  findValue,
  nameOfMapped,
  type SampleRows,
} from '../mapping/find-column.js';
import { nearestNames } from '../text/nearest.js';
import type { ColumnSpec } from './column-spec.js';

/**
 * The wished columns: names in their order, `{ new name: column }` to rename one; or the input's own with these of
 * ours: `all`, those of what was `asked`, or those that are `used`, which have a value in this run.
 */
export const COLUMN_WORDS = ['asked', 'all', 'used'] as const;
export type ColumnWish =
  | (typeof COLUMN_WORDS)[number]
  | readonly (string | Readonly<Record<string, string>>)[];

/**
 * `asked`, `all`, `used`, or names and `New name=column`, by commas and in several flags. A job file takes names with
 * `,` or `=`.
 */
export function parseColumns(texts: readonly string[]): ColumnWish {
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim());
  const word = COLUMN_WORDS.find((one) => one === names[0]);
  if (names.length === 1 && word !== undefined) return word;
  return names.map((name) => {
    const at = name.indexOf('=');
    return at === -1 ? name : { [name.slice(0, at).trim()]: name.slice(at + 1).trim() };
  });
}

export interface TableWish {
  readonly columns?: ColumnWish | undefined;
  readonly ask: readonly Ask[];
  /** Columns of the input that come first, whether or not `columns` names them. */
  readonly key?: readonly string[] | undefined;
}

export interface ChosenColumn extends FoundColumn {
  readonly column: OutputColumn;
}

/**
 * Chooses the columns. Before the used ones are known, `used` means all. A value inside a column of the input is a
 * column of its own; `rows` show which columns hold objects and lists.
 * @throws SluiceError `usage` for an unknown column, or two of one name
 */
export function chooseColumns(
  columns: readonly OutputColumn[],
  { ask, columns: wish = 'asked', key = [] }: TableWish,
  rows?: SampleRows,
): ChosenColumn[] {
  const named =
    typeof wish === 'string'
      ? columns
          .map((column, index) => ({ index, column }))
          .filter(({ column }) => isWanted(column, { ask, columns: wish }))
      : wish.flatMap((one) => namedColumns(columns, one, rows));
  const own = columns.filter(({ kind }) => kind === 'original');
  const first = findKey(own, key, rows).map(
    (its): ChosenColumn => named.find((one) => isSamePlace(one, its)) ?? toChosen(its),
  );
  const chosen = [...first, ...named.filter((one) => first.every((its) => !isSamePlace(one, its)))];
  const keys = chosen.map(({ column }) => column.key);
  const twice = keys.find((name, n) => keys.indexOf(name) !== n);
  if (twice === undefined) return chosen;
  throw new SluiceError(
    'usage',
    `columns: two columns of the table would be called "${twice}". Give one of them another name.`,
    { column: twice },
  );
}

export function isWanted(
  { asks }: Pick<ColumnSpec, 'asks'>,
  { ask, columns = 'asked' }: TableWish,
): boolean {
  if (columns === 'all' || asks === undefined) return true;
  // Those that no ask brings are in a table on demand alone.
  return columns === 'asked' ? asks.some((one) => ask.includes(one)) : asks.length > 0;
}

/** @throws SluiceError `usage` for a name that is not a column of the input */
export function findKey(
  input: readonly Column[],
  key: readonly string[],
  rows?: SampleRows,
): readonly FoundColumn[] {
  return key.map((name) => find(input, name, 'key', rows));
}

export function isSamePlace(one: FoundColumn, other: FoundColumn): boolean {
  return one.index === other.index && one.path === other.path;
}

/** The column as its table shows it: the name of a value inside one is its path. */
export function toChosen(found: FoundColumn): ChosenColumn {
  const { name, key } = found.column;
  const inside = nameOfMapped(found);
  const shown = found.path === undefined ? { name, key } : { name: inside, key: inside };
  return { ...found, column: { kind: 'original', ...found.column, ...shown } };
}

/** The chosen columns that are the input's own, and those of ours that have a value in one of the rows. */
export async function usedColumns(
  chosen: readonly ChosenColumn[],
  pages: AsyncIterable<readonly OutputRow[]>,
): Promise<ChosenColumn[]> {
  const isUsed: boolean[] = [];
  for await (const rows of pages) {
    for (const row of rows) {
      for (const [index, cell] of row.entries()) {
        if (cell !== null && cell !== '') isUsed[index] = true;
      }
    }
  }
  return chosen.filter(({ column, index }) => column.kind === 'original' || isUsed[index]);
}

export function chosenCells(row: OutputRow, chosen: readonly ChosenColumn[]): OutputRow {
  return chosen.map((one) => cellAt(one, row) ?? null);
}

function namedColumns(
  columns: readonly OutputColumn[],
  one: string | Readonly<Record<string, string>>,
  rows: SampleRows | undefined,
): ChosenColumn[] {
  if (typeof one === 'string') return [toChosen(find(columns, one, 'columns', rows))];
  return Object.entries(one).map(([name, wanted]) => {
    const chosen = toChosen(find(columns, wanted, 'columns', rows));
    return { ...chosen, column: { ...chosen.column, name, key: name } };
  });
}

function find(
  columns: readonly Column[],
  wanted: string,
  setting: 'columns' | 'key',
  rows: SampleRows | undefined,
): FoundColumn {
  const column =
    columns.find(({ key }) => key === wanted) ?? columns.find(({ name }) => name === wanted);
  if (column !== undefined) return { column, index: columns.indexOf(column) };
  const inside = findValue(columns, wanted, rows);
  if (inside !== undefined) return inside;
  const keys = columnsInside(columns, rows ?? []).map(({ key }) => key);
  const near = nearestNames(wanted, keys).map((name) => `"${name}"`);
  const others =
    setting === 'key'
      ? `Its columns are ${keys.join(', ')}.`
      : 'docs/columns.md lists those that Sluice adds.';
  throw new SluiceError(
    'usage',
    `${setting}: the ${setting === 'key' ? 'input' : 'table'} has no column "${wanted}".`,
    { column: wanted },
    { aside: near.length === 0 ? others : `Did you mean ${near.join(' or ')}?` },
  );
}
