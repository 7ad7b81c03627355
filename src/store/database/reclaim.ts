// What is deleted leaves the disk: SQLite alone would only mark its pages as free, and keep them in its log.
import type Database from 'better-sqlite3';

/** Deleted content is overwritten from now on, and not only forgotten. */
export function overwriteDeleted(db: Database.Database): void {
  db.pragma('secure_delete = ON');
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

/**
 * Deletes rows that others may refer to. To look for those after each single row would take hours; so all
 * references are checked once, before anything is committed.
 */
export function withoutReferenceChecks<T>(db: Database.Database, work: () => T): T {
  // Inside a transaction this cannot change.
  db.pragma('foreign_keys = OFF');
  try {
    return db
      .transaction(() => {
        const done = work();
        const [broken] = db.pragma('foreign_key_check') as unknown[];
        if (broken !== undefined) throw new Error('a reference between two tables would break');
        return done;
      })
      .immediate();
  } finally {
    db.pragma('foreign_keys = ON');
  }
}
