// The steps by which each database makes deleted rows leave the disk too (sqlite/maintenance/disk.ts,
// postgres/maintenance/disk.ts).
import type { StateSize } from '../../ports/store/maintenance.js';
import type { Sql, Transactions } from '../sql.js';

/** The size of the state at this moment; `noted` is the number of bytes by which its growth is measured. */
export type Measured = Omit<StateSize, 'bytesADay'> & { readonly noted: number };

export interface Disk {
  measure(sql: Sql): Promise<Measured>;
  /** The number of this transaction, by which `wipe` knows its rows. */
  numberOf(sql: Sql): Promise<string>;
  clearAway(tables: readonly string[]): Promise<void>;
  /** Removes from the tables the remains of rows that a transaction changed; false if some may be left. */
  wipe(tables: readonly string[], number: string): Promise<boolean>;
}

/** Overwrites the rows that the work deletes: SQLite alone would only mark their space as free. */
export async function overwriting<R>(sql: Sql, work: () => Promise<R>): Promise<R> {
  // PostgreSQL keeps deleted rows for transactions that still see them: the server clears them away, or `wipe` does.
  if (sql.kind === 'postgres') return work();
  await sql.rows('PRAGMA secure_delete = ON');
  try {
    return await work();
  } finally {
    await sql.rows('PRAGMA secure_delete = OFF');
  }
}

const TAKEN_BACK = new Error('taken back');

/** If `isForReal` refuses it, the work only counted and is undone. */
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
