// A whole state in a database, for copying it to another place.
import type { StateArchive } from '../../ports/store/archive.js';
import { archiveOf } from '../maintenance/archive.js';
import type { Sql } from '../sql.js';
import { ARCHIVE_TABLES } from '../tables.js';
import { parseDatabaseAddress } from './database/address.js';
import { openDatabase } from './database/database.js';
import { checkSchema, migrate } from './database/schema.js';
import { busyJobs } from './state-checkup.js';

/**
 * Opens the state in a database, whatever its mark. If `makes` is set, its schema is made or brought up to date before.
 * @throws SluiceError `store`
 */
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
    busyJobs: () => database.perform(busyJobs, { kind: 'snapshot' }),
    complete,
  });
}

/** Moves the sequences behind the largest ids, so that no number is given twice, and has the server count the rows. */
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
