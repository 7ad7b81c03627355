// Contact lists: what is wanted, what is known to exist, and how far the leads are in.
import type Database from 'better-sqlite3';
import type { ListRecord, StoredList } from '../../ports/store/contact-lists.js';
import { atomic } from '../database/atomic.js';

/**
 * Leads that were looked at get other answers: all are looked at once more, which adds nobody twice.
 * Parameter: the run.
 */
export const REVISIT_LIST =
  'UPDATE lists SET position = 0, added = 0, already_in = 0 WHERE run_id = ?';

export function prepareLists(db: Database.Database) {
  const byRun = db.prepare<[number], StoredList>(
    `SELECT id, run_id AS runId, name, state, list_id AS listId, reason, position, added,
       already_in AS alreadyIn
     FROM lists WHERE run_id = ?`,
  );
  const insert = db.prepare<[number, string]>(
    'INSERT OR IGNORE INTO lists (run_id, name) VALUES (?, ?)',
  );
  const begin = db.prepare<[number]>(
    `UPDATE lists SET state = 'creating' WHERE id = ? AND state = 'wanted'`,
  );
  const create = db.prepare<[string, number]>(
    `UPDATE lists SET state = 'created', list_id = ?, reason = NULL WHERE id = ? AND state = 'creating'`,
  );
  const want = db.prepare<[number]>(
    `UPDATE lists SET state = 'wanted' WHERE id = ? AND state = 'creating'`,
  );
  const doubt = db.prepare<[string, number]>(
    `UPDATE lists SET state = 'uncertain', reason = ? WHERE id = ? AND state = 'creating'`,
  );
  const adopt = db.prepare<[string, number]>(
    `UPDATE lists SET state = 'created', list_id = ?, reason = NULL
     WHERE id = ? AND (state <> 'created' OR position = 0)`,
  );
  const advance = db.prepare<[number, number, number, number]>(
    `UPDATE lists SET position = ?, added = added + ?, already_in = already_in + ? WHERE id = ?`,
  );

  return {
    want: atomic(db, (runId: number, name: string): StoredList => {
      insert.run(runId, name);
      return byRun.get(runId) as StoredList;
    }),
    find: (runId: number): StoredList | null => byRun.get(runId) ?? null,
    begin: (id: number): boolean => begin.run(id).changes > 0,
    record: (id: number, record: ListRecord): void => {
      switch (record.kind) {
        case 'created':
          create.run(record.listId, id);
          break;
        case 'unsent':
          want.run(id);
          break;
        case 'uncertain':
          doubt.run(record.reason, id);
          break;
      }
    },
    adopt: (id: number, listId: string): boolean => adopt.run(listId, id).changes > 0,
    advance: (
      id: number,
      progress: { readonly position: number; readonly added: number; readonly alreadyIn: number },
    ): void => void advance.run(progress.position, progress.added, progress.alreadyIn, id),
  };
}
