import type { StoredList } from '../ports/store/contact-lists.js';
import type { Sql } from './sql.js';
import { read, type Verbs, write } from './verb.js';

/** Makes the lists of these runs start over, because the answers of their leads change. No lead is added twice. */
export async function revisitLists(sql: Sql, runIds: readonly number[]): Promise<void> {
  await sql.run(
    'UPDATE lists SET position = 0, added = 0, already_in = 0 WHERE run_id = ANY ($1)',
    [runIds],
  );
}

export const listVerbs = {
  findList: read(async (sql, runId) => (await listOf(sql, runId)) ?? null),
  wantList: write(async (sql, runId, name) => {
    await sql.insert('lists', [{ runId, name }], 'ON CONFLICT (run_id) DO NOTHING');
    return (await listOf(sql, runId)) as StoredList;
  }),
  beginList: write('paying', async (sql, id) => {
    const begin = `UPDATE lists SET state = 'creating' WHERE id = $1 AND state = 'wanted'`;
    return (await sql.run(begin, [id])) > 0;
  }),
  recordList: write('saving', async (sql, id, record) => {
    const state = record.kind === 'unsent' ? 'wanted' : record.kind;
    const created = record.kind === 'created' ? record : null;
    const isOpen = created?.isStated
      ? "(state <> 'created' OR position = 0)"
      : "state = 'creating'";
    const changed = await sql.run(
      `UPDATE lists SET state = $1, list_id = $2, reason = $3 WHERE id = $4 AND ${isOpen}`,
      [state, created?.listId ?? null, record.kind === 'uncertain' ? record.reason : null, id],
    );
    return changed > 0;
  }),
  advanceList: write(async (sql, id, { position, added, alreadyIn }) => {
    await sql.run(
      `UPDATE lists SET position = $1, added = added + $2, already_in = already_in + $3 WHERE id = $4`,
      [position, added, alreadyIn, id],
    );
  }),
} satisfies Partial<Verbs>;

function listOf(sql: Sql, runId: number): Promise<StoredList | undefined> {
  return sql.row('SELECT * FROM lists WHERE run_id = $1', [runId]);
}
