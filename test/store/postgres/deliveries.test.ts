// A body may speak of thousands of leads, and of requests whose answers were lost.
import { expect, it } from 'vitest';
import type { DeliveryStep } from '../../../src/ports/store/deliveries.js';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.js';
import { found, T0, TIMES } from '../../contract/store-bench.js';
import { asked, COLUMNS, runPlan } from '../../helpers/leads.js';
import { testState } from '../../helpers/postgres.js';

const LEADS = 20_000;

it('takes the tickets of thousands of leads that had none from one delivery', async () => {
  const state = await testState();
  const store = await openPostgresStore(state.address);
  const run = await store.startRun(runPlan(), T0);
  const leads = Array.from({ length: LEADS }, (_, i) => asked(i + 1, `p${i}`));
  await store.ingest(run.id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
  const claimed = (await store.claim(run.id, LEADS, T0)).claimed;
  await store.recover(run.id);
  const named = claimed.map(({ id }) => ({ enrichmentId: id, ticket: `enr_${id}`, callId: null }));
  expect((await store.addressed('acc', named)).map((one) => one !== 'stray' && one?.id)).toEqual(
    claimed.map(({ id }) => id),
  );

  await store.keepArrivals([
    { scope: 'acc', enrichmentId: null, callId: null, receivedAt: T0, body: '{}' },
  ]);
  const [pending] = await store.pendingDeliveries('acc', 1);
  const steps = claimed.map(({ id }): DeliveryStep => {
    return { kind: 'settle', ticket: `enr_${id}`, settlement: found(id) };
  });
  const handled = { id: pending?.id as number, at: T0, steps };
  expect(await store.handleDeliveries('acc', [handled])).toHaveLength(LEADS);
  await store.close();
});
