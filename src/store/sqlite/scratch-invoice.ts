// The rows of a list of charges, which may not fit into memory: kept in their order, and read again a ticket at a time.
import { digestOf, openScratchDatabase, orProblem } from './scratch.js';

/** @throws SluiceError `output` from every method, if there is no room */
export interface InvoiceScratch {
  /** As well-formed text. */
  keep(ticket: string, row: string): void;
  /** The rows of up to `limit` tickets after the `after`-th row, in the order in which their tickets first came. */
  tickets(after: number, limit: number): readonly KeptTicket[];
  note(name: string): void;
  isNoted(name: string): boolean;
  close(): void;
}

export interface KeptTicket {
  /** The number of its first row, from 1 on. */
  readonly number: number;
  readonly rows: readonly string[];
}

const SCHEMA = `
  CREATE TABLE kept (number INTEGER PRIMARY KEY, text TEXT NOT NULL);
  CREATE TABLE tickets (digest BLOB PRIMARY KEY, first INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE firsts (number INTEGER PRIMARY KEY);
  CREATE TABLE repeats (first INTEGER, number INTEGER, PRIMARY KEY (first, number)) WITHOUT ROWID;
  CREATE TABLE noted (digest BLOB PRIMARY KEY) WITHOUT ROWID;`;

export function openInvoiceScratch(): InvoiceScratch {
  return orProblem(() => {
    const db = openScratchDatabase(SCHEMA);
    const add = db.prepare<[number, string]>('INSERT INTO kept VALUES (?, ?)');
    const addTicket = db.prepare<[Buffer, number]>('INSERT OR IGNORE INTO tickets VALUES (?, ?)');
    const addFirst = db.prepare<[number]>('INSERT INTO firsts VALUES (?)');
    const addRepeat = db.prepare<[number, Buffer]>(
      'INSERT INTO repeats SELECT first, ? FROM tickets WHERE digest = ?',
    );
    const firsts = db
      .prepare<[number, number], number>(
        'SELECT number FROM firsts WHERE number > ? ORDER BY number LIMIT ?',
      )
      .pluck();
    const rows = db
      .prepare<[number, number], string>(
        `SELECT text FROM kept WHERE number = ?
         UNION ALL SELECT text FROM repeats JOIN kept USING (number) WHERE first = ?`,
      )
      .pluck();
    const note = db.prepare<[Buffer]>('INSERT OR IGNORE INTO noted VALUES (?)');
    const noted = db.prepare<[Buffer]>('SELECT 1 FROM noted WHERE digest = ?');
    let count = 0;
    return {
      keep: (ticket, row) =>
        orProblem(() => {
          count += 1;
          add.run(count, row);
          const digest = digestOf(ticket);
          if (addTicket.run(digest, count).changes === 1) addFirst.run(count);
          else addRepeat.run(count, digest);
        }),
      tickets: (after, limit) =>
        orProblem(() =>
          firsts.all(after, limit).map((number) => ({ number, rows: rows.all(number, number) })),
        ),
      note: (name) => void orProblem(() => note.run(digestOf(name))),
      isNoted: (name) => orProblem(() => noted.get(digestOf(name)) !== undefined),
      close: () => void db.close(),
    };
  });
}
