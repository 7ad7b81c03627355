// One verb, one transaction. It takes the write lock at once: a transaction that begins by reading
// could find, when it comes to write, that another process was faster.
import type Database from 'better-sqlite3';

/** Inside another transaction the work is a part of it, and is undone with all of it or not at all. */
export function atomic<A extends unknown[], R>(
  db: Database.Database,
  work: (...args: A) => R,
): (...args: A) => R {
  const transaction = db.transaction(work);
  return (...args) => (db.inTransaction ? work(...args) : transaction.immediate(...args));
}

/** Reads that must agree with one another: one moment's view, which holds nobody up. */
export function snapshot<A extends unknown[], R>(
  db: Database.Database,
  work: (...args: A) => R,
): (...args: A) => R {
  const transaction = db.transaction(work);
  return (...args) => transaction.deferred(...args);
}
