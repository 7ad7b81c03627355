// The size of the state in the database, and how deleted rows leave its disk. PostgreSQL keeps them until VACUUM finds
// that no transaction sees them any more, and their bytes until a new row is written there.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Disk, Measured } from '../../maintenance/disk.js';
import type { Sql } from '../../sql.js';
import type { Database } from '../database/database.js';

/** A larger table is not written anew: its users would wait longer than a statement may wait. */
const REWRITTEN_BYTES_MAX = 2 ** 30;
const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 200;

/** Of tables with their indexes; dead rows by the server's own estimate. */
const SIZE = `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint AS bytes,
    coalesce(sum(pg_total_relation_size(c.oid) * s.n_dead_tup::float8 / nullif(s.n_live_tup + s.n_dead_tup, 0)), 0)::bigint AS unused_bytes
  FROM pg_class c LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`;

export async function measure(sql: Sql): Promise<Measured> {
  const found = await sql.row<{ bytes: number; unusedBytes: number }>(SIZE);
  const { bytes, unusedBytes } = found ?? { bytes: 0, unusedBytes: 0 };
  return { bytes, unusedBytes, logBytes: 0, noted: bytes };
}

export function diskOf(database: Database): Disk {
  return {
    measure,
    numberOf: async (sql) =>
      (await sql.value<string>('SELECT pg_current_xact_id()::xid::text')) as string,
    // A user without the right to VACUUM clears nothing.
    clearAway: async (tables) => {
      for (const { name } of await ownTables(database, tables)) {
        await database.alone(`VACUUM "${database.schema}".${name}`);
      }
    },
    wipe: (tables, xid) => wipe(database, tables, xid),
  };
}

/** Some may be left: a table of another owner, one too large, or a transaction that may still see the rows. */
async function wipe(database: Database, tables: readonly string[], xid: string): Promise<boolean> {
  const areUnseen = await waitUntilUnseen(database, xid);
  const own = await ownTables(database, tables);
  const small = own.filter(({ bytes }) => bytes <= REWRITTEN_BYTES_MAX);
  for (const table of own) {
    const way = small.includes(table) ? '(FULL) ' : '';
    await database.alone(`VACUUM ${way}"${database.schema}".${table.name}`);
  }
  return areUnseen && small.length === tables.length;
}

async function ownTables(
  database: Database,
  tables: readonly string[],
): Promise<readonly { readonly name: string; readonly bytes: number }[]> {
  return database.perform(
    (sql) =>
      sql.rows<{ name: string; bytes: number }>(
        `SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
         WHERE relnamespace = current_schema()::regnamespace AND relname = ANY ($1::text[])
           AND pg_has_role(relowner, 'USAGE') ORDER BY relname`,
        [tables],
      ),
    { kind: 'snapshot' },
  );
}

async function waitUntilUnseen(database: Database, xid: string): Promise<boolean> {
  const isSeen = (sql: Sql): Promise<object | undefined> =>
    sql.row(
      `SELECT 1 FROM (
         SELECT backend_xmin AS xmin FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()
         UNION ALL SELECT xmin FROM pg_replication_slots
         UNION ALL SELECT transaction FROM pg_prepared_xacts WHERE database = current_database()
       ) AS others WHERE xmin IS NOT NULL AND age(xmin) >= age($1::text::xid) LIMIT 1`,
      [xid],
    );
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
    if ((await database.perform(isSeen, { kind: 'snapshot' })) === undefined) return true;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}
