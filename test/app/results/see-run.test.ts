import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findNextStep, seeRun } from '../../../src/app/results/see-run.js';
import { openRun } from '../../../src/app/run/begin/open-run.js';
import { systemClock } from '../../../src/app/system-clock.js';
import { tellCancelled, tellOpenCharges } from '../../../src/model/report/open-charges.js';
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

it('says of a cancelled run in money what may be charged, and that no run collects what is uncertain', async () => {
  const store = openSqliteStore(join(tempFolder(), 'state.db'));
  const credit = { millionths: 2_000_000, currency: 'EUR' };
  const run = await store.startRun(runPlan({ credit }), T0);
  const leads = [asked(1, 'ada')];
  await store.ingest(run.id, { columns: COLUMNS, rejects: [], leads }, TIMES);
  await store.claim(run.id, 1, T0);
  await store.recover(run.id);
  const { charges, tally } = await seeRun(store, run);
  expect(tally.byStatus.uncertain).toBe(1);
  expect(tellCancelled(charges, run, tally)).toBe(
    '0 leads will not be asked for. Up to 10.00 EUR more may be charged, for 1 request without an answer.',
  );
  await store.close();
});

it('says which cap of a step stopped a waterfall', async () => {
  const store = openSqliteStore(join(tempFolder(), 'state.db'));
  const ask = ['find_email'] as const;
  const steps = [{ name: 'dear', ask, verifies: false }];
  const waterfall = { steps, accept: ['deliverable'], verify: 'open' } as const;
  const held = await store.startRun(runPlan({ waterfall }), T0);
  const step = await store.startRun(
    runPlan({
      step: { of: held.id, name: 'dear' },
      account: 'of dear',
      priceMax: 5,
      caps: { day: 8, timezone: 'UTC' },
      credit: { millionths: 2_000_000, currency: 'EUR' },
    }),
    T0,
  );
  await store.ingest(step.id, { columns: COLUMNS, rejects: [], leads: [asked(1, 'ada')] }, TIMES);
  await store.claim(step.id, 1, T0, { prices: step.prices });
  const left = { at: T0, by: 'cap' } as const;
  await store.changeRun(held.id, { left });
  const names = { start: 'sluice run', again: () => 'Start it.', state: '' };
  const now = { now: T0 };
  const clock = { ...systemClock, now: () => now.now };
  const told = async () =>
    findNextStep(store, await seeRun(store, held, { clock }), names, { clock });
  expect(await told()).toContain(
    'Run 1 stopped at the cap of 16.00 EUR a day (UTC) of the step dear: 0.00 EUR spent, 10.00 EUR reserved, 6.00 EUR left until',
  );
  now.now += 86_400_000;
  expect(await told()).toBe('Run 1 stopped at a cap, and there is room again. Start it.');
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
