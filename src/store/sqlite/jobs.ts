// Jobs: the lock that one process at a time has, pauses and samples. That nothing is claimed for a paused job is in `claim`
// itself (enrichments/submits.ts).
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { LockHolder } from '../../ports/store/jobs.js';
import { refuseMoved } from '../moved.js';
import { isBusy } from './database/failures.js';
import { lockFileOf, openLock, takeAlone } from './database/lock-file.js';
import type { Verbs } from './database/transactions.js';
import { prepareReadMark } from './maintenance/mark.js';

/** To look whether a lock is taken needs less than this. */
const PATIENCE_MS = 100;

/** Whether a process has the job at this moment: SQLite cannot read the file while it is locked. */
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

const HOLDER = 'SELECT pid, host, since FROM holders WHERE job = ?';

export function prepareJobs(db: Database.Database, path: string) {
  const holder = db.prepare<[string], LockHolder>(HOLDER);
  return {
    holderOf: (job) => (isJobLocked(path, job) ? (holder.get(job) ?? null) : null),
    lockJob: prepareJobLock(db, path),
    isLocked: (job) => isJobLocked(path, job),
    // The lock is there for as long as this process is.
    maySend: () => true,
    ...preparePauses(db),
    ...prepareSamples(db),
  } satisfies Partial<Verbs>;
}

export function preparePauses(db: Database.Database) {
  const insert = db.prepare<[string, number]>(
    'INSERT OR IGNORE INTO pauses (job, since) VALUES (?, ?)',
  );
  const remove = db.prepare<[string]>('DELETE FROM pauses WHERE job = ?');
  const since = db.prepare<[string], { since: number }>('SELECT since FROM pauses WHERE job = ?');

  return {
    pauseJob: (job, at) => insert.run(job, at).changes > 0,
    resumeJob: (job) => remove.run(job).changes > 0,
    pausedSince: (job) => since.get(job)?.since ?? null,
  } satisfies Partial<Verbs>;
}

function prepareSamples(db: Database.Database) {
  const read = db
    .prepare<[string, number], string>('SELECT leads FROM samples WHERE job = ? AND seed = ?')
    .pluck();
  const write = db.prepare<[string, number, string]>(
    'INSERT OR REPLACE INTO samples (job, seed, leads) VALUES (?, ?, ?)',
  );

  return {
    sampleOf: (job, seed) => JSON.parse(read.get(job, seed) ?? '[]') as string[],
    keepSample: (job, seed, leads) => void write.run(job, seed, JSON.stringify(leads)),
  } satisfies Partial<Verbs>;
}

function prepareJobLock(db: Database.Database, path: string): Verbs['lockJob'] {
  const read = db.prepare<[string], LockHolder>(HOLDER);
  const write = db.prepare<[string, number, string, number]>(
    'INSERT OR REPLACE INTO holders (job, pid, host, since) VALUES (?, ?, ?, ?)',
  );

  const readMark = prepareReadMark(db);

  return (job, holder) => {
    const lock = openLock(lockFileOf(path, 'lock', job), PATIENCE_MS);
    try {
      if (!takeAlone(lock)) {
        lock.close();
        return { kind: 'busy', holder: read.get(job) ?? null, leftMs: null };
      }
      // Whoever moves the state marks it, and then looks for locks: one of the two finds the other.
      refuseMoved(path, readMark());
    } catch (error) {
      lock.close();
      throw error;
    }
    write.run(job, holder.pid, holder.host, holder.since);
    return { kind: 'taken', release: async () => void lock.close() };
  };
}
