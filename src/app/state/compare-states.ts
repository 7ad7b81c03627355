// Whether two states hold the same rows, table by table.
import { createHash } from 'node:crypto';
import { SluiceError } from '../../model/errors.js';
import { isJsonObject, type JsonValue } from '../../model/text/json.js';
import type { ArchiveRow, ArchiveTable, StateArchive } from '../../ports/store/archive.js';

export interface TableDigest {
  readonly table: string;
  readonly rows: number;
  /** The SHA-256 over the rows in the order of their keys, in hexadecimal digits. */
  readonly digest: string;
}

interface Comparison {
  readonly source: StateArchive;
  readonly target: StateArchive;
  readonly table: ArchiveTable;
  /** The number of rows that are read at once. */
  readonly rows: number;
}

/**
 * Compares a table. If rows differ, the target's are removed, so that the next copy brings them anew.
 * @throws SluiceError `store`, which names the first row that differs
 */
export async function compareTable(comparison: Comparison): Promise<TableDigest> {
  const { source, table, target } = comparison;
  const hash = createHash('sha256');
  const others = rowsOf(target, comparison);
  let rows = 0;
  for await (const row of rowsOf(source, comparison)) {
    const text = textOf(row, table);
    hash.update(`${text}\n`);
    rows += 1;
    const { value: other } = await others.next();
    if (other === undefined || textOf(other, table) !== text) throw await differs(comparison, row);
  }
  const { value: more } = await others.next();
  if (more !== undefined) throw await differs(comparison, more);
  return { table: table.name, rows, digest: hash.digest('hex') };
}

async function* rowsOf(
  archive: StateArchive,
  { rows: limit, table }: Comparison,
): AsyncGenerator<ArchiveRow, undefined> {
  for (let after: ArchiveRow | null = null; ; ) {
    const rows: ArchiveRow[] = await archive.read(table, after, limit);
    yield* rows;
    after = rows.at(-1) ?? null;
    if (after === null) return;
  }
}

async function differs(
  { source, table, target }: Comparison,
  row: ArchiveRow,
): Promise<SluiceError> {
  await target.clear(table);
  const key = table.key.map((name) => (table.columns[name] === 'int' ? row[name] : '…')).join(', ');
  return new SluiceError(
    'store',
    `${target.place} has not become the same as ${source.place}: ${table.name} (${table.key.join(', ')}) = (${key}) differs. It stays unusable; run the same command again, which brings that table anew.`,
    { table: table.name, key },
  );
}

/** The text of a row, the same for rows with the same content. */
function textOf(row: ArchiveRow, { columns }: ArchiveTable): string {
  const values = Object.entries(columns).map(([name, kind]) => {
    const value = row[name] ?? null;
    if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
    return kind === 'json' && typeof value === 'string' ? sorted(value) : value;
  });
  return JSON.stringify(values);
}

/** The value of JSON in its sorted form; a text that is not JSON stays as it is. */
function sorted(text: string): unknown {
  try {
    return inOrder(JSON.parse(text) as JsonValue);
  } catch {
    return text;
  }
}

/** A value with each object as a list of its keys and values, sorted by key. */
function inOrder(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return { object: names.map((name) => [name, inOrder(value[name] ?? null)]) };
}
