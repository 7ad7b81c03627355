// What a look over all rows has to remember, and memory may not hold: which keys were there before. A database of its
// own, which has no name: SQLite keeps it in its temporary folder, and the system removes it with the process.
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { SluiceError } from '../model/errors.js';

export interface Scratch {
  /**
   * Whether this text comes for the first time.
   * @throws SluiceError `output` where there is no room for it
   */
  isNew(text: string): boolean;
  close(): void;
}

export function openScratch(): Scratch {
  return orProblem(() => {
    const db = new Database('');
    // Nobody reads it after a crash.
    db.pragma('journal_mode = OFF');
    db.pragma('synchronous = OFF');
    db.exec('CREATE TABLE seen (digest BLOB PRIMARY KEY) WITHOUT ROWID');
    const see = db.prepare<[Buffer]>('INSERT OR IGNORE INTO seen VALUES (?)');
    return {
      isNew: (text) => orProblem(() => see.run(digestOf(text)).changes === 1),
      close: () => void db.close(),
    };
  });
}

/** Of one length, however long the text is. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, 16);
}

function orProblem<T>(act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (!(cause instanceof Database.SqliteError)) throw cause;
    throw new SluiceError(
      'output',
      `The temporary folder cannot be used (${cause.message}). Make room in it, or name another folder with TMPDIR or SQLITE_TMPDIR, and run the same command again.`,
      { reason: cause.code },
      { cause },
    );
  }
}
