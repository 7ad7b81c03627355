// What a worker does with an entry of the queue.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openAccounts } from '../../../src/app/queue/accounts.js';
import { writeTask } from '../../../src/app/queue/task.js';
import { takeEntry, type WorkerParts } from '../../../src/app/queue/work.js';
import { describeJob } from '../../../src/app/settings/describe-job.js';
import { readEnvironment } from '../../../src/app/settings/environment.js';
import { systemClock } from '../../../src/app/system-clock.js';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import { UNWATCHED } from '../../../src/model/telemetry/observe.js';
import type { Dispatcher, Turn } from '../../../src/ports/dispatcher.js';
import type { Store } from '../../../src/ports/store/store.js';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.js';
import { T0 } from '../../contract/store-bench.js';
import { runPlan } from '../../helpers/leads.js';
import { testState } from '../../helpers/postgres.js';

const state = await testState();
let store: Store;

beforeEach(async () => {
  await state.empty();
  store = await openPostgresStore(state.address);
  const { id, job } = await store.startRun(runPlan(), T0);
  const settings = describeJob(job, {
    input: 'a.csv',
    out: 'b.csv',
    ask: ['find_email'],
    url: 'sandbox',
  });
  await store.noteTask(id, writeTask({ settings, dialect: NEUTRAL_DIALECT }));
});
afterEach(() => store.close());

async function take(): Promise<Turn> {
  const parts: WorkerParts = {
    store,
    state: state.address,
    dispatcher: {} as Dispatcher,
    accounts: await openAccounts(readEnvironment({ SLUICE_URL: 'sandbox' }), undefined),
    jobs: undefined,
    loadJob: async () => undefined,
    writesTables: false,
    clock: systemClock,
    watch: UNWATCHED,
    lacking: new Set(),
    onEnd: async () => undefined,
    tell: () => undefined,
  };
  const entry = { job: 'nightly', isFromFile: false };
  return takeEntry(parts, entry, new AbortController().signal);
}

/** A process on another machine has the job, and its lease lasts so long. */
const hold = (ms: number) =>
  state.pool.query(
    `INSERT INTO leases (job, epoch, pid, host, since, expires_at)
     VALUES ('nightly', 1, 4711, 'there', 0, clock_timestamp() + $1 * interval '1 ms')`,
    [ms],
  );

it('looks again every 5 s while another process works on the job', async () => {
  await hold(30_000);
  expect(await take()).toEqual({ kind: 'later', ms: 5_000 });
});

it('looks again at the end of its lease where that is not renewed any more', async () => {
  await hold(4_000);
  const turn = await take();
  expect(turn).toEqual({ kind: 'later', ms: expect.any(Number) as number });
  expect('ms' in turn && turn.ms).toBeLessThanOrEqual(4_000);
});
