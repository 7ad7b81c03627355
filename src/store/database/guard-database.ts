// Makes a verb a promise, and an SQLite failure a sentence a person can act on.
import Database from 'better-sqlite3';
import { SluiceError } from '../../model/errors.js';

/** Of what is broken beyond mending. */
export const RESTORE = 'Restore it from a backup (made by sluice backup)';
export const NEW_ONE = 'Another file, named with --state, knows nothing of what is paid for.';

const WHAT_TO_DO: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'the disk is full. Make room and run the same command again: it continues',
  SQLITE_BUSY:
    'another process has kept it locked for 10 s. Run the same command again: it continues',
  SQLITE_READONLY: 'it is read-only. Make it writable and run the same command again: it continues',
  SQLITE_CORRUPT: `it is damaged. ${RESTORE}`,
  SQLITE_NOTADB: `it is not a state file any more. ${RESTORE}`,
};

/** Wraps verbs of the state file at `path`. */
export function guardDatabase(path: string) {
  return <A extends unknown[], R>(verb: (...args: A) => R | Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await verb(...args);
      } catch (error) {
        if (!(error instanceof Database.SqliteError)) throw error;
        // SQLITE_IOERR_WRITE and the like are all told as what they begin with.
        const known = Object.keys(WHAT_TO_DO).find((code) => error.code.startsWith(code));
        if (known === undefined && !error.code.startsWith('SQLITE_IOERR')) throw error;
        const what =
          known === undefined
            ? `the disk failed (${error.code}). Check it and run the same command again: it continues`
            : WHAT_TO_DO[known];
        throw new SluiceError(
          'store',
          `The state file ${path} cannot be used: ${what}.`,
          { path, reason: error.code },
          { cause: error },
        );
      }
    };
}
