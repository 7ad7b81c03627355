import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seeRun } from '../../../src/app/results/see-run.js';
import { tellOpenCharges } from '../../../src/model/report/open-charges.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { heldLead, startWaterfall } from '../../contract/waterfalls.js';
import { asked, COLUMNS } from '../../helpers/leads.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const T0 = 1_700_000_000_000;
const TIMES = { at: T0, freshSince: T0 - 1_000, deadlineAt: T0 + 60_000 };

it('sums what the steps of a waterfall may still be charged for', async () => {
  const store = openSqliteStore(join(tempFolder(), 'state.db'));
  const { held, steps } = await startWaterfall(store, { prices: { find_email: 3 } });
  const cells = { columns: COLUMNS, rejects: [] };
  await store.ingest(held.id, { ...cells, leads: [heldLead(1, 'ada'), heldLead(2, 'bob')] }, TIMES);
  for (const [n, { id }] of steps.slice(0, 2).entries()) {
    await store.ingest(id, { ...cells, leads: [asked(n + 1, `who ${n}`)] }, TIMES);
    await store.claim(id, 1, T0);
  }
  await store.recover(held.id);
  const { charges, run, tally } = await seeRun(store, held);
  expect(charges).toEqual({ requests: 2, credits: 6 });
  expect(tellOpenCharges(charges, run, tally)).toBe(
    'up to 6 more may have been charged, for 2 requests without an answer',
  );
  await store.close();
});
