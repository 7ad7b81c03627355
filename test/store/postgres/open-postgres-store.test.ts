import { beforeAll, expect, it } from 'vitest';
import { openPostgresStore } from '../../../src/store/postgres/open-postgres-store.js';
import { describeStore } from '../../contract/store.js';
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
