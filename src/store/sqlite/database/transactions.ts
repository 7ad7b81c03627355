// How the verbs of the port become transactions. Each verb is one transaction. Verbs that are called in one turn of the
// event loop may share a transaction, and so one sync to disk: a sync takes longer than a hundred rows.
import type Database from 'better-sqlite3';
import type { LockHolder } from '../../../ports/store/jobs.js';
import type { JobLock, Store } from '../../../ports/store/store.js';

type Verb<Promised> = Promised extends (...args: infer A) => Promise<infer R>
  ? (...args: A) => R
  : never;

/** The port's lock has the store beside it, which its opener knows. */
export type FileLock =
  | Exclude<JobLock, { kind: 'taken' }>
  | Omit<Extract<JobLock, { kind: 'taken' }>, 'store'>;

/** The verbs of the port as this store writes them: each has done its work when it returns. */
export type Verbs = {
  readonly [Name in Exclude<keyof Store, 'lockJob'>]: Verb<Store[Name]>;
} & { lockJob(job: string, holder: LockHolder): FileLock };

/** What the verbs of a transaction have added up in memory: written at its end, and gone where it is undone. */
interface AtCommit {
  write(): void;
  undo(): void;
}

const AT_COMMIT = new WeakMap<Database.Database, AtCommit>();

export function onCommit(db: Database.Database, atCommit: AtCommit): void {
  AT_COMMIT.set(db, atCommit);
}

/**
 * The verb as one transaction. It takes the write lock at once: a transaction that begins by reading could find, when
 * it comes to write, that another process was faster. Inside another transaction the work is a part of that one, and is
 * undone with all of it or not at all.
 */
export function atomic<A extends unknown[], R>(
  db: Database.Database,
  work: (...args: A) => R,
): (...args: A) => R {
  const transaction = db.transaction((...args: A) => {
    const result = work(...args);
    AT_COMMIT.get(db)?.write();
    return result;
  });
  return (...args) => {
    if (db.inTransaction) return work(...args);
    try {
      return transaction.immediate(...args);
    } catch (error) {
      AT_COMMIT.get(db)?.undo();
      throw error;
    }
  };
}

/** Reads that must agree with one another: a view of one moment. Other processes may write meanwhile. */
export function snapshot<A extends unknown[], R>(
  db: Database.Database,
  work: (...args: A) => R,
): (...args: A) => R {
  const transaction = db.transaction(work);
  return (...args) => transaction.deferred(...args);
}

interface WaitingVerb {
  readonly perform: () => void;
  /** Hands its result to the caller. */
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommits {
  /** The verb as a promise: its work is done and durable when it resolves. */
  join<A extends unknown[], R>(verb: (...args: A) => R): (...args: A) => Promise<R>;
  /** Commits the waiting verbs at once. */
  flush(): void;
}

export function groupCommits(db: Database.Database): GroupCommits {
  let waiting: WaitingVerb[] = [];
  let running: WaitingVerb | undefined;

  const perform = atomic(db, (group: readonly WaitingVerb[]): void => {
    for (running of group) running.perform();
    running = undefined;
  });

  const commit = (group: readonly WaitingVerb[]): void => {
    try {
      perform(group);
      for (const verb of group) verb.resolve();
    } catch (error) {
      // Nothing of the group was done. A verb that fails must not take the others with it; a file that is locked, or a
      // disk that fails, fails them all.
      const failed = running;
      running = undefined;
      for (const verb of group) if (failed === undefined || verb === failed) verb.reject(error);
      const others = group.filter((verb) => verb !== failed);
      if (failed !== undefined && others.length > 0) commit(others);
    }
  };

  const flush = (): void => {
    const group = waiting;
    waiting = [];
    if (group.length > 0) commit(group);
  };

  return {
    join:
      (verb) =>
      (...args) =>
        new Promise((resolve, reject) => {
          let result: ReturnType<typeof verb>;
          waiting.push({
            perform: () => {
              result = verb(...args);
            },
            resolve: () => resolve(result),
            reject,
          });
          if (waiting.length === 1) setImmediate(flush);
        }),
    flush,
  };
}
