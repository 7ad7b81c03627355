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

/** `first`: the first row with the same ticket. */
const SCHEMA = `
  CREATE TABLE kept (number INTEGER PRIMARY KEY, first INTEGER NOT NULL, text TEXT NOT NULL);
  CREATE INDEX kept_by_first ON kept (first);
  CREATE TABLE tickets (digest BLOB PRIMARY KEY, first INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE noted (digest BLOB PRIMARY KEY) WITHOUT ROWID;`;

export function openInvoiceScratch(): InvoiceScratch {
  return orProblem(() => {
    const db = openScratchDatabase(SCHEMA);
    const addTicket = db.prepare<[Buffer, number]>('INSERT OR IGNORE INTO tickets VALUES (?, ?)');
    const add = db.prepare<[number, string, Buffer]>(
      'INSERT INTO kept SELECT ?, first, ? FROM tickets WHERE digest = ?',
    );
    const firsts = db
      .prepare<[number, number], number>(
        'SELECT number FROM kept WHERE number > ? AND number = first ORDER BY number LIMIT ?',
      )
      .pluck();
    const rows = db
      .prepare<[number], string>('SELECT text FROM kept WHERE first = ? ORDER BY number')
      .pluck();
    const note = db.prepare<[Buffer]>('INSERT OR IGNORE INTO noted VALUES (?)');
    const noted = db.prepare<[Buffer]>('SELECT 1 FROM noted WHERE digest = ?');
    let count = 0;
    return {
      keep: (ticket, row) =>
        orProblem(() => {
          count += 1;
          const digest = digestOf(ticket);
          addTicket.run(digest, count);
          add.run(count, row, digest);
        }),
      tickets: (after, limit) =>
        orProblem(() =>
          firsts.all(after, limit).map((number) => ({ number, rows: rows.all(number) })),
        ),
      note: (name) => void orProblem(() => note.run(digestOf(name))),
      isNoted: (name) => orProblem(() => noted.get(digestOf(name)) !== undefined),
      close: () => void db.close(),
    };
  });
}
