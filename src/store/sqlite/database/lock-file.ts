// Locks that the operating system drops when their holder dies. SQLite takes them on small files beside the state file;
// Node itself has no file locks.
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync } from 'node:fs';
import { errnoOf } from '../../../model/errors.js';
import Database from './better-sqlite3.js';
import { cannotOpen, isBusy } from './failures.js';

export function lockFileOf(path: string, kind: 'lock' | 'senders', name: string): string {
  return `${path}-${kind}-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}

/** That takes no lock yet; closing the file releases the lock. Throws SluiceError `store`. */
export function openLock(file: string, patienceMs: number): Database.Database {
  try {
    // Never an existing file: this process may hold a lock on it, which closing it would release (fcntl(2)).
    if (!existsSync(file)) make(file);
    return new Database(file, { timeout: patienceMs });
  } catch (error) {
    throw cannotOpen(file, error);
  }
}

function make(file: string): void {
  try {
    // Only the owner may read it: another user who can read it could take a lock that keeps others from starting.
    closeSync(openSync(file, 'ax', 0o600));
  } catch (error) {
    // Another process was faster.
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

export function takeAlone(lock: Database.Database): boolean {
  try {
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** Possible only while no process holds it alone. */
export function share(lock: Database.Database): void {
  lock.exec('BEGIN');
  lock.prepare('SELECT 1 FROM sqlite_schema').get();
}
