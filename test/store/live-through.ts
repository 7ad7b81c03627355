// Leads from their lines to their rows, by every verb that touches no more rows than its arguments say.
import { expect } from 'vitest';
import type { Store } from '../../src/ports/store/store.js';
import { accepted, found, T0, TIMES } from '../contract/store-bench.js';
import { asked, COLUMNS, runPlan } from '../helpers/leads.js';

const PORTION = 50;

/** A multiple of 50 leads. */
export async function liveThrough(store: Store, leads: number): Promise<void> {
  const run = await store.startRun(runPlan(), T0);
  const portions = Array.from({ length: leads / PORTION }, (_, i) => i * PORTION);

  for (const from of portions) {
    const some = Array.from({ length: PORTION }, (_, i) => asked(from + i + 1, `${from + i}`));
    await store.ingest(run.id, { columns: COLUMNS, leads: some, rejects: [] }, TIMES);
  }
  for (const _ of portions) {
    const claimed = (await store.claim(run.id, PORTION, T0, { look: TIMES })).claimed;
    await store.recordSubmits(claimed.map((one) => accepted(one)));
    await store.keepArrivals(
      claimed.map(({ id }) => ({
        scope: 'acc',
        enrichmentId: id,
        callId: null,
        receivedAt: T0,
        body: `{"id":"enr_${id}"}`,
      })),
    );
    const pending = await store.pendingDeliveries('acc', PORTION);
    const named = pending.map(({ enrichmentId: id }) => ({
      enrichmentId: id,
      ticket: `enr_${id}`,
      callId: null,
    }));
    await store.addressed('acc', named);
    const half = pending.slice(0, PORTION / 2);
    const handled = half.map(({ enrichmentId, id }) => {
      const settlement = found(enrichmentId as number);
      return { id, at: T0, steps: [{ kind: 'settle', ticket: null, settlement } as const] };
    });
    await store.handleDeliveries('acc', handled);
    const rest = await store.awaited(run.id, PORTION);
    await store.settle(rest.map(({ id }) => found(id)));
    await store.handleDeliveries(
      'acc',
      pending.slice(PORTION / 2).map(({ id }) => ({ id, at: T0, steps: [{ kind: 'nothing' }] })),
    );
  }
  for (const after of portions) {
    expect(await store.answers(run.id, { after, limit: PORTION })).toHaveLength(PORTION);
    const cursor = { direction: 'after', position: after } as const;
    expect(await store.positions(run.id, { outcome: 'found' }, cursor, PORTION)).toHaveLength(
      PORTION,
    );
  }
}
