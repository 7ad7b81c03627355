// The cells of leads lie many in a row: each lead has its own, also where the row was changed since it was read.
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createPersonMatch } from '../../../src/model/person-match.js';
import Database from '../../../src/store/sqlite/database/better-sqlite3.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { TIMES } from '../../contract/store-bench.js';
import { COLUMNS, runPlan, skippedLead } from '../../helpers/leads.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const path = join(tempFolder(), 'state.db');
const store = openSqliteStore(path);
afterAll(() => store.close());

const LEADS = 1_100;
const nameOf = (position: number) => `lead${position}@example.com`;

it('a batch of any size is rows of 500 leads at most, and each lead has its cells, a few read at a time', async () => {
  const { id } = await store.startRun(runPlan(), 1);
  const leads = Array.from({ length: LEADS }, (_, i) => ({
    ...skippedLead(i + 1, 'no name'),
    cells: [nameOf(i + 1)],
  }));
  await store.ingest(id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
  const cells: unknown[] = [];
  for (let after = 0; after < LEADS; after += 70) {
    for (const answer of await store.answers(id, { after, limit: 70 })) cells.push(answer.cells[0]);
  }
  expect(cells).toEqual(leads.map((lead) => lead.cells[0]));
  const db = new Database(path, { readonly: true });
  const blocks = db.prepare('SELECT first_position FROM lead_cells ORDER BY 1').pluck().all();
  db.close();
  expect(blocks).toEqual([1, 501, 1_001]);
});

it('a lead that another process forgot meanwhile is forgotten', async () => {
  const cellsOf = async (after: number) => (await store.answers(1, { after, limit: 1 }))[0]?.cells;
  await store.endRun(1, 'cancelled', 2);
  expect(await cellsOf(699)).toEqual([nameOf(700)]);
  const other = openSqliteStore(path);
  const match = createPersonMatch([{ kind: 'email', spellings: [nameOf(701)] }]);
  expect(await other.forget(match, 3, true)).toMatchObject({ leads: 1 });
  await other.close();
  expect(await cellsOf(700)).toEqual([]);
  expect(await cellsOf(701)).toEqual([nameOf(702)]);
});
