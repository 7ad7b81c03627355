import { existsSync } from 'node:fs';
import type { LockHolder } from '../../ports/store/jobs.js';
import type { BusyJob } from '../../ports/store/state-checkup.js';
import type { JobLock } from '../../ports/store/store.js';
import { readJob } from '../jobs.js';
import type { Sql } from '../sql.js';
import { read, type Verbs } from '../verb.js';
import Database from './database/better-sqlite3.js';
import { isBusy } from './database/failures.js';
import { lockFileOf, openLock, takeAlone } from './database/lock-file.js';
import type { Connection } from './driver.js';

/** How long to wait for a lock file; a check whether a lock is taken needs less. */
const PATIENCE_MS = 100;

export type FileLock =
  | Exclude<JobLock, { kind: 'taken' }>
  | Omit<Extract<JobLock, { kind: 'taken' }>, 'store'>;

/** SQLite cannot read the file while it is locked. */
function isJobLocked(path: string, job: string): boolean {
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

async function findHolder(sql: Sql, job: string): Promise<LockHolder | null> {
  const holder = 'SELECT pid, host, since FROM holders WHERE job = $1';
  return (await sql.row<LockHolder>(holder, [job])) ?? null;
}

export function jobVerbs(path: string) {
  return {
    jobNow: read(async (sql, job) => {
      const isLocked = isJobLocked(path, job);
      const holder = isLocked ? await findHolder(sql, job) : null;
      return { ...(await readJob(sql, job)), isLocked, holder };
    }),
  } satisfies Partial<Verbs>;
}

export async function lockJob(
  { read, write }: Connection,
  path: string,
  job: string,
  { host, pid, since }: LockHolder,
): Promise<FileLock> {
  const lock = openLock(lockFileOf(path, 'lock', job), PATIENCE_MS);
  try {
    if (!takeAlone(lock)) {
      lock.close();
      return { kind: 'busy', holder: await read((sql) => findHolder(sql, job)), leftMs: null };
    }
    await write(async (sql) => {
      await sql.run(
        `INSERT INTO holders (job, pid, host, since) VALUES ($1, $2, $3, $4)
         ON CONFLICT (job) DO UPDATE SET pid = excluded.pid, host = excluded.host, since = excluded.since`,
        [job, pid, host, since],
      );
    });
  } catch (error) {
    lock.close();
    throw error;
  }
  return { kind: 'taken', release: async () => void lock.close() };
}

export async function busyJobs(sql: Sql, path: string): Promise<BusyJob[]> {
  const holders = await sql.rows<LockHolder & { job: string }>(
    'SELECT job, pid, host, since FROM holders',
  );
  return holders
    .filter(({ job }) => isJobLocked(path, job))
    .map(({ job, ...holder }) => ({ job, holder, leftMs: null }));
}
