import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { STRAYS } from '../../../../src/store/maintenance/strays.js';
import Database from '../../../../src/store/sqlite/database/better-sqlite3.js';
import { openSqliteStore } from '../../../../src/store/sqlite/open-sqlite-store.js';
import { asked, COLUMNS, runPlan } from '../../../helpers/leads.js';
import { changeForeign, countRows } from '../../../helpers/state.js';
import { tempFolder } from '../../../helpers/temp-folder.js';

const T0 = 1_700_000_000_000;
const TIMES = { at: T0, freshSince: 0, deadlineAt: T0 + 9 };
/** Everything of T0 is old, and stale. */
const LATER = { at: T0 + 9, before: T0 + 1, freshSince: T0 + 1 };

const tracesIn = (path: string): number =>
  readFileSync(path).toString('latin1').split('secret').length - 1;

it('overwrites what it removes, breaks no reference, and leaves no trace once the file is written anew', async () => {
  const path = join(tempFolder(), 'state.db');
  const store = openSqliteStore(path);
  const run = await store.startRun(runPlan(), T0);
  // Some are longer than a page.
  const cells = (i: number) => [`secret ${'x'.repeat(i % 3 === 0 ? 9_000 : 90)} secret`];
  const leads = Array.from({ length: 90 }, (_, i) => ({
    ...asked(i + 1, `secret ${i}`),
    cells: cells(i),
  }));
  const rejects = [{ source: 0, line: 99, reason: 'broken', raw: 'secret' }];
  await store.ingest(run.id, { columns: COLUMNS, leads, rejects }, TIMES);
  const claimed = (await store.claim(run.id, 60, T0)).claimed;
  const at = { at: T0, pollAt: T0, deadlineAt: T0 + 9 };
  await store.recordSubmits(
    claimed.map(({ id, send }) => ({ ...at, id, send, kind: 'accepted', ticket: `secret_${id}` })),
  );
  const result = { find_email: { email: 'secret@example.com', status: 'deliverable' } };
  await store.settle(
    claimed.map(({ id }) => ({ id, at: T0, outcome: 'found', result, credits: 5 })),
  );
  await store.endRun(run.id, 'cancelled', T0);
  const delivery = { scope: 'acc', enrichmentId: null, callId: null, receivedAt: T0 };
  const event = { id: 'act_1', type: 'emailsSent', at: T0 };
  await store.keepArrivals([
    { ...delivery, body: '["secret"]' },
    { ...delivery, body: '[]' },
    { scope: 'acc', receivedAt: T0, event, body: '"secret"' },
    { scope: 'acc', receivedAt: T0, event: { ...event, id: 'act_2' }, body: '{}' },
  ]);
  const steps = [{ kind: 'unknown', ticket: 'secret_x', enrichmentId: null }] as const;
  await store.handleDeliveries('acc', [{ id: 1, at: T0, steps }]);
  const next = await store.startRun(runPlan({ job: 'weekly' }), T0);
  await store.ingest(next.id, { columns: COLUMNS, leads: [asked(1, 'last')], rejects: [] }, TIMES);
  await store.close();
  const before = tracesIn(path);

  const again = openSqliteStore(path);
  while (!(await again.pruneSome(LATER, 7)).isDone);
  await again.close();
  // SQLite leaves copies of rows that it moved in the unused part of pages.
  expect(tracesIn(path)).toBeLessThan(before / 5);
  const db = new Database(path);
  expect(db.prepare(STRAYS).all()).toEqual([]);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  db.close();
  const last = openSqliteStore(path);
  await last.prune(LATER, true);
  await last.close();
  expect(tracesIn(path)).toBe(0);
});

it('that is cut off within a step has removed nothing by it, and the next one goes on', async () => {
  const path = join(tempFolder(), 'state.db');
  const store = openSqliteStore(path);
  const run = await store.startRun(runPlan(), T0);
  const leads = Array.from({ length: 9 }, (_, i) => asked(i + 1, `old ${i}`));
  await store.ingest(run.id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
  await store.endRun(run.id, 'cancelled', T0);
  await store.startRun(runPlan({ job: 'weekly' }), T0);
  const whole = await countRows(path);
  // The leads of the step are gone by then.
  changeForeign(
    path,
    "CREATE TRIGGER cut BEFORE DELETE ON enrichments BEGIN SELECT RAISE(ABORT, 'cut off'); END",
  );
  await expect(store.pruneSome(LATER, 1_000)).rejects.toThrow('cut off');
  expect(await countRows(path)).toEqual(whole);
  changeForeign(path, 'DROP TRIGGER cut');
  while (!(await store.pruneSome(LATER, 1_000)).isDone);
  // The last number must not come again.
  expect(await countRows(path)).toMatchObject({ leads: 0, enrichments: 1 });
  await store.close();
});
