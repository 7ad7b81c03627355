// The port to a database: what verbs are written over. There are two drivers: sqlite/driver.ts and
// postgres/database/database.ts.
//
// A statement is written once, in what SQLite and PostgreSQL both understand. It is PostgreSQL's text, and the driver of
// SQLite leaves out what only PostgreSQL needs:
// - parameters are $1, $2, …; a list is one parameter, and stands only in `= ANY ($1)`
// - casts (`$1::text`, `sum(n)::bigint`) tell PostgreSQL the type of what it cannot guess
// - `FOR UPDATE` and its like lock rows: SQLite has one writer at a time, and nothing to lock
// Where both cannot be served by one text, both stand side by side (`sql.kind`), with the reason.
import type { Store } from '../ports/store/store.js';

export type Scalar = string | number | boolean | null | Uint8Array;
export type Value = Scalar | readonly Scalar[];
/** A row by the names of its columns. Flags come back as true and false, or as 1 and 0: look only whether they hold. */
export type Row = Readonly<Record<string, Scalar>>;

/** Statements of one transaction. Numbers come back as numbers, bytes as bytes. */
export interface Sql {
  readonly kind: 'sqlite' | 'postgres';
  /** All rows. */
  rows<R extends object>(text: string, values?: readonly Value[]): Promise<R[]>;
  /** The first row. */
  row<R extends object>(text: string, values?: readonly Value[]): Promise<R | undefined>;
  /** How many rows were changed. */
  run(text: string, values?: readonly Value[]): Promise<number>;
  /**
   * Adds rows, all with the same columns, in their order. `conflict`: what to do with one that is there (`ON CONFLICT …`).
   * Returns how many were added or changed.
   */
  insert(table: string, rows: readonly Row[], conflict?: string): Promise<number>;
  /** Adds rows, and returns their ids, in the same order. */
  insertIds(table: string, rows: readonly Row[]): Promise<number[]>;
  /** Changes the rows with these values of the columns `key`; all with the same columns. Returns how many there were. */
  update(table: string, key: readonly string[], rows: readonly Row[]): Promise<number>;
  /** Removes the rows with these values. Returns how many there were. */
  remove(table: string, rows: readonly Row[]): Promise<number>;
  /** Until the end of the transaction nobody else has a lock of this name; a shared one others may share. */
  lock(name: string, mode?: 'shared'): Promise<void>;
}

/** How a transaction is performed. */
export interface TransactionOptions {
  /** `snapshot`: reads that agree with one another, and nothing else. */
  readonly kind: 'write' | 'snapshot';
  /** Work on the whole state, which may take hours. */
  readonly isLong?: boolean;
}

/** A database with a state. */
export interface Transactions {
  /** The place, as people name it. */
  readonly shown: string;
  perform<R>(work: (sql: Sql) => Promise<R>, options: TransactionOptions): Promise<R>;
}

type Work<Verb> = Verb extends (...args: infer A) => Promise<infer R>
  ? (sql: Sql, ...args: A) => Promise<R>
  : never;

/** The verbs of the port, as functions of the statements of their transaction. */
export type Verbs = { readonly [Name in keyof Store]: Work<Store[Name]> };

/** Until the end of the transaction no other verb that takes it works on enrichments of this account. */
function lockAccount(sql: Sql, account: string): Promise<void> {
  return sql.lock(`account ${account}`);
}

/** The same, for the account of a run. Returns the account. */
export async function lockAccountOf(sql: Sql, runId: number): Promise<string> {
  const run = await sql.row<{ account: string }>('SELECT account FROM runs WHERE id = $1', [runId]);
  if (run === undefined) throw new Error(`run ${runId} does not exist`);
  await lockAccount(sql, run.account);
  return run.account;
}

/**
 * Until the end of the transaction, no verb notes a ticket as unknown while another saves it, unseen by the first. Those
 * that save tickets do not wait for each other. It comes before the rows of enrichments.
 */
export function lockTickets(sql: Sql, how: 'to save' | 'to look'): Promise<void> {
  return sql.lock('tickets', how === 'to save' ? 'shared' : undefined);
}

/** The same, for every account: work on the whole state. */
export async function lockEveryAccount(sql: Sql): Promise<void> {
  const accounts = await sql.rows<{ account: string }>(
    'SELECT DISTINCT account FROM runs ORDER BY account',
  );
  for (const { account } of accounts) await lockAccount(sql, account);
}
