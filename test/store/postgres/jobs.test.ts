// A holder of a job that was cut off, or stood still, writes and sends nothing once another one has taken its place.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Run } from '../../../src/model/run.js';
import type { ClaimedEnrichment } from '../../../src/ports/store/enrichments.js';
import type { Store } from '../../../src/ports/store/store.js';
import { parseDatabaseAddress } from '../../../src/store/postgres/database/address.js';
import {
  type Database,
  openDatabase,
  type Sql,
} from '../../../src/store/postgres/database/database.js';
import { holdLease, LEASE_MS, renewLease, takeLease } from '../../../src/store/postgres/jobs.js';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.js';
import { accepted, found, T0, TIMES, unsent } from '../../contract/store-bench.js';
import { openCutter } from '../../helpers/connection-cutter.js';
import { asked, COLUMNS, runPlan } from '../../helpers/leads.js';
import { testState } from '../../helpers/postgres.js';

const state = await testState();
const HOLDER = { pid: 4711, host: 'there', since: T0 };
const stores: Store[] = [];

async function lock(address = state.address, job = 'nightly'): Promise<Store> {
  const store = await openPostgresStore(address);
  stores.push(store);
  const taken = await store.lockJob(job, HOLDER);
  if (taken.kind !== 'taken') throw new Error('the job is busy');
  return taken.store;
}

/** As after 30 s without a word. */
const letLapse = () => state.pool.query('UPDATE leases SET expires_at = clock_timestamp()');

let first: Store;
let run: Run;
let claimed: ClaimedEnrichment;

beforeEach(async () => {
  await state.empty();
  first = await lock();
  run = await first.startRun(runPlan(), T0);
  const leads = [asked(1, 'ada'), asked(2, 'bob')];
  await first.ingest(run.id, { columns: COLUMNS, leads, rejects: [] }, TIMES);
  claimed = (await first.claim(run.id, 1, T0)).claimed[0] as ClaimedEnrichment;
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

it('may send while it is there', async () => {
  expect(await first.maySend()).toBe(true);
});

it('may send where each answer of the database takes 5 s', async () => {
  const url = new URL(state.address);
  const cutter = await openCutter(Number(url.port));
  url.port = String(cutter.port);
  const slow = await lock(url.href, 'slow');
  cutter.slowDown(5_000);
  expect(await slow.maySend()).toBe(true);
  cutter.close();
});

it('goes on where its time was up and no other process has taken its place', async () => {
  await letLapse();
  expect(await first.maySend()).toBe(true);
  expect(await first.recordSubmits([accepted(claimed)])).toMatchObject([{ id: claimed.id }]);
  expect((await first.claim(run.id, 1, T0)).claimed).toHaveLength(1);
});

it('may not send once another one has, and what it had claimed is uncertain there', async () => {
  await letLapse();
  const second = await lock();
  expect(await first.maySend()).toBe(false);
  expect(await second.maySend()).toBe(true);
  expect(await second.recover(run.id)).toBe(1);
  expect(
    (await second.answers(run.id, { after: 0, limit: 10 })).map(({ status }) => status),
  ).toEqual(['uncertain', 'queued']);
});

it.each<[string, (store: Store) => Promise<unknown>]>([
  ['claims', (store) => store.claim(run.id, 1, T0)],
  ['records', (store) => store.recordSubmits([accepted(claimed)])],
  ['takes back', (store) => store.recordSubmits([unsent(claimed)])],
  ['settles', (store) => store.settle([found(claimed.id)])],
  ['reads', (store) => store.ingest(run.id, { columns: [], leads: [], rejects: [] }, TIMES)],
  ['finishes', (store) => store.finishReading(run.id)],
])('%s nothing then', async (_, write) => {
  await letLapse();
  await lock();
  await expect(write(first)).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('Another process has taken over the job nightly') as string,
  });
});

describe('at the moment of a takeover', () => {
  const lease = { job: 'nightly', epoch: 1 };
  let database: Database;
  beforeEach(() => {
    database = openDatabase(parseDatabaseAddress(state.address));
  });
  afterEach(() => database.close());

  /** Until `verb` waits for a lock, or has ended. */
  async function untilWaiting(verb: Promise<unknown>): Promise<void> {
    let isOver = false;
    void verb.catch(() => undefined).finally(() => (isOver = true));
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM leases%'`;
    while (!isOver && (await state.pool.query(waiting)).rowCount === 0) continue;
  }

  it('writes nothing, where it looked at its lease before that had ended', async () => {
    await letLapse();
    let written: Promise<unknown> | undefined;
    const take = async (sql: Sql): Promise<void> => {
      await takeLease(sql, 'nightly', HOLDER, LEASE_MS);
      written = first.recordSubmits([accepted(claimed)]);
      await untilWaiting(written);
    };
    await database.perform(take, { kind: 'write' });
    await expect(written).rejects.toMatchObject({ code: 'busy' });
  });

  it('renews its lease while it writes, and is not replaced by who waits for that', async () => {
    const renew = (sql: Sql) => renewLease(sql, { lease, schema: state.schema }, LEASE_MS);
    let taken: Promise<Store> | undefined;
    const write = async (sql: Sql): Promise<void> => {
      await holdLease(sql, lease);
      await letLapse();
      taken = lock();
      await untilWaiting(taken);
      await database.perform(renew, { kind: 'statement' });
    };
    await database.perform(write, { kind: 'write' });
    await expect(taken).rejects.toThrow('the job is busy');
  });
});

it('still keeps what a webhook brings', async () => {
  await letLapse();
  await lock();
  const arrival = { scope: 's', enrichmentId: null, callId: null, receivedAt: T0, body: '{}' };
  expect(await first.keepArrivals([arrival])).toMatchObject({ kept: 1 });
});

it('is replaced at once where its process was one of this machine, and is no more', async () => {
  await state.pool.query('UPDATE leases SET host = $1, pid = $2', [
    hostname(),
    // Larger than any of Linux.
    2 ** 22 + 1,
  ]);
  const second = await openPostgresStore(state.address);
  stores.push(second);
  expect((await second.jobNow('nightly')).isLocked).toBe(process.platform !== 'linux');
});

it.runIf(process.platform === 'linux')(
  'is replaced at once where its process was killed and its parent has not waited for it',
  async () => {
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60']);
    try {
      const [said] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(said.toString());
      await state.pool.query('UPDATE leases SET host = $1, pid = $2', [hostname(), pid]);
      const second = await openPostgresStore(state.address);
      stores.push(second);
      expect((await second.jobNow('nightly')).isLocked).toBe(true);
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => second.jobNow('nightly')).toMatchObject({ isLocked: false });
    } finally {
      parent.kill('SIGKILL');
    }
  },
);
