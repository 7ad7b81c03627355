// What each database does by itself so that deleted rows leave the disk too (sqlite/maintenance/disk.ts,
// postgres/maintenance/disk.ts).
import type { ForgetReport, StateSize } from '../../ports/store/maintenance.js';
import type { Sql, Transactions } from '../sql.js';

/** What the state takes at this moment; `noted`: the bytes of which its growth is counted. */
export type Measured = Omit<StateSize, 'bytesADay'> & { readonly noted: number };

export interface Disk {
  measure(sql: Sql): Promise<Measured>;
  /** Of this transaction: tells `wipe` which rows are meant. */
  numberOf(sql: Sql): Promise<string>;
  /** New rows may go where old ones of these tables were, or the space is given back. */
  clearAway(tables: readonly string[]): Promise<void>;
  /** Removes from the tables what is left of the rows that a transaction changed. Returns why something may be left. */
  wipe(tables: readonly string[], number: string): Promise<ForgetReport['left']>;
}

/** What the work deletes is overwritten where it was: SQLite alone would only mark it as free. */
export async function overwriting<R>(sql: Sql, work: () => Promise<R>): Promise<R> {
  // PostgreSQL keeps what is deleted for whoever still sees it: the server clears it away, or `wipe` does.
  if (sql.kind === 'postgres') return work();
  await sql.rows('PRAGMA secure_delete = ON');
  try {
    return await work();
  } finally {
    await sql.rows('PRAGMA secure_delete = OFF');
  }
}

/** Undoes a transaction, and is not a failure. */
const TAKEN_BACK = new Error('taken back');

/** What work on the whole state has done; what `isForReal` refuses was only counted, and is undone. */
export async function orTakenBack<T>(
  database: Transactions,
  work: (sql: Sql) => Promise<T>,
  isForReal: (done: T) => boolean,
): Promise<T> {
  let done: T | undefined;
  const attempt = async (sql: Sql): Promise<void> => {
    done = await work(sql);
    if (!isForReal(done)) throw TAKEN_BACK;
  };
  try {
    await database.perform(attempt, { kind: 'write', isLong: true });
  } catch (error) {
    if (error !== TAKEN_BACK) throw error;
  }
  return done as T;
}
