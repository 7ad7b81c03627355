import { beforeAll, expect, it } from 'vitest';
import {
  migrateDatabase,
  openPostgresStore,
} from '../../../src/store/postgres/open-postgres-store.js';
import { describeStore } from '../../contract/store.js';
import { T0 } from '../../contract/store-bench.js';
import { type TestState, testState } from '../../helpers/postgres.js';

let state: TestState;
beforeAll(async () => {
  state = await testState();
});

describeStore('PostgreSQL', () => ({
  open: async () => {
    await state.empty();
    return openPostgresStore(state.address);
  },
  openAgain: () => openPostgresStore(state.address),
}));

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
