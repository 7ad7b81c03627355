// The size of the state file on the disk, and how deleted rows leave it: SQLite alone would only mark their pages as
// free, and keep them in its log.
import { statSync } from 'node:fs';
import type { Disk, Measured } from '../../maintenance/disk.js';
import type { Sql } from '../../sql.js';
import Database from '../database/better-sqlite3.js';
import type { Connection } from '../driver.js';

const SIZE = `SELECT page_count * page_size AS bytes, freelist_count * page_size AS unused_bytes
  FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`;

export async function measure(sql: Sql, path: string): Promise<Measured> {
  const found = await sql.row<{ bytes: number; unusedBytes: number }>(SIZE);
  const { bytes, unusedBytes } = found ?? { bytes: 0, unusedBytes: 0 };
  return { bytes, unusedBytes, logBytes: sizeOf(`${path}-wal`), noted: bytes - unusedBytes };
}

function sizeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch (error) {
    throw new Database.SqliteError(String(error), 'SQLITE_IOERR');
  }
}

export function diskOf(db: Database.Database, { alone }: Connection): Disk {
  return {
    measure: (sql) => measure(sql, db.name),
    numberOf: async () => '',
    clearAway: () =>
      alone(() => {
        // Free pages may come from an earlier prune that was cut off here.
        if (db.pragma('freelist_count', { simple: true }) !== 0) reclaim(db);
      }),
    wipe: () => alone(() => reclaim(db)),
  };
}

/** False if another process was reading all the while, so that the log could not be emptied. */
function reclaim(db: Database.Database): boolean {
  emptyLog(db);
  db.exec('VACUUM');
  return emptyLog(db);
}

function emptyLog(db: Database.Database): boolean {
  const [said] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  return said?.busy === 0;
}
