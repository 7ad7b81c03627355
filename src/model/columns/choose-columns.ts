// Which columns a table has, in which order and under which names, where a user wants other than all of them.
import type { OutputColumn, OutputRow } from '../../ports/table-writer.js';
import { SluiceError } from '../errors.js';
import { nearestNames } from '../text/nearest.js';

/**
 * Names of columns in their order, `{ new name: column }` to rename one; or `used`: the input's own, and of ours those
 * that hold something in this run.
 */
export type ColumnWish = 'used' | readonly (string | Readonly<Record<string, string>>)[];

export interface ChosenColumn {
  /** Among all columns. */
  readonly index: number;
  readonly column: OutputColumn;
}

/** @throws SluiceError `usage` for a column that is not there, or two of one name */
export function chooseColumns(
  columns: readonly OutputColumn[],
  wish: Exclude<ColumnWish, 'used'>,
): ChosenColumn[] {
  const chosen = wish.flatMap((one) => {
    if (typeof one === 'string') return [find(columns, one)];
    return Object.entries(one).map(([name, column]) => {
      const found = find(columns, column);
      return { ...found, column: { ...found.column, name, key: name } };
    });
  });
  const keys = chosen.map(({ column }) => column.key);
  const twice = keys.find((key, n) => keys.indexOf(key) !== n);
  if (twice === undefined) return chosen;
  throw new SluiceError(
    'usage',
    `columns: two columns of the table would be called "${twice}". Give one of them another name.`,
    { column: twice },
  );
}

/** The input's own columns, and those of ours that have a value in one of the rows. */
export async function usedColumns(
  columns: readonly OutputColumn[],
  pages: AsyncIterable<readonly OutputRow[]>,
): Promise<ChosenColumn[]> {
  const isUsed = columns.map(({ kind }) => kind === 'original');
  for await (const rows of pages) {
    for (const row of rows) {
      for (const [index, cell] of row.entries()) {
        if (cell !== null && cell !== '') isUsed[index] = true;
      }
    }
  }
  const all = columns.map((column, index) => ({ index, column }));
  return all.filter(({ index }) => isUsed[index]);
}

/** The rows of the chosen columns alone. */
export async function* chosenPages(
  pages: AsyncIterable<readonly OutputRow[]>,
  chosen: readonly ChosenColumn[],
): AsyncGenerator<OutputRow[], void> {
  for await (const rows of pages) {
    yield rows.map((row) => chosen.map(({ index }) => row[index] ?? null));
  }
}

function find(columns: readonly OutputColumn[], wanted: string): ChosenColumn {
  const byKey = columns.findIndex(({ key }) => key === wanted);
  const index = byKey === -1 ? columns.findIndex(({ name }) => name === wanted) : byKey;
  const column = columns[index];
  if (column !== undefined) return { index, column };
  const near = nearestNames(
    wanted,
    columns.map(({ key }) => key),
  );
  const hint =
    near.length === 0
      ? 'docs/columns.md lists those that Sluice adds.'
      : `Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`;
  throw new SluiceError(
    'usage',
    `columns: the table has no column "${wanted}".`,
    { column: wanted },
    { aside: hint },
  );
}
