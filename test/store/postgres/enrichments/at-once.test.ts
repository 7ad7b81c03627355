// Verbs about the same enrichments at the same moment, by two processes.
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Run } from '../../../../src/model/run.js';
import type { ClaimedEnrichment } from '../../../../src/ports/store/enrichments.js';
import type { Store } from '../../../../src/ports/store/store.js';
import { openPostgresStore } from '../../../../src/store/postgres/open-postgres-store.js';
import { accepted, found, T0, TIMES } from '../../../contract/store-bench.js';
import { asked, COLUMNS, fingerprintOf, runPlan } from '../../../helpers/leads.js';
import { type TestState, testState } from '../../../helpers/postgres.js';

const LEADS = 200;

let state: TestState;
let one: Store;
let other: Store;
let run: Run;
beforeAll(async () => {
  state = await testState();
});
beforeEach(async () => {
  await state.empty();
  [one, other] = [await openPostgresStore(state.address), await openPostgresStore(state.address)];
  run = await one.startRun(runPlan(), T0);
  const leads = Array.from({ length: LEADS }, (_, i) => asked(i + 1, `p${i}`));
  await one.ingest(run.id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
});
afterEach(async () => {
  await one.close();
  await other.close();
});

const claims = async (limit: number): Promise<readonly ClaimedEnrichment[]> =>
  (await one.claim(run.id, limit, T0)).claimed;

it('answers that two processes have at once are taken once each, and paid once', async () => {
  const sent = await claims(LEADS);
  await Promise.all(
    [sent, sent.toReversed()].map((all, i) =>
      (i === 0 ? one : other).recordSubmits(all.map((claim) => accepted(claim))),
    ),
  );
  const settlements = sent.map(({ id }) => found(id));
  const postponements = sent.map(({ id }) => ({ id, pollAt: T0 + 1, wasEmpty: false }));
  const changed = await Promise.all([
    one.settle(settlements),
    other.settle(settlements.toReversed()),
    one.settle(postponements.toReversed()).then(() => []),
    other.pollSooner(run.id, T0, { later: T0 }).then(() => []),
    other.settle(settlements),
  ]);
  const ids = changed.flat().map(({ id }) => id);
  expect(ids.sort((a, b) => a - b)).toEqual(sent.map(({ id }) => id));
  expect((await one.commitment(run.id)).spent).toBe(5 * LEADS);
});

it('a claim passes over what another claim is about to have, and does not wait for it', async () => {
  const client = await state.pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM enrichments ORDER BY id LIMIT 3 FOR UPDATE');
  try {
    expect(await claims(LEADS)).toHaveLength(LEADS - 3);
    expect((await other.claim(run.id, LEADS, T0, { isAlike: true })).claimed).toEqual([]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  expect((await other.claim(run.id, LEADS, T0, { isAlike: true })).claimed).toHaveLength(3);
});

it('a claim waits for the claim of the same person, and sends no part of it', async () => {
  const next = await other.startRun(runPlan({ job: 'other' }), T0);
  const part = { ...asked(1, 'p1'), fingerprint: fingerprintOf('part of p1') };
  await other.ingest(next.id, { columns: COLUMNS, leads: [part], rejects: [] }, TIMES);
  const client = await state.pool.connect();
  await client.query('BEGIN');
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('account ${run.account}', 7))`);
  await client.query(
    `UPDATE enrichments SET state = 'submitting', submitted_at = $1, paid_by = run_id WHERE fingerprint = $2`,
    [T0, Buffer.from(fingerprintOf('p1'))],
  );
  let isDone = false;
  const claiming = other.claim(next.id, 9, T0, { look: TIMES });
  void claiming.finally(() => (isDone = true));
  while (!isDone && !(await isWaited())) continue;
  await client.query('COMMIT');
  client.release();
  expect(await claiming).toMatchObject({ claimed: [], waiting: 1 });
});

it('a delivery whose ticket is saved while it is noted as unknown is pending again', async () => {
  const [claim] = await claims(1);
  const client = await state.pool.connect();
  await client.query('BEGIN');
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('tickets', 7))`);
  await client.query(
    `INSERT INTO deliveries (id, scope, received_at, state, body) VALUES (7, 's', $1, 'handled', '{}')`,
    [T0],
  );
  await client.query(`INSERT INTO unknown_tickets VALUES ('enr_late', 7)`);
  let isDone = false;
  const recorded = one.recordSubmits([accepted(claim as ClaimedEnrichment, 'enr_late')]);
  void recorded.finally(() => (isDone = true));
  while (!isDone && !(await isWaited())) continue;
  await client.query('COMMIT');
  client.release();
  expect(await recorded).toMatchObject([{ id: claim?.id }]);
  const { rows } = await state.pool.query(`SELECT * FROM deliveries WHERE state = 'pending'`);
  expect(rows).toMatchObject([{ scope: 's' }]);
  expect((await state.pool.query('SELECT 1 FROM unknown_tickets')).rows).toEqual([]);
});

/** Whether a verb waits for tickets, or for an account. */
async function isWaited(): Promise<boolean> {
  const { rows } = await state.pool.query(
    `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
  );
  return rows.length > 0;
}

it.each(['awaiting', 'submitting'])(
  'what a run recovers as %s is left alone where another job has it by then',
  async (status) => {
    const [sent] = await claims(1);
    if (sent === undefined) throw new Error('nothing was claimed');
    if (status === 'awaiting') await one.recordSubmits([accepted(sent)]);
    const next = await one.startRun(runPlan(), T0);
    const elsewhere = await other.startRun(runPlan({ job: 'other' }), T0);
    const client = await state.pool.connect();
    await client.query('BEGIN');
    await client.query('UPDATE enrichments SET run_id = $2, paid_by = $2 WHERE id = $1', [
      sent.id,
      elsewhere.id,
    ]);
    const recovering = one.recover(next.id);
    await expect
      .poll(async () => {
        const { rows } = await state.pool.query(
          "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%enrichments%'",
        );
        return rows.length;
      })
      .toBe(1);
    await client.query('COMMIT');
    client.release();
    expect(await recovering).toBe(0);
    const { rows } = await state.pool.query<{ run_id: string; state: string }>(
      'SELECT run_id, state FROM enrichments WHERE id = $1',
      [sent.id],
    );
    expect(rows).toEqual([{ run_id: String(elsewhere.id), state: status }]);
  },
);
