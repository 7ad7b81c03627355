import type { ArchiveTable, StateArchive } from '../../ports/store/archive.js';
import { archiveOf } from '../maintenance/archive.js';
import type { Sql } from '../sql.js';
import { parseDatabaseAddress } from './database/address.js';
import { openDatabase } from './database/database.js';
import { toStoreError } from './database/failures.js';
import { checkSchema, migrate } from './database/schema.js';
import { busyJobs } from './jobs.js';

/** `makes`: its schema is made or brought up to date before. Throws SluiceError `store`. */
export async function openPostgresArchive(address: string, makes: boolean): Promise<StateArchive> {
  const database = openDatabase(parseDatabaseAddress(address));
  try {
    if (makes) await migrate(database);
    await checkSchema(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return archiveOf({
    ...database,
    // The server has no statistics of what was just written: each page is read by its index.
    perform: (work, how) => database.perform(work, { ...how, isBounded: true }),
    // Each write begins with its token.
    lock: async (sql) => void (await sql.run('LOCK TABLE commits IN EXCLUSIVE MODE')),
    busyJobs,
    // A process that was not heard of, as on a machine that sleeps, may still renew its lease.
    endJobs: async (sql) => void (await sql.run('DELETE FROM leases')),
    complete,
    guard:
      (verb) =>
      async (...args) => {
        try {
          return await verb(...args);
        } catch (error) {
          throw toStoreError(error, database.shown);
        }
      },
  });
}

/** Moves the sequence behind the largest id, so that no number is given twice, and has the server count the rows. */
async function complete(sql: Sql, { columns, name }: ArchiveTable): Promise<void> {
  if ('id' in columns) {
    await sql.run(
      `SELECT setval(sequence, greatest(newest, 1), newest IS NOT NULL)
       FROM (SELECT pg_get_serial_sequence('${name}', 'id') AS sequence, max(id) AS newest FROM ${name}) AS ids
       WHERE sequence IS NOT NULL`,
    );
  }
  await sql.run(`ANALYZE ${name}`);
}
