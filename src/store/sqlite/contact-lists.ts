// Contact lists: which lists are wanted, which are known to exist, and how far the leads are in.
import type Database from 'better-sqlite3';
import type { StoredList, StoredListState } from '../../ports/store/contact-lists.js';
import { atomic, type Verbs } from './database/transactions.js';

/** The answers of leads change: all leads are looked at again, which adds none twice. Parameter: the run. */
export const REVISIT_LIST =
  'UPDATE lists SET position = 0, added = 0, already_in = 0 WHERE run_id = ?';

export function prepareContactLists(db: Database.Database) {
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
  const record = db.prepare<[StoredListState, string | null, string | null, number]>(
    `UPDATE lists SET state = ?, list_id = ?, reason = ? WHERE id = ? AND state = 'creating'`,
  );
  const adopt = db.prepare<[string, number]>(
    `UPDATE lists SET state = 'created', list_id = ?, reason = NULL
     WHERE id = ? AND (state <> 'created' OR position = 0)`,
  );
  const advance = db.prepare<[number, number, number, number]>(
    `UPDATE lists SET position = ?, added = added + ?, already_in = already_in + ? WHERE id = ?`,
  );

  return {
    wantList: atomic(db, (runId, name) => {
      insert.run(runId, name);
      return byRun.get(runId) as StoredList;
    }),
    findList: (runId) => byRun.get(runId) ?? null,
    beginList: (id) => begin.run(id).changes > 0,
    recordList: (id, fate) => {
      const state = fate.kind === 'unsent' ? 'wanted' : fate.kind;
      const listId = fate.kind === 'created' ? fate.listId : null;
      record.run(state, listId, fate.kind === 'uncertain' ? fate.reason : null, id);
    },
    adoptList: (id, listId) => adopt.run(listId, id).changes > 0,
    advanceList: (id, { position, added, alreadyIn }) =>
      void advance.run(position, added, alreadyIn, id),
  } satisfies Partial<Verbs>;
}
