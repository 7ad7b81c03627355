import { afterEach, beforeAll, expect, it } from 'vitest';
import { STRAYS } from '../../../src/store/maintenance/strays.js';
import {
  migrateDatabase,
  openPostgresStore,
} from '../../../src/store/postgres/open-postgres-store.js';
import { describeStore, LOCKED_PARTS } from '../../contract/store.js';
import { T0 } from '../../contract/store-bench.js';
import { openCutter } from '../../helpers/connection-cutter.js';
import { isLong } from '../../helpers/long.js';
import { type TestState, testState } from '../../helpers/postgres.js';

let state: TestState;
beforeAll(async () => {
  state = await testState();
});

afterEach(async () => {
  expect((await state.pool.query(STRAYS)).rows).toEqual([]);
});

describeStore(
  'PostgreSQL',
  () => ({
    open: async () => {
      await state.empty();
      return openPostgresStore(state.address);
    },
    openAgain: () => openPostgresStore(state.address),
  }),
  isLong ? undefined : LOCKED_PARTS,
);

it('is copied by the tools of the database, and says by which command', async () => {
  const store = await openPostgresStore(state.address);
  const refused = store.backup('/backups/of today.dump');
  await expect(refused).rejects.toMatchObject({ code: 'usage' });
  await expect(refused).rejects.toThrow(
    /pg_dump --format=custom --schema=test_\w+ --file='\/backups\/of today\.dump' '?postgres:\/\/[^?]+$/,
  );
  await store.close();
});

it('is in a schema of any name, also where that is a word of SQL', async () => {
  const address = state.address.replace(state.schema, 'user');
  await migrateDatabase(address);
  const store = await openPostgresStore(address);
  const lock = await store.lockJob('nightly', { pid: 4711, host: 'there', since: T0 });
  expect(lock.kind === 'taken' && (await lock.store.maySend())).toBe(true);
  const times = { at: T0, before: T0, freshSince: T0 };
  expect(await store.prune(times, true)).toMatchObject({ runs: 0 });
  await store.close();
  await state.pool.query('DROP SCHEMA "user" CASCADE');
});

it('waits for a database that has gone, but not with a question for rights of the limit', async () => {
  const url = new URL(state.address);
  const serverPort = Number(url.port);
  const gone = await openCutter(serverPort);
  url.port = String(gone.port);
  const store = await openPostgresStore(url.href, { patienceMs: 3_600_000 });
  const rate = [{ requests: 10, perMs: 1_000 }];
  const now = { at: T0, steady: null };
  const sender = await store.joinLimit('account', rate, now);
  const word = { endedAgoMs: [], keeps: 0, cleared: [] };
  const asks = { ...word, seq: 1, rate, wants: 2, waits: [], aheadMs: 0 };
  gone.close();
  const reading = store.listRuns(1);
  await expect(store.askLimit(sender, asks, now)).rejects.toMatchObject({
    code: 'store',
    message: expect.stringContaining('cannot be used: nothing answers there.'),
  });
  const back = await openCutter(serverPort, undefined, gone.port);
  await expect(reading).resolves.toBeInstanceOf(Array);
  const granted = await store.askLimit(sender, { ...asks, seq: 2 }, now);
  expect(granted).toMatchObject({ startsInMs: Array(10).fill(0) });
  await store.close();
  back.close();
});
