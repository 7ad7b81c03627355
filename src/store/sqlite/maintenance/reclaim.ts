// Deletes rows so that they leave the disk too: SQLite alone would only mark their pages as free, and keep them in its
// log.
import type Database from 'better-sqlite3';

/** Undoes a transaction, and is not a failure. */
const TAKEN_BACK = new Error('taken back');

/**
 * Deletes rows that others may refer to. Looking for those after each row would take hours, so all references
 * are checked once, before anything is committed. What `isForReal` refuses was only counted, and is undone.
 */
export function removeRows<T>(
  db: Database.Database,
  work: () => T,
  isForReal: (done: T) => boolean,
): T {
  let done: T | undefined;
  const remove = db.transaction(() => {
    done = work();
    if (!isForReal(done)) throw TAKEN_BACK;
    const [broken] = db.pragma('foreign_key_check') as unknown[];
    if (broken !== undefined) throw new Error('a reference between two tables would break');
  });
  // Inside a transaction this cannot change.
  db.pragma('foreign_keys = OFF');
  try {
    remove.immediate();
  } catch (error) {
    if (error !== TAKEN_BACK) throw error;
  } finally {
    db.pragma('foreign_keys = ON');
  }
  return done as T;
}

/**
 * Writes the file anew without its free pages and empties the log. False where another process was reading all
 * the while, so that the log could not be emptied.
 */
export function reclaim(db: Database.Database): boolean {
  emptyLog(db);
  db.exec('VACUUM');
  return emptyLog(db);
}

function emptyLog(db: Database.Database): boolean {
  const [said] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  return said?.busy === 0;
}
