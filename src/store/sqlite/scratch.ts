// Facts that a pass over all rows has to remember, and that may not fit into memory: the keys seen before, and each
// company. They are in a database of its own without a name: SQLite keeps it in its temporary folder, and the system
// removes it with the process.
import { createHash } from 'node:crypto';
import { SluiceError } from '../../model/errors.js';
import { COMPANY_FIELDS, type Company } from '../../model/result.js';
import Database from './database/better-sqlite3.js';

export interface Scratch {
  /** @throws SluiceError `output` if there is no room for it */
  isNew(text: string): boolean;
  /** For each field the first value that is not empty stays. */
  addCompany(key: string, company: Company): void;
  /** Up to `limit` companies after the `after`-th, in the order in which each first came. */
  companies(after: number, limit: number): readonly StoredCompany[];
  close(): void;
}

export interface StoredCompany {
  /** Counts from 1. */
  readonly number: number;
  readonly key: string;
  readonly company: Company;
}

export function openScratch(): Scratch {
  return orProblem(() => {
    const db = openScratchDatabase(SCHEMA);
    const see = db.prepare<[Buffer]>('INSERT OR IGNORE INTO seen VALUES (?)');
    return {
      isNew: (text) => orProblem(() => see.run(digestOf(text)).changes === 1),
      ...prepareCompanies(db),
      close: () => void db.close(),
    };
  });
}

/** Opens a database without a name; `orProblem` says what to do if there is no room for it. */
export function openScratchDatabase(schema: string): Database.Database {
  const db = new Database('');
  // The database is not read after a crash.
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.exec(schema);
  // The transaction never ends: each end would write all changes.
  db.exec('BEGIN');
  return db;
}

const FIELDS = Object.keys(COMPANY_FIELDS);
const SCHEMA = `
  CREATE TABLE seen (digest BLOB PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE companies (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, ${FIELDS.join(', ')});`;

type Cell = string | number | null;
type CompanyRow = { readonly number: number; readonly key: string } & Record<string, Cell>;

function prepareCompanies(db: Database.Database): Pick<Scratch, 'addCompany' | 'companies'> {
  const add = db.prepare<Cell[]>(
    `INSERT INTO companies (key, ${FIELDS.join(', ')}) VALUES (?${', ?'.repeat(FIELDS.length)})
     ON CONFLICT (key) DO UPDATE SET ${FIELDS.map((name) => `${name} = coalesce(${name}, excluded.${name})`).join(', ')}`,
  );
  const page = db.prepare<[number, number], CompanyRow>(
    'SELECT * FROM companies WHERE number > ? ORDER BY number LIMIT ?',
  );
  return {
    addCompany: (key, company) => {
      const cells: Readonly<Record<string, Cell | undefined>> = company;
      orProblem(() => add.run(key, ...FIELDS.map((name) => cells[name] || null)));
    },
    companies: (after, limit) =>
      orProblem(() => page.all(after, limit)).map(({ number, key, ...cells }) => ({
        number,
        key,
        company: Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== null)),
      })),
  };
}

export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, 16);
}

/** @throws SluiceError `output` if SQLite cannot do it */
export function orProblem<T>(act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (!(cause instanceof Database.SqliteError)) throw cause;
    throw new SluiceError(
      'output',
      `The temporary folder cannot be used (${cause.message}). Make room in it, or name another folder with TMPDIR or SQLITE_TMPDIR, and run the same command again.`,
      {},
      { cause },
    );
  }
}
