// Joins two lists by a key, of which neither may fit into memory. The first is kept in a database without a name
// (scratch.ts), and the entries of the second are looked up in it.
import { digestOf, openScratchDatabase, orProblem } from './scratch.js';

export type Met =
  | { readonly kind: 'pair'; readonly kept: string }
  | { readonly kind: 'alone' }
  /** The second list had the key before. */
  | { readonly kind: 'again' };

/** @throws SluiceError `output` from every method, if there is no room */
export interface PairScratch {
  /** Keeps an entry of the first list, as well-formed text. False if the key was there before: its text stays. */
  keep(key: string, kept: string): boolean;
  meet(key: string): Met;
  /** Up to `limit` entries of the first list after the `after`-th that were not looked up, in their order. */
  unmet(after: number, limit: number): readonly Kept[];
  /** Keeps a row for later. */
  keepRow(text: string): void;
  rows(after: number, limit: number): readonly Kept[];
  close(): void;
}

export interface Kept {
  /** Counts from 1. */
  readonly number: number;
  readonly kept: string;
}

/** Rows in the order of the list are appended; only the keys are scattered, and those are short. */
const SCHEMA = `
  CREATE TABLE kept (number INTEGER PRIMARY KEY, text TEXT NOT NULL);
  CREATE TABLE keys (digest BLOB PRIMARY KEY, number INTEGER, is_met INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE met (number INTEGER PRIMARY KEY);
  CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT NOT NULL);`;

const CACHE_KIB = 65_536;

interface KeyRow {
  readonly number: number | null;
  readonly is_met: 0 | 1;
}

export function openPairScratch(): PairScratch {
  return orProblem(() => {
    const db = openScratchDatabase(SCHEMA);
    db.pragma(`cache_size = -${CACHE_KIB}`);
    const addKey = db.prepare<[Buffer, number | null, 0 | 1]>(
      'INSERT OR IGNORE INTO keys VALUES (?, ?, ?)',
    );
    const addKept = db.prepare<[number, string]>('INSERT INTO kept VALUES (?, ?)');
    const find = db.prepare<[Buffer], KeyRow>('SELECT number, is_met FROM keys WHERE digest = ?');
    const mark = db.prepare<[Buffer]>('UPDATE keys SET is_met = 1 WHERE digest = ?');
    const addMet = db.prepare<[number]>('INSERT INTO met VALUES (?)');
    const text = db.prepare<[number], string>('SELECT text FROM kept WHERE number = ?').pluck();
    const unmet = db.prepare<[number, number], Kept>(
      `SELECT number, text AS kept FROM kept
       WHERE number > ? AND number NOT IN (SELECT number FROM met) ORDER BY number LIMIT ?`,
    );
    const addRow = db.prepare<[string]>('INSERT INTO rows (text) VALUES (?)');
    const rows = db.prepare<[number, number], Kept>(
      'SELECT number, text AS kept FROM rows WHERE number > ? ORDER BY number LIMIT ?',
    );
    let count = 0;

    const meet = (key: string): Met => {
      const digest = digestOf(key);
      const row = find.get(digest);
      if (row?.is_met === 1) return { kind: 'again' };
      if (row === undefined) {
        addKey.run(digest, null, 1);
        return { kind: 'alone' };
      }
      mark.run(digest);
      addMet.run(row.number ?? 0);
      return { kind: 'pair', kept: text.get(row.number ?? 0) ?? '' };
    };

    return {
      keep: (key, kept) =>
        orProblem(() => {
          if (addKey.run(digestOf(key), count + 1, 0).changes === 0) return false;
          count += 1;
          addKept.run(count, kept);
          return true;
        }),
      meet: (key) => orProblem(() => meet(key)),
      unmet: (after, limit) => orProblem(() => unmet.all(after, limit)),
      keepRow: (one) => orProblem(() => void addRow.run(one)),
      rows: (after, limit) => orProblem(() => rows.all(after, limit)),
      close: () => void db.close(),
    };
  });
}
