// One process at a time for each job: an exclusive lock that the operating system drops when its
// holder dies. SQLite takes it on a small file beside the state file; Node itself has no file locks.
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { JobLock, LockHolder } from '../../domain/ports/job-locks.js';

/** Whoever looks whether a lock is taken needs less than this. */
const PATIENCE_MS = 100;

/** The file that stands for the lock of a job. */
function lockFileOf(path: string, job: string): string {
  return `${path}-lock-${createHash('sha256').update(job).digest('hex').slice(0, 12)}`;
}

/** Whether a process has the job at this moment: reading asks for a lock that it does not share. */
export function isJobLocked(path: string, job: string): boolean {
  const file = lockFileOf(path, job);
  if (!existsSync(file)) return false;
  const lock = new Database(file, { readonly: true, timeout: 0 });
  try {
    lock.prepare('SELECT 1 FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY') return true;
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
    const file = lockFileOf(path, job);
    // For the owner alone: whoever may read it could take a lock that keeps the job from starting.
    closeSync(openSync(file, 'a', 0o600));
    const lock = new Database(file, { timeout: PATIENCE_MS });
    try {
      lock.pragma('journal_mode = MEMORY');
      lock.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      lock.close();
      if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_BUSY') throw error;
      return { kind: 'busy', holder: read.get(job) ?? null };
    }
    write.run(job, holder.pid, holder.host, holder.since);
    return { kind: 'taken', release: async () => void lock.close() };
  };
}
