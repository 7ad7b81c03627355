// The mark of a state that was moved, or is being filled: it stands in the row of its identity.
import type { CopyMark, StateArchive } from '../../ports/store/archive.js';
import { MARK_COLUMNS, type MarkRow, refuseMoved, toMark } from '../moved.js';
import type { Database, Sql } from './database/database.js';
import type { Verbs } from './verbs.js';

const MARK = `SELECT ${MARK_COLUMNS} FROM identity`;

async function readMark(sql: Sql): Promise<CopyMark | null> {
  return toMark(await sql.row<MarkRow>(MARK));
}

/**
 * Until the transaction ends, the state is not marked. (Where it is being marked, this waits, and sees the mark.)
 * @throws SluiceError `store` where it was moved since it was opened
 */
export async function holdUnmoved(sql: Sql, shown: string): Promise<void> {
  refuseMoved(shown, toMark(await sql.row<MarkRow>(`${MARK} FOR SHARE`)));
}

export const markReads = {
  movedTo: async (sql) => (await readMark(sql))?.place ?? null,
} satisfies Partial<Verbs>;

type Marks = Pick<StateArchive, 'mark' | 'setMark' | 'noteWhole' | 'removeMark'>;

export function marksOf(database: Database): Marks {
  const write = <R>(work: (sql: Sql) => Promise<R>) => database.perform(work, { kind: 'write' });
  return {
    mark: () => database.perform(readMark, { kind: 'snapshot' }),
    setMark: ({ kind, place, token }) =>
      write(async (sql) => {
        const column = kind === 'source' ? 'moved_to' : 'filled_from';
        const changed = await sql.run(
          `UPDATE identity SET ${column} = $1, copy_token = $2, is_whole = false
           WHERE moved_to IS NULL AND filled_from IS NULL`,
          [place, token],
        );
        return changed > 0;
      }),
    noteWhole: (token) =>
      write(async (sql) => {
        const changed = await sql.run(
          'UPDATE identity SET is_whole = true WHERE moved_to IS NOT NULL AND copy_token = $1',
          [token],
        );
        return changed > 0;
      }),
    removeMark: (token) =>
      write(async (sql) => {
        await sql.run(
          `UPDATE identity SET moved_to = NULL, filled_from = NULL, copy_token = NULL
           WHERE copy_token = $1 AND NOT is_whole`,
          [token],
        );
      }),
  };
}
