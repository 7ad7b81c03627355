// Reads and sets the mark of a state that was moved or is being filled. ../moved.ts says what the mark means.
import type { CopyMark, StateArchive } from '../../ports/store/archive.js';
import { MARK_COLUMNS, type MarkRow, refuseMoved, toMark } from '../moved.js';
import type { Sql, Transactions, Verbs } from '../sql.js';

const MARK = `SELECT ${MARK_COLUMNS} FROM identity`;

export async function readMark(sql: Sql): Promise<CopyMark | null> {
  return toMark(await sql.row<MarkRow>(MARK));
}

/**
 * Keeps the state from being marked until the transaction ends. (While another process marks it, this waits, and sees
 * the mark.)
 * @throws SluiceError `store` if the state was moved since it was opened
 */
export async function holdUnmoved(sql: Sql, place: string): Promise<void> {
  refuseMoved(place, toMark(await sql.row<MarkRow>(`${MARK} FOR SHARE`)));
}

export const markReads = {
  movedTo: async (sql) => (await readMark(sql))?.place ?? null,
} satisfies Partial<Verbs>;

type Marks = Pick<StateArchive, 'mark' | 'setMark' | 'noteWhole' | 'removeMark'>;

export function marksOf(database: Pick<Transactions, 'perform'>): Marks {
  const change = async (text: string, ...values: string[]): Promise<boolean> =>
    (await database.perform((sql) => sql.run(text, values), { kind: 'write' })) > 0;
  return {
    mark: () => database.perform(readMark, { kind: 'snapshot' }),
    setMark: ({ kind, place, token }) =>
      change(
        `UPDATE identity SET ${kind === 'source' ? 'moved_to' : 'filled_from'} = $1, copy_token = $2
         WHERE moved_to IS NULL AND filled_from IS NULL`,
        place,
        token,
      ),
    noteWhole: (token) =>
      change(
        'UPDATE identity SET is_whole = true WHERE moved_to IS NOT NULL AND copy_token = $1',
        token,
      ),
    removeMark: async (token) => {
      await change(
        `UPDATE identity SET moved_to = NULL, filled_from = NULL, copy_token = NULL
         WHERE copy_token = $1 AND NOT is_whole`,
        token,
      );
    },
  };
}
