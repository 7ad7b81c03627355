// The driver of SQLite (src/store/sql.ts). A process performs its transactions on a file one after another, over all of
// its connections: SQLite blocks a process that waits for a lock, so waiting for its own other transaction would never
// end. A transaction waits only for its own statements, which SQLite answers at once.
//
// Verbs that are called in one turn of the event loop may share a transaction, and so one sync to disk: a sync takes
// longer than a hundred rows.
import { statSync } from 'node:fs';
import {
  columnOf,
  keptByText,
  type Row,
  rowMaker,
  type Scalar,
  type Sql,
  type Value,
} from '../sql.js';
import type Database from './database/better-sqlite3.js';

type Bound = string | number | Uint8Array | null;

/** A list of more values is one parameter of JSON. */
const LIST_MAX = 512;

export interface Connection {
  /** Takes the write lock at once: a transaction that begins by reading could find that another process was faster. */
  readonly write: <R>(work: (sql: Sql) => Promise<R>) => Promise<R>;
  readonly read: <R>(work: (sql: Sql) => Promise<R>) => Promise<R>;
  /** A write that may share its transaction with others. It is durable when the promise resolves. */
  readonly join: <R>(work: (sql: Sql) => Promise<R>) => Promise<R>;
  /** Works outside of a transaction, while no other work on the file is under way. */
  readonly alone: <R>(work: () => R) => Promise<R>;
  readonly end: () => Promise<void>;
}

