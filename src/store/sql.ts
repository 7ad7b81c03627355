// The port to a database, over which verbs are written. It has two drivers: sqlite/driver.ts and
// postgres/database/database.ts.
//
// A statement is written once, in SQL that both SQLite and PostgreSQL understand. It is PostgreSQL's text, and the
// driver of SQLite leaves out the parts that only PostgreSQL needs:
// - parameters are $1, $2, …; a list is one parameter, and stands only in `= ANY ($1)`
// - casts (`$1::text`, `sum(n)::bigint`) tell PostgreSQL the types that it cannot guess
// - `FOR UPDATE` and the like lock rows: SQLite has one writer at a time, and nothing to lock
// If one text cannot serve both, two stand side by side (`sql.kind`), with the reason.
//
// Columns are in snake_case, and the fields of rows in camelCase: `run_id` is read and written as `runId`.
import { snakeCase } from '../model/text/json.js';

export type Scalar = string | number | boolean | null | Uint8Array;
export type Value = Scalar | readonly Scalar[];
/**
 * A field that begins with `is`, `has` or `was` comes back as true or false, and null as false. Test of other flags only
 * whether they are truthy: in SQLite they are 1 and 0.
 */
export type Row = Readonly<Record<string, Scalar>>;

/** The statements of one transaction. Numbers come back as numbers, bytes as bytes. */
export interface Sql {
  readonly kind: 'sqlite' | 'postgres';
  rows<R extends object>(text: string, values?: readonly Value[]): Promise<R[]>;
  row<R extends object>(text: string, values?: readonly Value[]): Promise<R | undefined>;
  /** The first column of all rows, and of the first row. */
  list<T extends Scalar>(text: string, values?: readonly Value[]): Promise<T[]>;
  value<T extends Scalar>(text: string, values?: readonly Value[]): Promise<T | undefined>;
  /** Returns how many rows were changed. */
  run(text: string, values?: readonly Value[]): Promise<number>;
  /** All with the same columns. `conflict` is what follows `ON CONFLICT`. Returns how many were added or changed. */
  insert(table: string, rows: readonly Row[], conflict?: string): Promise<number>;
  /** Returns the ids, in the same order. */
  insertIds(table: string, rows: readonly Row[]): Promise<number[]>;
  /**
   * Changes the rows with these values of `key`, where the condition on the row `t` holds as it is now. All have the same
   * columns. Returns the places of those that there were.
   */
  update(
    table: string,
    key: readonly string[],
    rows: readonly Row[],
    condition?: string,
  ): Promise<number[]>;
  /** Returns how many there were. */
  remove(table: string, rows: readonly Row[]): Promise<number>;
  /** Takes a lock of this name until the end of the transaction; `shared` locks do not exclude each other. */
  lock(name: string, mode?: 'shared'): Promise<void>;
}

/** The function with what it made for each text. Our statements have few texts and names, none from outside. */
export function keptByText<Made>(make: (text: string) => Made): (text: string) => Made {
  const made = new Map<string, Made>();
  return (text) => {
    let one = made.get(text);
    if (one === undefined) made.set(text, (one = make(text)));
    return one;
  };
}

export const columnOf = keptByText(snakeCase);

export function fieldOf(column: string): string {
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

type RowMaker = (cells: readonly unknown[]) => object;

const makerOf = keptByText((columns) => {
  const members = (JSON.parse(columns) as string[]).map(fieldOf).map((field, i) => {
    const isFlag = /^(?:is|has|was)[A-Z]/.test(field);
    return `${JSON.stringify(field)}: ${isFlag ? `Boolean(cells[${i}])` : `cells[${i}]`}`;
  });
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
  return new Function('cells', `return { ${members.join(', ')} };`) as RowMaker;
});

/**
 * A function that makes the object of a row by one literal: 0.05 µs for 26 columns. Field by field it takes 3 µs, and
 * better-sqlite3's own objects take twice that.
 */
export function rowMaker(columns: readonly { readonly name: string }[]): RowMaker {
  return makerOf(JSON.stringify(columns.map(({ name }) => name)));
}

export interface TransactionOptions {
  /** `snapshot`: reads that agree with one another, and nothing else. */
  readonly kind: 'write' | 'snapshot';
  /** Whether it is work on the whole state, which may take hours. */
  readonly isLong?: boolean;
}

export interface Transactions {
  readonly shown: string;
  perform<R>(work: (sql: Sql) => Promise<R>, options: TransactionOptions): Promise<R>;
}

/** The row with what these fields hold as JSON; null stays null. */
export function parsed<R>(row: object, ...fields: readonly (keyof R & string)[]): R {
  const read: Record<string, unknown> = { ...row };
  for (const field of fields) read[field] = JSON.parse(String(read[field]));
  return read as R;
}

/** Bytes of the long values that are read together; a single one may be longer. */
export const BYTES_AT_ONCE = 8_000_000;

/**
 * The keys of the first rows of a page, in no order; `from`: the page, from the name of the table on. They are fewer where
 * their values of `long` are long: the size of a value is known without reading it. In one statement with its rows,
 * PostgreSQL may read the whole table.
 */
export function fewOf(
  sql: Sql,
  key: string,
  long: string,
  from: string,
  values: readonly Value[],
): Promise<number[]> {
  return sql.list<number>(
    `SELECT place FROM (SELECT place, sum(bytes) OVER (ORDER BY place) - bytes AS before FROM
       (SELECT ${key} AS place, coalesce(octet_length(${long}), 0) AS bytes FROM ${from}) AS page) AS found
     WHERE before < ${BYTES_AT_ONCE}`,
    values,
  );
}

/** `which`: the rows, from the name of the table on. */
export async function countOf(sql: Sql, which: string, values?: readonly Value[]): Promise<number> {
  return (await sql.value<number>(`SELECT count(*) FROM ${which}`, values)) ?? 0;
}

/** Locks the account until the end of the transaction: no other verb with this lock works on its enrichments. */
function lockAccount(sql: Sql, account: string): Promise<void> {
  return sql.lock(`account ${account}`);
}

export async function lockAccountOf(sql: Sql, runId: number): Promise<string> {
  const account = await accountOf(sql, runId);
  await lockAccount(sql, account);
  return account;
}

export async function accountOf(sql: Sql, runId: number): Promise<string> {
  const account = await sql.value<string>('SELECT account FROM runs WHERE id = $1', [runId]);
  if (account === undefined) throw new Error(`run ${runId} does not exist`);
  return account;
}

/**
 * Until the end of the transaction, no verb notes a ticket as unknown while another saves it, unseen by the first.
 * Verbs that save tickets do not wait for each other. This lock is taken before the rows of enrichments.
 */
export function lockTickets(sql: Sql, how: 'to save' | 'to look'): Promise<void> {
  return sql.lock('tickets', how === 'to save' ? 'shared' : undefined);
}

export async function lockEveryAccount(sql: Sql): Promise<void> {
  const accounts = await sql.list<string>('SELECT DISTINCT account FROM runs ORDER BY account');
  for (const account of accounts) await lockAccount(sql, account);
}
