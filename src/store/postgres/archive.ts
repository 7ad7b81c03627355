// A state in a database as a whole, for copying it to another place.
import type {
  ArchiveKind,
  ArchiveRow,
  ArchiveTable,
  ArchiveValue,
  StateArchive,
} from '../../ports/store/archive.js';
import { ARCHIVE_TABLES } from '../archive-tables.js';
import { parseDatabaseAddress } from './database/address.js';
import { openDatabase, type Sql } from './database/database.js';
import { checkSchema, migrate } from './database/schema.js';
import { marksOf } from './mark.js';
import { busyJobs } from './state-checkup.js';

/** Bytes of long texts in rows that are read together. */
const LENGTH_MAX = 8_000_000;

const TYPES: Readonly<Record<ArchiveKind, string>> = {
  int: 'bigint',
  bool: 'boolean',
  text: 'text',
  json: 'text',
  bytes: 'bytea',
};
/** What is read, and written, for a column whose type the archive does not know. */
const READS: Readonly<Record<string, string>> = {
  also_settled: "array_to_string(also_settled, ' ')",
};
const WRITES: Readonly<Record<string, string>> = {
  also_settled: "string_to_array(also_settled, ' ')::bigint[]",
};

/**
 * Opens the state in a database whatever it is marked as; with `makes`, its schema is made or brought up to date before.
 * @throws SluiceError `store`
 */
export async function openPostgresArchive(address: string, makes: boolean): Promise<StateArchive> {
  const database = openDatabase(parseDatabaseAddress(address));
  const read = <R>(work: (sql: Sql) => Promise<R>) =>
    database.perform(work, { kind: 'snapshot', isLong: true });
  const write = <R>(work: (sql: Sql) => Promise<R>) =>
    database.perform(work, { kind: 'write', isLong: true });
  try {
    if (makes) await migrate(database);
    await checkSchema(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    place: database.shown,
    ...marksOf(database),
    busyJobs: () => read(busyJobs),
    holds: () => read(holds),
    count: ({ name }) =>
      read(async (sql) => {
        const row = await sql.row<{ n: number }>(`SELECT count(*) AS n FROM ${name}`);
        return row?.n ?? 0;
      }),
    read: (table, after, limit) => read((sql) => page(sql, table, after, limit)),
    last: (table) =>
      read(async (sql) => {
        const order = table.key.map((one) => `${ordered(table, one)} DESC`).join(', ');
        const text = `SELECT ${columnsOf(table)} FROM ${table.name} ORDER BY ${order} LIMIT 1`;
        return (await sql.row<ArchiveRow>(text)) ?? null;
      }),
    write: (table, rows) => write((sql) => add(sql, table, rows)),
    clear: ({ name }) => write(async (sql) => void (await sql.run(`DELETE FROM ${name}`))),
    complete: () => write(complete),
    close: () => database.close(),
  };
}

async function holds(sql: Sql): Promise<string | null> {
  for (const { name } of ARCHIVE_TABLES) {
    if ((await sql.row(`SELECT 1 FROM ${name} LIMIT 1`)) !== undefined) return name;
  }
  return null;
}

function page(
  sql: Sql,
  table: ArchiveTable,
  after: ArchiveRow | null,
  limit: number,
): Promise<ArchiveRow[]> {
  const { key, long, name } = table;
  const order = key.map((one) => ordered(table, one)).join(', ');
  const where =
    after === null
      ? ''
      : `WHERE (${order}) > (${key.map((one, i) => parameterOf(table, one, i)).join(', ')})`;
  const values = after === null ? [] : key.map((one) => after[one] ?? null);
  const rows = `SELECT * FROM ${name} ${where} ORDER BY ${order} LIMIT ${limit}`;
  if (long === undefined) {
    return sql.rows(`SELECT ${columnsOf(table)} FROM (${rows}) AS page ORDER BY ${order}`, values);
  }
  // The size of a text is known without reading it.
  return sql.rows(
    `SELECT ${columnsOf(table)} FROM
       (SELECT *, sum(octet_length(${long})) OVER (ORDER BY ${order}) - octet_length(${long}) AS "lengthBefore"
        FROM (${rows}) AS page) AS pages
     WHERE "lengthBefore" < ${LENGTH_MAX} ORDER BY ${order}`,
    values,
  );
}

async function add(sql: Sql, table: ArchiveTable, rows: readonly ArchiveRow[]): Promise<void> {
  const names = Object.keys(table.columns);
  const lists = names.map((one, i) => `${parameterOf(table, one, i)}[]`).join(', ');
  const given = names.map((one) => WRITES[one] ?? one).join(', ');
  const columns = names.join(', ');
  await sql.run(
    `INSERT INTO ${table.name} (${columns}) SELECT ${given} FROM unnest(${lists}) AS given (${columns})
     ON CONFLICT DO NOTHING`,
    names.map((one) => rows.map((row): ArchiveValue => row[one] ?? null)),
  );
}

/** No number is given twice, and the server knows how many rows there are. */
async function complete(sql: Sql): Promise<void> {
  for (const { columns, name } of ARCHIVE_TABLES) {
    if ('id' in columns) {
      await sql.run(
        `SELECT setval(sequence, greatest(newest, 1), newest IS NOT NULL)
         FROM (SELECT pg_get_serial_sequence('${name}', 'id') AS sequence, max(id) AS newest FROM ${name}) AS ids
         WHERE sequence IS NOT NULL`,
      );
    }
    await sql.run(`ANALYZE ${name}`);
  }
}

function columnsOf({ columns }: ArchiveTable): string {
  return Object.keys(columns)
    .map((name) => `${READS[name] ?? name} AS ${name}`)
    .join(', ');
}

function parameterOf(table: ArchiveTable, column: string, index: number): string {
  return `$${index + 1}::${TYPES[kindOf(table, column)]}`;
}

/** Texts by their bytes, as SQLite has them. */
function ordered(table: ArchiveTable, column: string): string {
  return kindOf(table, column) === 'int' ? column : `${column} COLLATE "C"`;
}

function kindOf({ columns }: ArchiveTable, column: string): ArchiveKind {
  return columns[column] ?? 'text';
}
