// Whether the state file can be written at this moment.
import type Database from 'better-sqlite3';
import { atomic, type Verbs } from '../database/transactions.js';

/** Writes one page through to the disk and changes nothing. */
export function prepareCheckWriting(db: Database.Database): Verbs['checkWriting'] {
  return atomic(db, () => {
    // SQLite writes no page for a row that stays as it is; for this number it does.
    const version = db.pragma('user_version', { simple: true });
    db.pragma(`user_version = ${Number(version)}`);
  });
}
