// The mark of a state file that was moved, or is being filled.
import type Database from 'better-sqlite3';
import type { CopyMark, StateArchive } from '../../../ports/store/archive.js';
import { MARK_COLUMNS, type MarkRow, refuseMoved, toMark } from '../../moved.js';

export function prepareReadMark(db: Database.Database): () => CopyMark | null {
  const read = db.prepare<[], MarkRow>(`SELECT ${MARK_COLUMNS} FROM moved`);
  return () => toMark(read.get());
}

/** The verb, inside its transaction, but for a state that was moved since it was opened. */
export function prepareUnlessMoved(db: Database.Database, path: string) {
  const read = prepareReadMark(db);
  return <A extends unknown[], R>(verb: (...args: A) => R) =>
    (...args: A): R => {
      refuseMoved(path, read());
      return verb(...args);
    };
}

type Marks = Pick<StateArchive, 'setMark' | 'noteWhole' | 'removeMark'>;

export function prepareMarks(db: Database.Database): Marks {
  const set = db.prepare<[string | null, string | null, string]>(
    'INSERT OR IGNORE INTO moved (id, moved_to, filled_from, copy_token) VALUES (1, ?, ?, ?)',
  );
  const noteWhole = db.prepare<[string]>(
    'UPDATE moved SET is_whole = 1 WHERE moved_to IS NOT NULL AND copy_token = ?',
  );
  const remove = db.prepare<[string]>('DELETE FROM moved WHERE copy_token = ? AND is_whole = 0');

  return {
    setMark: async ({ kind, place, token }) =>
      set.run(kind === 'source' ? place : null, kind === 'target' ? place : null, token).changes >
      0,
    noteWhole: async (token) => noteWhole.run(token).changes > 0,
    removeMark: async (token) => void remove.run(token),
  };
}
