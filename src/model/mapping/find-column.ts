// Finds a column of a table by the name that a user gives it, or the value inside one by a path.
import { isWirePath, valueAt } from '../../dialect/wire-path.js';
import type { Column, SourceRecord } from '../lead.js';
import { isJsonObject, type JsonValue } from '../text/json.js';

export interface CellPlace {
  /** The index of the column. */
  readonly index: number;
  /** The path of the value inside the objects and lists of the column: `first_name`, `[0].value`. */
  readonly path?: string;
}

export interface FoundColumn extends CellPlace {
  readonly column: Column;
}

/** Rows that show which columns hold objects and lists. */
export type SampleRows = readonly (readonly JsonValue[])[];

export function findColumn(columns: readonly Column[], wished: string): FoundColumn | undefined {
  return findNamed(columns, wished) ?? findInside(columns, wished);
}

function findNamed(columns: readonly Column[], wished: string): FoundColumn | undefined {
  const folded = wished.trim().toLowerCase();
  const column =
    columns.find(({ key, name }) => key === wished || name === wished) ??
    columns.find(({ key }) => key.toLowerCase() === folded);
  return column && { column, index: columns.indexOf(column) };
}

/** Finds `contact.first_name` in the column `contact`, `emails[0].value` in `emails`; the longest name wins. */
function findInside(columns: readonly Column[], wished: string): FoundColumn | undefined {
  const cuts = [...wished.matchAll(/[.[]/g)].map(({ index }) => index);
  for (const cut of cuts.toReversed()) {
    const found = findNamed(columns, wished.slice(0, cut));
    if (found !== undefined) return { ...found, path: wished.slice(cut).replace(/^\./, '') };
  }
  return undefined;
}

/** The value inside a column that a path names; undefined if it is no path, or no row has anything inside. */
export function findValue(
  columns: readonly (Column & { readonly kind?: string })[],
  wished: string,
  rows: SampleRows = [],
): FoundColumn | undefined {
  const found = findInside(columns, wished);
  if (found?.path === undefined || !isWirePath(found.path)) return undefined;
  const isOfInput = (columns[found.index]?.kind ?? 'original') === 'original';
  return isOfInput && mayLeadInside(found.index, rows) ? found : undefined;
}

/** Whether a path may lead into the column: false if its cells in these rows are all texts and numbers. */
export function mayLeadInside(index: number, rows: SampleRows): boolean {
  const filled = rows.map((row) => row[index] ?? '').filter((cell) => cell !== '');
  return filled.length === 0 || filled.some((cell) => typeof cell === 'object');
}

/** The column as a job names it: `contact.first_name`. */
export function nameOfMapped({ column, path }: Pick<FoundColumn, 'column' | 'path'>): string {
  if (path === undefined) return column.key;
  return path.startsWith('[') ? column.key + path : `${column.key}.${path}`;
}

export function cellAt(
  { index, path }: CellPlace,
  row: readonly JsonValue[],
): JsonValue | undefined {
  const cell = row[index];
  return path === undefined ? cell : valueAt(cell, path);
}

const ROWS_MAX = 20;
const LEVELS_MAX = 4;
/** The limit of paths for each column: an object may have been made of a list of thousands. */
const PATHS_MAX = 40;

/** The columns under the names that a job can use: one of objects or lists gives the paths to its values. */
export function columnsInside(columns: readonly Column[], rows: SampleRows): readonly Column[] {
  return columns.flatMap((column, index) => {
    const paths = new Set<string>();
    for (const row of rows.slice(0, ROWS_MAX)) collectPaths(row[index], '', paths, LEVELS_MAX);
    if (paths.size === 0) return [column];
    return [...paths].map((path) => {
      const name = nameOfMapped({ column, path });
      return { key: name, name };
    });
  });
}

export function columnsToName(
  columns: readonly Column[],
  records: readonly SourceRecord[] = [],
): readonly Column[] {
  const rows = records.map(({ cells }) => cells);
  return columnsInside(columns, rows);
}

function collectPaths(
  value: JsonValue | undefined,
  path: string,
  paths: Set<string>,
  levels: number,
): void {
  if (paths.size >= PATHS_MAX) return;
  if (levels > 0 && Array.isArray(value)) collectPaths(value[0], `${path}[0]`, paths, levels - 1);
  else if (levels > 0 && isJsonObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      collectPaths(inner, path === '' ? key : `${path}.${key}`, paths, levels - 1);
    }
  } else if (value !== undefined && isWirePath(path)) paths.add(path);
}
