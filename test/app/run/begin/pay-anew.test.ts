import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openElsewhere } from '../../../../src/app/run/begin/pay-anew.js';
import { digestHex } from '../../../../src/identity/digest.js';
import type { Run } from '../../../../src/model/run.js';
import type { Store } from '../../../../src/ports/store/store.js';
import { openSqliteStore } from '../../../../src/store/sqlite/open-sqlite-store.js';
import { runPlan } from '../../../helpers/leads.js';
import { tempFolder } from '../../../helpers/temp-folder.js';
import { TERMS } from '../../../helpers/test-run.js';

let store: Store;
beforeEach(() => {
  store = openSqliteStore(join(tempFolder(), 'state.db'));
});
afterEach(() => store.close());

const PLAN = runPlan({ account: 'own', address: 'here' });

/** Whether there is anywhere to look before this run. */
async function isOpened(open: Run | null, plan = PLAN): Promise<boolean> {
  const beginning = { plan, terms: TERMS, open, startedAt: 0 };
  return (await openElsewhere(store, beginning)) !== undefined;
}

it('is looked for until the user has agreed, or the run has read all its leads', async () => {
  await store.startRun(runPlan({ account: 'other', address: 'here', job: 'weekly' }), 0);
  expect(await isOpened(null)).toBe(true);
  const open = await store.startRun(PLAN, 0);
  expect(await isOpened(open)).toBe(true);
  expect(await isOpened({ ...open, paysAnew: true })).toBe(false);
  expect(await isOpened({ ...open, state: 'working' })).toBe(false);
});

it('is not looked for where there is nothing else, nor in the sandbox inside Sluice, nor there', async () => {
  expect(await isOpened(null)).toBe(false);
  const sandbox = digestHex('sandbox');
  await store.startRun(runPlan({ account: sandbox, address: sandbox, job: 'trial' }), 0);
  await store.startRun(runPlan({ account: 'other', address: 'there', job: 'weekly' }), 0);
  expect(await isOpened(null)).toBe(false);
  await store.startRun(runPlan({ account: 'old', job: 'monthly' }), 0);
  expect(await isOpened(null)).toBe(true);
  expect(await isOpened(null, runPlan({ account: 'other', address: sandbox }))).toBe(false);
});
