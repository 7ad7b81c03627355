// A verb that reads a whole table is fast in every test and slow in every real run. The server knows late what a table that
// grows is like: here it never does.
import { expect, it } from 'vitest';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.js';
import { accepted, found, T0, TIMES } from '../../contract/store-bench.js';
import { asked, COLUMNS, runPlan } from '../../helpers/leads.js';
import { newState } from '../../helpers/postgres.js';

const LEADS = 2_000;
const PORTION = 50;
/** Rows of a table that were looked at for each lead: the verbs below touch each about ten times. */
const LOOKS_MAX = 20;

it('reads no more rows for a lead, however many leads there are', async () => {
  const state = await newState();
  const { pool, schema } = state;
  await pool.query(
    'ALTER TABLE enrichments SET (autovacuum_enabled = off); ALTER TABLE leads SET (autovacuum_enabled = off)',
  );
  const store = await openPostgresStore(`${state.address}&application_name=${schema}`);
  const run = await store.startRun(runPlan(), T0);
  const portions = Array.from({ length: LEADS / PORTION }, (_, i) => i * PORTION);

  for (const from of portions) {
    const leads = Array.from({ length: PORTION }, (_, i) => asked(from + i + 1, `${from + i}`));
    await store.ingest(run.id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
  }
  for (const _ of portions) {
    const claimed = await store.claim(run.id, PORTION, T0);
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
    expect(await store.answers(run.id, after, PORTION)).toHaveLength(PORTION);
    expect(await store.statuses(run.id, after, PORTION)).toHaveLength(PORTION);
  }
  await store.close();

  // What a connection has read is told when it ends.
  const isOpen = 'SELECT 1 FROM pg_stat_activity WHERE application_name = $1';
  while ((await pool.query(isOpen, [schema])).rowCount !== 0);
  const { rows } = await pool.query<{ name: string; looks: number }>(
    `SELECT relname AS name, ((seq_tup_read + coalesce(idx_tup_fetch, 0)) / $2::float8)::float8 AS looks
     FROM pg_stat_user_tables WHERE schemaname = $1 AND seq_tup_read + coalesce(idx_tup_fetch, 0) > 0`,
    [schema, LEADS],
  );
  await state.drop();
  expect(rows.map(({ name }) => name)).toContain('enrichments');
  expect(rows.filter(({ looks }) => looks > LOOKS_MAX)).toEqual([]);
});
