// A whole state, for copying it to another place: its tables as they are.
import type { ArchiveRow, ArchiveTable, StateArchive } from '../../ports/store/archive.js';
import type { Row, Scalar, Sql, Transactions } from '../sql.js';
import { ARCHIVE_TABLES, kindOf } from '../tables.js';
import { marksOf } from './mark.js';

/** The limit for the bytes of long columns in rows that are read together. */
const BYTES_MAX = 8_000_000;

/** The methods of an archive that each database implements in its own way. */
export interface ArchiveDatabase extends Transactions, Pick<StateArchive, 'busyJobs' | 'close'> {
  /** Columns that a row has here beside those of the archive, with the same values in all rows of a table. */
  readonly besides?: (table: ArchiveTable, row: ArchiveRow) => Row;
  complete(sql: Sql): Promise<void>;
}

export function archiveOf(database: ArchiveDatabase): StateArchive {
  const { besides } = database;
  const read = <R>(work: (sql: Sql) => Promise<R>) =>
    database.perform(work, { kind: 'snapshot', isLong: true });
  const write = (work: (sql: Sql) => Promise<unknown>): Promise<void> =>
    database.perform(async (sql) => void (await work(sql)), { kind: 'write', isLong: true });
  return {
    place: database.shown,
    ...marksOf(database),
    busyJobs: () => database.busyJobs(),
    holds: () => read(holds),
    count: ({ name }) =>
      read(async (sql) => {
        const row = await sql.row<{ n: number }>(`SELECT count(*) AS n FROM ${name}`);
        return row?.n ?? 0;
      }),
    read: (table, after, limit) => read((sql) => page(sql, table, after, limit)),
    last: (table) => read((sql) => lastOf(sql, table)),
    write: (table, rows) =>
      write((sql) =>
        sql.insert(
          table.name,
          rows.map((row) => ({ ...row, ...besides?.(table, row) })),
          'ON CONFLICT DO NOTHING',
        ),
      ),
    clear: ({ name }) => write((sql) => sql.run(`DELETE FROM ${name}`)),
    complete: () => write((sql) => database.complete(sql)),
    close: () => database.close(),
  };
}

async function holds(sql: Sql): Promise<string | null> {
  for (const { name } of ARCHIVE_TABLES) {
    if ((await sql.row(`SELECT 1 FROM ${name} LIMIT 1`)) !== undefined) return name;
  }
  return null;
}

/** Up to `limit` rows after that one; fewer if their long columns hold more bytes than `BYTES_MAX`. */
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
    const last = sizes.findIndex((row) => (bytes += row.bytes ?? 0) > BYTES_MAX);
    count = last === -1 ? limit : last + 1;
  }
  const rows = await sql.rows<Row>(`SELECT ${columnsOf(table)} ${rest} ${count}`, values);
  return rows.map((row) => toArchiveRow(row, table));
}

async function lastOf(sql: Sql, table: ArchiveTable): Promise<ArchiveRow | null> {
  const order = orderOf(sql, table).map((one) => `${one} DESC`);
  const row = await sql.row<Row>(
    `SELECT ${columnsOf(table)} FROM ${table.name} ORDER BY ${order.join(', ')} LIMIT 1`,
  );
  return row === undefined ? null : toArchiveRow(row, table);
}

function columnsOf({ columns }: ArchiveTable): string {
  return Object.keys(columns).join(', ');
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
    const value = row[name] ?? null;
    if (kind === 'bool') return [name, Boolean(value)];
    return [name, typeof value === 'string' ? value.replaceAll('\0', '\u{fffd}') : value];
  });
  return Object.fromEntries(entries);
}
