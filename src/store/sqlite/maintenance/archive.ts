import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import type { ArchiveRow, ArchiveTable, StateArchive } from '../../../ports/store/archive.js';
import { archiveOf } from '../../maintenance/archive.js';
import type { Row } from '../../sql.js';
import { guardDatabase } from '../database/failures.js';
import { openDatabase } from '../database/open-database.js';
import { connect } from '../driver.js';
import { busyJobs } from '../jobs.js';

/** Whatever its mark; creates it if it is missing. Throws SluiceError `store`. */
export function openSqliteArchive(path: string): StateArchive {
  const db = openDatabase(path);
  const place = realpathSync(path);
  const { end, write } = connect(db);
  const guard = guardDatabase(path);
  return archiveOf({
    shown: place,
    perform: guard(write),
    guard,
    // A transaction that writes has locked the file, and a job's lock lasts as long as its process.
    lock: async () => {},
    endJobs: async () => {},
    busyJobs: async (sql) => [...(await busyJobs(sql, path)), ...(await busyJobs(sql, place))],
    besides: (table, row) => seenFrom(dirname(place), table, row),
    // SQLite derives the next id from the rows themselves.
    complete: async () => {},
    close: async () => {
      await end();
      db.close();
    },
  });
}

function seenFrom(folder: string, { name }: ArchiveTable, row: ArchiveRow): Row {
  if (name !== 'read_files' && name !== 'written_files') return {};
  const path = String(row['path']);
  return { from_state: isAbsolute(path) ? relative(folder, path) : null };
}
