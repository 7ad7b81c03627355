// A state file as a whole, for copying it to another place.
import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import type { ArchiveRow, ArchiveTable, StateArchive } from '../../../ports/store/archive.js';
import { archiveOf } from '../../maintenance/archive.js';
import type { Row, Sql, TransactionOptions } from '../../sql.js';
import { guardDatabase } from '../database/failures.js';
import { openDatabase } from '../database/open-database.js';
import { connect } from '../driver.js';
import { busyJobs } from '../jobs.js';

/**
 * Opens a state file whatever it is marked as; creates it where it is missing.
 * @throws SluiceError `store`
 */
export function openSqliteArchive(path: string): StateArchive {
  const db = openDatabase(path);
  const place = realpathSync(path);
  const guard = guardDatabase(path);
  const { end, read, write } = connect(db);
  return archiveOf({
    shown: place,
    perform: <R>(work: (sql: Sql) => Promise<R>, { kind }: TransactionOptions) =>
      guard(() => (kind === 'write' ? write(work) : read(work)))(),
    busyJobs: guard(() =>
      read(async (sql) => [...(await busyJobs(sql, path)), ...(await busyJobs(sql, place))]),
    ),
    besides: (table, row) => seenFrom(dirname(place), table, row),
    // Ids are counted by the rows themselves.
    complete: async () => {},
    close: async () => {
      await end();
      db.close();
    },
  });
}

/** A path also as it is seen from the state file, with which it may be moved. */
function seenFrom(folder: string, { name }: ArchiveTable, row: ArchiveRow): Row {
  if (name !== 'read_files' && name !== 'written_files') return {};
  const path = String(row['path']);
  return { from_state: isAbsolute(path) ? relative(folder, path) : null };
}
