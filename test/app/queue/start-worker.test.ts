// A worker whose database is away when it starts, and one whose state is moved while it has nothing to do.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDispatcher } from '../../../src/app/queue/open-dispatcher.js';
import { type StartedWorker, startWorker } from '../../../src/app/queue/start-worker.js';
import { readEnvironment } from '../../../src/app/settings/environment.js';
import { copyState } from '../../../src/app/state/copy-state.js';
import type { SluiceError } from '../../../src/model/errors.js';
import { UNWATCHED } from '../../../src/model/telemetry/observe.js';
import { openArchive } from '../../../src/store/open-store.js';
import { openCutter } from '../../helpers/connection-cutter.js';
import { freePort } from '../../helpers/free-port.js';
import { inBrief } from '../../helpers/long.js';
import { COMMAND_MS } from '../../helpers/patience.js';
import { testState } from '../../helpers/postgres.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const database = await testState();
const folder = tempFolder();
const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

/** Looks often whether it has to end. */
async function start(state: string, told: string[] = []): Promise<StartedWorker> {
  const worker = await startWorker({
    environment: readEnvironment({ SLUICE_URL: 'sandbox' }),
    state,
    credentials: undefined,
    stated: {},
    jobs: undefined,
    loadJob: async () => undefined,
    onEnd: async () => undefined,
    concurrency: 1,
    writesTables: true,
    metricsListen: undefined,
    watch: UNWATCHED,
    tell: (sentence) => void told.push(sentence),
    warn: (sentence) => void told.push(sentence),
    lookMs: 20,
  });
  opened.push({ close: () => worker.stop() });
  return worker;
}

it('waits for a database that is away when it starts, and says so', async () => {
  const { address } = database;
  const serverPort = Number(new URL(address).port);
  const port = await freePort();
  const told: string[] = [];
  const starting = start(address.replace(`:${serverPort}`, `:${port}`), told);
  await expect
    .poll(() => told, { timeout: COMMAND_MS })
    .toEqual(['The database cannot be used yet: nothing answers there. The worker waits for it.']);
  opened.push(await openCutter(serverPort, undefined, port));
  await starting;
  expect(told[1]).toBe('The database answers.');
});

describe('with few connections', () => {
  const role = `few_${process.pid}`;
  const asOwner = async (...statements: string[]): Promise<void> => {
    for (const statement of statements) await database.pool.query(statement);
  };
  const limit = (count: number) => asOwner(`ALTER ROLE ${role} CONNECTION LIMIT ${count}`);
  const held = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename = $1',
      [role],
    );
    return rows[0]?.count ?? 0;
  };
  // It may do what the owner may, and is counted, which an owner of the server is not.
  beforeAll(() =>
    asOwner(`CREATE ROLE ${role} LOGIN`, `GRANT ${new URL(database.address).username} TO ${role}`),
  );
  afterAll(() => asOwner(`DROP ROLE ${role}`));

  it.each(inBrief([0, 3], [1, 2]))(
    'waits where it gets %i, and says how many it needs',
    async (count) => {
      const address = new URL(database.address);
      address.username = role;
      await limit(count);
      const told: string[] = [];
      const ends: SluiceError[] = [];
      const starting = start(address.href, told);
      void starting.then(({ failed }) => failed.then((error) => ends.push(error)));
      await expect
        .poll(() => told.join(), { timeout: COMMAND_MS })
        .toContain('A worker needs four: one for the state, and three for the queue.');
      await limit(4);
      const worker = await starting;
      await expect.poll(held, { timeout: COMMAND_MS }).toBe(4);
      const queue = await openDispatcher(database.address, readEnvironment({}));
      await queue.enqueue({ job: 'none', isFromFile: false });
      await expect
        .poll(() => queue.counts(), { timeout: COMMAND_MS })
        .toMatchObject({ waiting: 0, active: 0 });
      await queue.close();
      expect(ends).toEqual([]);
      // One for each that it opens, and one in half a minute.
      expect(told.length).toBeLessThan(20);
      await limit(-1);
      await worker.stop();
      await expect.poll(held, { timeout: COMMAND_MS }).toBe(0);
    },
  );
});

it('does not wait where waiting does not mend it', async () => {
  const missing = database.address.replace('schema=', 'schema=no_');
  await expect(start(missing)).rejects.toThrow('There is no state in the database');
});

it('ends where its state is moved, and does not start on one that was', async () => {
  const worker = await start(database.address);
  const source = await openArchive(database.address, 'source');
  const target = await openArchive(`${folder}/moved.db`, 'target');
  await copyState(source, target);
  await source.close();
  await target.close();
  expect((await worker.failed).message).toMatch(/(was|is being) moved to .*moved\.db/);
  await expect(start(database.address)).rejects.toThrow('was moved to');
});
