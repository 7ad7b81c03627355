import type {
  ArchiveRow,
  ArchiveTable,
  StateArchive,
  StateContents,
} from '../../ports/store/archive.js';
import { readMark } from '../moved.js';
import {
  BYTES_AT_ONCE,
  fieldOf,
  type Row,
  type Scalar,
  type Sql,
  type Transactions,
} from '../sql.js';
import { ARCHIVE_TABLES, kindOf } from '../tables.js';

export interface ArchiveDatabase extends Transactions, Pick<StateArchive, 'close'> {
  /** Keeps others from writing until the transaction ends. */
  lock(sql: Sql): Promise<void>;
  busyJobs(sql: Sql): ReturnType<StateContents['busyJobs']>;
  /** Ends the work of processes that may still hold a job when the state is moved. */
  endJobs(sql: Sql): Promise<void>;
  complete(sql: Sql, table: ArchiveTable): Promise<void>;
  /** Columns that a row has here beside those of the archive, with the same values in all rows of a table. */
  readonly besides?: (table: ArchiveTable, row: ArchiveRow) => Row;
  /** Makes an error of this database a sentence: two of them are at work at once. */
  readonly guard: <A extends unknown[], R>(
    verb: (...args: A) => Promise<R>,
  ) => (...args: A) => Promise<R>;
}

export function archiveOf(database: ArchiveDatabase): StateArchive {
  const { besides, guard } = database;
  const contentsOf = (sql: Sql): StateContents => ({
    mark: guard(() => readMark(sql)),
    setMark: guard(async ({ filledFrom, movedTo }) => {
      await sql.run('UPDATE identity SET moved_to = $1, filled_from = $2', [movedTo, filledFrom]);
      if (movedTo !== null) await database.endJobs(sql);
    }),
    busyJobs: guard(() => database.busyJobs(sql)),
    holds: guard(() => holds(sql)),
    read: guard((table, after, limit) => page(sql, table, after, limit)),
    write: guard(async (table, rows) => {
      const all = rows.map((row) => ({ ...row, ...besides?.(table, row) }));
      await sql.insert(table.name, all, 'ON CONFLICT DO NOTHING');
    }),
    complete: guard((table) => database.complete(sql, table)),
  });
  return {
    place: database.shown,
    alone: (work) =>
      database.perform(
        async (sql) => {
          await database.lock(sql);
          return work(contentsOf(sql));
        },
        { kind: 'write', isLong: true },
      ),
    close: () => database.close(),
  };
}

async function holds(sql: Sql): Promise<string | null> {
  for (const { name } of ARCHIVE_TABLES) {
    if ((await sql.row(`SELECT 1 FROM ${name} LIMIT 1`)) !== undefined) return name;
  }
  return null;
}

async function page(
  sql: Sql,
  table: ArchiveTable,
  after: ArchiveRow | null,
  limit: number,
): Promise<ArchiveRow[]> {
  const { key, long, name } = table;
  const order = orderOf(sql, table).join(', ');
  const bounds = key.map((_, i) => `$${i + 1}`).join(', ');
  const rest = `FROM ${name} ${after === null ? '' : `WHERE (${order}) > (${bounds})`} ORDER BY ${order} LIMIT`;
  const values = after === null ? [] : key.map((one) => after[one] ?? null);
  let count = limit;
  if (long !== undefined) {
    // The size of a value is known without reading it.
    const sizes = await sql.rows<{ bytes: number | null }>(
      `SELECT octet_length(${long}) AS bytes ${rest} ${limit}`,
      values,
    );
    let bytes = 0;
    const last = sizes.findIndex((row) => (bytes += row.bytes ?? 0) > BYTES_AT_ONCE);
    count = last === -1 ? limit : last + 1;
  }
  const rows = await sql.rows<Row>(
    `SELECT ${Object.keys(table.columns).join(', ')} ${rest} ${count}`,
    values,
  );
  return rows.map((row) => toArchiveRow(row, table));
}

/** The order of a table's keys: texts by their bytes, as in SQLite. */
function orderOf({ kind }: Sql, { key, name }: ArchiveTable): string[] {
  return key.map((one) =>
    kind === 'sqlite' || kindOf(name, one) !== 'text' ? one : `${one} COLLATE "C"`,
  );
}

/** Turns flags into true and false, and removes U+0000 from texts: both differ between the databases. */
function toArchiveRow(row: Row, { columns }: ArchiveTable): ArchiveRow {
  const entries = Object.entries(columns).map(([name, kind]): [string, Scalar] => {
    const value = row[fieldOf(name)] ?? null;
    if (kind === 'bool') return [name, Boolean(value)];
    return [name, typeof value === 'string' ? value.replaceAll('\0', '\u{fffd}') : value];
  });
  return Object.fromEntries(entries);
}