interface Waiting {
  readonly perform: (sql: Sql) => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The last transaction of this process on each file, by device and inode: a file may have several paths. */
const LAST = new Map<string, Promise<unknown>>();

export function connect(db: Database.Database): Connection {
  const sql = statementsOn(db);
  const { dev, ino } = statSync(db.name, { bigint: true });
  const file = `${dev} ${ino}`;
  let waiting: Waiting[] = [];

  /** Performs the work after everything that was called before. */
  const next = <R>(work: () => Promise<R>): Promise<R> => {
    const mine = (LAST.get(file) ?? Promise.resolve()).then(work);
    const last: Promise<unknown> = mine
      .catch(() => undefined)
      .finally(() => {
        if (LAST.get(file) === last) LAST.delete(file);
      });
    LAST.set(file, last);
    return mine;
  };
  const transaction = async <R>(begin: string, work: () => Promise<R>): Promise<R> => {
    db.exec(begin);
    try {
      const result = await work();
      db.exec('COMMIT');
      return result;
    } catch (error) {
      // Some failures have ended the transaction already.
      if (db.inTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
  const commit = async (group: readonly Waiting[]): Promise<void> => {
    let running: Waiting | undefined;
    try {
      await transaction('BEGIN IMMEDIATE', async () => {
        for (running of group) await running.perform(sql);
        running = undefined;
      });
      for (const verb of group) verb.resolve();
    } catch (error) {
      // Nothing of the group was done. If one verb fails, the others are performed again without it; if the file is
      // locked, or the disk fails, all of them fail.
      const failed = running;
      for (const verb of group) if (failed === undefined || verb === failed) verb.reject(error);
      const others = group.filter((verb) => verb !== failed);
      if (failed !== undefined && others.length > 0) await commit(others);
    }
  };
  const flush = (): void => {
    const group = waiting;
    waiting = [];
    void next(() => commit(group));
  };

  return {
    write: (work) => next(() => transaction('BEGIN IMMEDIATE', () => work(sql))),
    read: (work) => next(() => transaction('BEGIN', () => work(sql))),
    join: <R>(work: (sql: Sql) => Promise<R>) =>
      new Promise<R>((resolve, reject) => {
        let result: R;
        waiting.push({
          perform: async (within) => {
            result = await work(within);
          },
          resolve: () => resolve(result),
          reject,
        });
        if (waiting.length === 1) setImmediate(flush);
      }),
    alone: (work) => next(async () => work()),
    end: async () => {
      if (waiting.length > 0) flush();
      await LAST.get(file);
    },
  };
}

interface Prepared {
  readonly statement: Database.Statement<Bound[]>;
  readonly bind: (values: readonly Value[]) => Bound[];
  readonly toRow: (cells: readonly unknown[]) => object;
}

/** Runs the statement with the fields of each row. */
function each(
  rows: readonly Row[],
  names: readonly string[],
  statement: Database.Statement<Bound[]>,
) {
  return rows.map((row) => statement.run(...names.map((name) => toBound(row[name] ?? null))));
}

function statementsOn(db: Database.Database): Sql {
  const textOf = keptByText(readText);
  const written = keptByText((text) => db.prepare<Bound[]>(text));
  const prepared = new Map<string, Prepared>();

  const prepare = (text: string, values: readonly Value[]): Prepared => {
    const read = textOf(text);
    const sizes = read.lists.map((n) => sizeFor(values[n - 1] as readonly Scalar[]));
    const key = sizes.length === 0 ? text : `${sizes.join()} ${text}`;
    let found = prepared.get(key);
    if (found === undefined) {
      found = prepareText(db, read, sizes);
      prepared.set(key, found);
    }
    return found;
  };
  const inserting = (table: string, row: Row, rest: string): Database.Statement<Bound[]> => {
    const names = Object.keys(row).map(columnOf);
    return written(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) ${rest}`,
    );
  };
  const all = (text: string, values: readonly Value[] = []) => {
    const { bind, statement, toRow } = prepare(text, values);
    return { found: statement.all(...bind(values)) as unknown[][], toRow };
  };
  const first = (text: string, values: readonly Value[] = []) => {
    const { bind, statement, toRow } = prepare(text, values);
    return { cells: statement.get(...bind(values)) as unknown[] | undefined, toRow };
  };
  return {
    kind: 'sqlite',
    rows: async <R extends object>(text: string, values?: readonly Value[]) => {
      const { found, toRow } = all(text, values);
      return found.map(toRow) as R[];
    },
    row: async <R extends object>(text: string, values?: readonly Value[]) => {
      const { cells, toRow } = first(text, values);
      return cells === undefined ? undefined : (toRow(cells) as R);
    },
    list: async <T extends Scalar>(text: string, values?: readonly Value[]) =>
      all(text, values).found.map(([cell]) => cell as T),
    value: async <T extends Scalar>(text: string, values?: readonly Value[]) =>
      first(text, values).cells?.[0] as T | undefined,
    run: async (text, values = []) => {
      const { bind, statement } = prepare(text, values);
      return statement.run(...bind(values)).changes;
    },
    insert: async (table, rows, conflict = '') => {
      const [first] = rows;
      if (first === undefined) return 0;
      return sum(each(rows, Object.keys(first), inserting(table, first, conflict)));
    },
    insertIds: async (table, rows) => {
      const [first] = rows;
      if (first === undefined) return [];
      const added = each(rows, Object.keys(first), inserting(table, first, ''));
      return added.map(({ lastInsertRowid }) => Number(lastInsertRowid));
    },
    update: async (table, key, rows, condition = 'true') => {
      const [first] = rows;
      if (first === undefined) return [];
      const names = Object.keys(first).filter((name) => !key.includes(name));
      const set = names.map(isGiven).join(', ');
      const where = key.map(isGiven).join(' AND ');
      const text = `UPDATE ${table} AS t SET ${set} WHERE ${where} AND ${condition}`;
      const changed = each(rows, [...names, ...key], written(text));
      return changed.flatMap(({ changes }, i) => (changes > 0 ? i : []));
    },
    remove: async (table, rows) => {
      const [first] = rows;
      if (first === undefined) return 0;
      const names = Object.keys(first);
      const text = `DELETE FROM ${table} WHERE ${names.map(isGiven).join(' AND ')}`;
      return sum(each(rows, names, written(text)));
    },
    // The transaction has locked the whole file.
    lock: async () => {},
  };
}

function isGiven(field: string): string {
  return `${columnOf(field)} = ?`;
}

function sum(done: readonly { readonly changes: number }[]): number {
  return done.reduce((all, { changes }) => all + changes, 0);
}

interface Text {
  readonly pieces: readonly string[];
  readonly parameters: readonly { readonly n: number; readonly isList: boolean }[];
  readonly lists: readonly number[];
}

/** The parts that only PostgreSQL needs: locks on rows, and casts. */
const LOCKS = /\bFOR (?:NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)(?: OF \w+)?(?: SKIP LOCKED)?/g;
const CASTS = /::\w+(?:\[\])?/g;
const PARAMETERS = /= ANY ?\(\$(\d+)\)|\$(\d+)/g;

function readText(text: string): Text {
  const ours = text.replaceAll(LOCKS, '').replaceAll(CASTS, '');
  const parameters = [...ours.matchAll(PARAMETERS)].map(([, list, one]) => ({
    n: Number(list ?? one),
    isList: list !== undefined,
  }));
  return {
    pieces: ours.replaceAll(PARAMETERS, '\0').split('\0'),
    parameters,
    lists: parameters.filter(({ isList }) => isList).map(({ n }) => n),
  };
}

/** The size of the statement for a list: a power of two, or 0 for one parameter of JSON. */
function sizeFor({ length }: readonly Scalar[]): number {
  if (length > LIST_MAX) return 0;
  return length <= 1 ? 1 : 2 ** Math.ceil(Math.log2(length));
}

function prepareText(
  db: Database.Database,
  { parameters, pieces }: Text,
  sizes: readonly number[],
): Prepared {
  const left = [...sizes];
  const places = parameters.map(({ n, isList }) => ({
    n,
    size: isList ? left.shift() : undefined,
  }));
  const texts = places.map(
    ({ size }, i) => `${pieces[i]}${size === undefined ? '?' : listOf(size)}`,
  );
  const statement = db.prepare<Bound[]>(`${texts.join('')}${pieces.at(-1)}`);
  const bind = (values: readonly Value[]): Bound[] => {
    const bound: Bound[] = [];
    for (const { n, size } of places) {
      const value = values[n - 1] ?? null;
      if (!isList(value)) bound.push(toBound(value));
      else if (size === 0) bound.push(toJson(value));
      // The rest of the size repeats the last value; for an empty list it is null.
      else
        for (let i = 0; i < (size ?? 0); i += 1)
          bound.push(toBound(value[Math.min(i, value.length - 1)] ?? null));
    }
    return bound;
  };
  const toRow = statement.reader ? rowMaker(statement.raw().columns()) : () => ({});
  return { statement, bind, toRow };
}

function listOf(size: number): string {
  if (size > 0) return `IN (${Array.from({ length: size }, () => '?').join(', ')})`;
  return "IN (SELECT iif(type = 'array', unhex(value ->> 0), value) FROM json_each(?))";
}

function isList(value: Value): value is readonly Scalar[] {
  return Array.isArray(value);
}

function toBound(value: Scalar): Bound {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** Bytes are hexadecimal digits within an array of their own. */
function toJson(list: readonly Scalar[]): string {
  return JSON.stringify(
    list.map((value) =>
      value instanceof Uint8Array ? [Buffer.from(value).toString('hex')] : value,
    ),
  );
}
