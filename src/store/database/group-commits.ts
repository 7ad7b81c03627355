// Group commit: verbs that are called in one turn of the event loop are performed in one transaction, with one
// sync to disk for all of them. A sync takes longer than a hundred rows.
import type Database from 'better-sqlite3';
import { atomic } from './atomic.js';

interface WaitingVerb {
  readonly perform: () => void;
  /** Tells the caller what it came to. */
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommits {
  /** The verb, as one that is done, and durable, when its promise resolves. */
  join<A extends unknown[], R>(verb: (...args: A) => R): (...args: A) => Promise<R>;
  /** Commits at once what waits. */
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
      // Nothing of the group was done. One that fails must not take the others with it; a file that is locked, or a
      // disk that fails, takes them all.
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
