// Whether the state file can be written at this moment: one page, through to the disk, that changes nothing.
import type Database from 'better-sqlite3';
import { atomic } from '../database/atomic.js';

export function prepareCheckWriting(db: Database.Database): () => void {
  return atomic(db, (): void => {
    // SQLite writes no page for a row that stays as it is; for this number it does.
    const version = db.pragma('user_version', { simple: true });
    db.pragma(`user_version = ${Number(version)}`);
  });
}
