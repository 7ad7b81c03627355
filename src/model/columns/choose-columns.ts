// Which columns a table has, in which order and under which names, where a user wants other than all of them.
import type { OutputColumn, OutputRow } from '../../ports/table-writer.js';
import { SluiceError } from '../errors.js';
import type { Column } from '../lead.js';
import { nearestNames } from '../text/nearest.js';

/**
 * Names of columns in their order, `{ new name: column }` to rename one; `all`; or `used`: the input's own, and of ours
 * those that hold something in this run.
 */
export type ColumnWish = 'all' | 'used' | readonly (string | Readonly<Record<string, string>>)[];

/** Which columns a table has; absent: all, in their order. */
export interface TableWish {
  readonly columns?: ColumnWish | undefined;
  /** Columns of the input that come first, whether or not `columns` names them. */
  readonly key?: readonly string[] | undefined;
}

export interface ChosenColumn {
  /** Among all columns. */
  readonly index: number;
  readonly column: OutputColumn;
}

/**
 * Before it is known which are used, `used` is all.
 * @throws SluiceError `usage` for a column that is not there, or two of one name
 */
export function chooseColumns(
  columns: readonly OutputColumn[],
  { columns: wish = 'all', key = [] }: TableWish,
): ChosenColumn[] {
  const named =
    typeof wish === 'string'
      ? columns.map((column, index) => ({ index, column }))
      : wish.flatMap((one) => namedColumns(columns, one));
  const own = columns.filter(({ kind }) => kind === 'original');
  const first = findKey(own, key).map(
    (at) => named.find(({ index }) => index === at) ?? { index: at, column: columnAt(columns, at) },
  );
  const chosen = [
    ...first,
    ...named.filter((one) => first.every((its) => its.index !== one.index)),
  ];
  const keys = chosen.map(({ column }) => column.key);
  const twice = keys.find((name, n) => keys.indexOf(name) !== n);
  if (twice === undefined) return chosen;
  throw new SluiceError(
    'usage',
    `columns: two columns of the table would be called "${twice}". Give one of them another name.`,
    { column: twice },
  );
}

/**
 * Where the columns of a key are among those of the input, which are the first ones of a table.
 * @throws SluiceError `usage` for one that is no column of the input
 */
export function findKey(input: readonly Column[], key: readonly string[]): readonly number[] {
  return key.map((name) => indexOf(input, name, 'key'));
}

/** Of the chosen columns the input's own, and those of ours that have a value in one of the rows. */
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

/** The cells of the chosen columns alone. */
export function chosenCells(row: OutputRow, chosen: readonly ChosenColumn[]): OutputRow {
  return chosen.map(({ index }) => row[index] ?? null);
}

function namedColumns(
  columns: readonly OutputColumn[],
  one: string | Readonly<Record<string, string>>,
): ChosenColumn[] {
  if (typeof one === 'string') {
    const index = indexOf(columns, one, 'columns');
    return [{ index, column: columnAt(columns, index) }];
  }
  return Object.entries(one).map(([name, column]) => {
    const index = indexOf(columns, column, 'columns');
    return { index, column: { ...columnAt(columns, index), name, key: name } };
  });
}

function columnAt(columns: readonly OutputColumn[], index: number): OutputColumn {
  return columns[index] as OutputColumn;
}

function indexOf(columns: readonly Column[], wanted: string, setting: 'columns' | 'key'): number {
  const byKey = columns.findIndex(({ key }) => key === wanted);
  const index = byKey === -1 ? columns.findIndex(({ name }) => name === wanted) : byKey;
  if (index !== -1) return index;
  const keys = columns.map(({ key }) => key);
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
