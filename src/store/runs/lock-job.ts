// One process at a time for each job.
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { JobLock, LockHolder } from '../../ports/store/jobs.js';
import { isBusy, lockFileOf, openLock, takeAlone } from '../database/lock-file.js';

/** Whoever looks whether a lock is taken needs less than this. */
const PATIENCE_MS = 100;

/** Whether a process has the job at this moment: reading asks for a lock that it does not share. */
export function isJobLocked(path: string, job: string): boolean {
  const file = lockFileOf(path, 'lock', job);
  if (!existsSync(file)) return false;
  const lock = new Database(file, { readonly: true, timeout: 0 });
  try {
    lock.prepare('SELECT 1 FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    lock.close();
  }
}

export function prepareJobLock(db: Database.Database, path: string) {
  const read = db.prepare<[string], LockHolder>(
    'SELECT pid, host, since FROM holders WHERE job = ?',
  );
  const write = db.prepare<[string, number, string, number]>(
    'INSERT OR REPLACE INTO holders (job, pid, host, since) VALUES (?, ?, ?, ?)',
  );

  return (job: string, holder: LockHolder): JobLock => {
    const lock = openLock(lockFileOf(path, 'lock', job), PATIENCE_MS);
    try {
      if (!takeAlone(lock)) {
        lock.close();
        return { kind: 'busy', holder: read.get(job) ?? null };
      }
    } catch (error) {
      lock.close();
      throw error;
    }
    write.run(job, holder.pid, holder.host, holder.since);
    return { kind: 'taken', release: async () => void lock.close() };
  };
}
