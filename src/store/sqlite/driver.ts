// The driver of SQLite (src/store/sql.ts). A process performs one transaction on a file after another, whichever of its
// connections they are of: one that waited in SQLite for another of its own process would keep that from going on. A
// transaction waits for nothing but its own statements, which SQLite answers at once.
//
// Verbs that are called in one turn of the event loop may share a transaction, and so one sync to disk: a sync takes
// longer than a hundred rows.
import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { Row, Scalar, Sql, Value } from '../sql.js';

type Bound = string | number | Uint8Array | null;

/** Beyond so many values a list is one parameter of JSON. */
const LIST_MAX = 512;

export interface Connection {
  /** It takes the write lock at once: one that began by reading could find that another process was faster. */
  readonly write: <R>(work: (sql: Sql) => Promise<R>) => Promise<R>;
  /** Reads that agree with one another. Other processes may write meanwhile. */
  readonly read: <R>(work: (sql: Sql) => Promise<R>) => Promise<R>;
  /** A write that may share its transaction with others. It is durable when it resolves. */
  readonly join: <R>(work: (sql: Sql) => Promise<R>) => Promise<R>;
  /** When nothing else is at work, outside of a transaction. */
  readonly alone: <R>(work: () => R) => Promise<R>;
  /** Everything that was called is done then. */
  readonly end: () => Promise<void>;
}

interface Waiting {
  readonly perform: (sql: Sql) => Promise<void>;
  /** Hands its result to the caller. */
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The last transaction of this process on each file, by what the file system knows it by: it may have several paths. */
const LAST = new Map<string, Promise<unknown>>();

export function connect(db: Database.Database): Connection {
  const sql = statementsOn(db);
  const { dev, ino } = statSync(db.name, { bigint: true });
  const file = `${dev} ${ino}`;
  let waiting: Waiting[] = [];

  /** After everything that was called before. */
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
      // Some failures have ended it already.
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
      // Nothing of the group was done. A verb that fails must not take the others with it; a file that is locked, or a
      // disk that fails, fails them all.
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

/** A statement as it is written for both databases, and what SQLite is given. */
interface Prepared {
  readonly statement: Database.Statement<Bound[]>;
  readonly bind: (values: readonly Value[]) => Bound[];
  /** Of one that reads: from a row as it comes, an array, to an object. That takes half the time of better-sqlite3's own. */
  readonly toRow: (cells: readonly unknown[]) => object;
}

function statementsOn(db: Database.Database): Sql {
  const texts = new Map<string, Text>();
  const prepared = new Map<string, Prepared>();
  const written = new Map<string, Database.Statement<Bound[]>>();

  const prepare = (text: string, values: readonly Value[]): Prepared => {
    let read = texts.get(text);
    if (read === undefined) {
      read = readText(text);
      texts.set(text, read);
    }
    const sizes = read.lists.map((n) => sizeFor(values[n - 1] as readonly Scalar[]));
    const key = sizes.length === 0 ? text : `${sizes.join()} ${text}`;
    let found = prepared.get(key);
    if (found === undefined) {
      found = prepareText(db, read, sizes);
      prepared.set(key, found);
    }
    return found;
  };
  const write = (table: string, text: string): Database.Statement<Bound[]> => {
    const key = `${table} ${text}`;
    let statement = written.get(key);
    if (statement === undefined) {
      statement = db.prepare<Bound[]>(text);
      written.set(key, statement);
    }
    return statement;
  };
  const inserting = (table: string, row: Row, rest: string): Database.Statement<Bound[]> => {
    const names = Object.keys(row);
    return write(
      table,
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) ${rest}`,
    );
  };
  const each = (
    rows: readonly Row[],
    names: readonly string[],
    statement: Database.Statement<Bound[]>,
  ): number => {
    let changes = 0;
    for (const row of rows) {
      changes += statement.run(...names.map((name) => toBound(row[name] ?? null))).changes;
    }
    return changes;
  };

  return {
    kind: 'sqlite',
    rows: async <R extends object>(text: string, values: readonly Value[] = []) => {
      const { bind, statement, toRow } = prepare(text, values);
      return (statement.all(...bind(values)) as unknown[][]).map(toRow) as R[];
    },
    row: async <R extends object>(text: string, values: readonly Value[] = []) => {
      const { bind, statement, toRow } = prepare(text, values);
      const cells = statement.get(...bind(values)) as unknown[] | undefined;
      return cells === undefined ? undefined : (toRow(cells) as R);
    },
    run: async (text, values = []) => {
      const { bind, statement } = prepare(text, values);
      return statement.run(...bind(values)).changes;
    },
    insert: async (table, rows, conflict = '') => {
      const [first] = rows;
      if (first === undefined) return 0;
      return each(rows, Object.keys(first), inserting(table, first, conflict));
    },
    insertIds: async (table, rows) => {
      const [first] = rows;
      if (first === undefined) return [];
      const statement = inserting(table, first, '');
      const names = Object.keys(first);
      return rows.map((row) =>
        Number(statement.run(...names.map((name) => toBound(row[name] ?? null))).lastInsertRowid),
      );
    },
    update: async (table, key, rows) => {
      const [first] = rows;
      if (first === undefined) return 0;
      const names = Object.keys(first).filter((name) => !key.includes(name));
      const set = names.map((name) => `${name} = ?`).join(', ');
      const where = key.map((name) => `${name} = ?`).join(' AND ');
      const text = `UPDATE ${table} SET ${set} WHERE ${where}`;
      return each(rows, [...names, ...key], write(table, text));
    },
    remove: async (table, rows) => {
      const [first] = rows;
      if (first === undefined) return 0;
      const names = Object.keys(first);
      const text = `DELETE FROM ${table} WHERE ${names.map((name) => `${name} = ?`).join(' AND ')}`;
      return each(rows, names, write(table, text));
    },
    // The transaction has the whole file.
    lock: async () => {},
  };
}

/** A text in SQLite's words: pieces with a parameter between each two. */
interface Text {
  readonly pieces: readonly string[];
  readonly parameters: readonly { readonly n: number; readonly isList: boolean }[];
  /** The numbers of those that are lists. */
  readonly lists: readonly number[];
}

/** What only PostgreSQL needs: locks on rows, and the types of what it cannot guess. */
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

/** A statement for each power of two, and one for JSON: 0. */
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
      // What is left of the size holds the last value again; of an empty list, nothing.
      else
        for (let i = 0; i < (size ?? 0); i += 1)
          bound.push(toBound(value[Math.min(i, value.length - 1)] ?? null));
    }
    return bound;
  };
  return { statement, bind, toRow: rowMaker(statement) };
}

function rowMaker(statement: Database.Statement<Bound[]>): Prepared['toRow'] {
  if (!statement.reader) return (cells) => cells;
  const names = statement
    .raw()
    .columns()
    .map(({ name }) => name);
  return (cells) => {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < names.length; i += 1) row[names[i] as string] = cells[i];
    return row;
  };
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

/** Bytes within an array of their own, by their digits. */
function toJson(list: readonly Scalar[]): string {
  return JSON.stringify(
    list.map((value) =>
      value instanceof Uint8Array ? [Buffer.from(value).toString('hex')] : value,
    ),
  );
}
