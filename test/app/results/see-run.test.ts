import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seeRun } from '../../../src/app/results/see-run.js';
import { openRun } from '../../../src/app/run/begin/open-run.js';
import { tellOpenCharges } from '../../../src/model/report/open-charges.js';
import type { ClaimedEnrichment } from '../../../src/ports/store/enrichments.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { heldLead, startWaterfall } from '../../contract/waterfalls.js';
import { asked, COLUMNS, runPlan } from '../../helpers/leads.js';
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
  expect(tellOpenCharges(charges, run, tally)).toBe('2 requests without an answer may be charged');
  await store.close();
});

it('shows what a run that was replaced has paid, with the answers that came later', async () => {
  const store = openSqliteStore(join(tempFolder(), 'state.db'));
  const { held, steps } = await startWaterfall(store);
  const cells = { columns: COLUMNS, rejects: [] };
  await store.ingest(held.id, { ...cells, leads: [heldLead(1, 'ada')] }, TIMES);
  await store.ingest(steps[0].id, { ...cells, leads: [asked(1, 'ada')] }, TIMES);
  const { claimed } = await store.claim(steps[0].id, 1, T0);
  const [{ id, send }] = claimed as unknown as [ClaimedEnrichment];
  const accepted = { kind: 'accepted', ticket: 't', pollAt: T0, deadlineAt: T0 + 1 } as const;
  await store.recordSubmits([{ id, send, at: T0, ...accepted }]);
  const { run } = await openRun(
    store,
    runPlan({ job: held.job, signature: 's2' }),
    T0,
    async () => undefined,
  );
  await store.settle([{ id, at: T0, outcome: 'found', result: {}, credits: 5 }]);
  const { state, tally } = await seeRun(store, (await store.findRun(held.id)) ?? held);
  expect(state).toBe('replaced');
  expect(tally).toMatchObject({ byStatus: { awaiting: 1, found: 0 }, credits: 5 });
  expect(tally.steps?.map(({ credits }) => credits)).toEqual([5, 0, 0]);
  expect((await seeRun(store, run)).tally.credits).toBe(0);
  await store.close();
});
