// A verb that reads a whole table is fast in every test and slow in every real run: the plans are checked.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, vi } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { tempFolder } from '../../helpers/temp-folder.js';
import { liveThrough } from '../live-through.js';

/** Small by nature: what is open, what is pending, and a single key. */
const MAY_BE_SCANNED =
  /^SCAN (pending_deliveries|signing_key|json_each|pauses|CONSTANT ROW)\b/;

it('the statements of the hot verbs never scan a table, and sort nothing', async () => {
  const path = join(tempFolder(), 'plans.db');
  const prepare = vi.spyOn(Database.prototype, 'prepare');
  const store = openSqliteStore(path);
  await liveThrough(store, 50);
  await store.close();
  const texts = new Set(prepare.mock.calls.map(([text]) => text));
  prepare.mockRestore();

  const db = new Database(path);
  const odd = [...texts].flatMap((text) => {
    const plan = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`);
    const parameters = Array.from(text.matchAll(/\?/g), () => 1);
    return plan
      .all(...parameters)
      .map(({ detail }) => detail)
      .filter(
        (detail) =>
          (detail.startsWith('SCAN') && !MAY_BE_SCANNED.test(detail)) ||
          detail.includes('TEMP B-TREE FOR ORDER BY'),
      )
      .map((detail) => `${detail}: ${text}`);
  });
  db.close();
  expect(texts.size).toBeGreaterThan(30);
  expect(odd).toEqual([]);
});
