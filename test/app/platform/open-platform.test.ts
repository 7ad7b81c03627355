import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openPlatform } from '../../../src/app/platform/open-platform.js';
import { readEnvironment } from '../../../src/app/settings/environment.js';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import type { Store } from '../../../src/ports/store/store.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { answering, startServer } from '../../helpers/counting-server.js';
import { createDrivenClock, settled } from '../../helpers/driven-clock.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const ENVIRONMENT = readEnvironment({ SLUICE_USERNAME: 'ada', SLUICE_PASSWORD: 'pw' });

it.each([
  ['ahead', 7 * 86_400_000],
  ['back', -7 * 86_400_000],
])('a clock set far %s between two processes frees no window', async (_how, jumpMs) => {
  const server = await startServer(answering({}));
  const store = openSqliteStore(join(tempFolder(), 'state.db'));
  const driven = createDrivenClock();
  const machineMs = driven.now();
  let setMs = 0;
  const clock = {
    ...driven,
    now: () => driven.now() + setMs,
    steady: () => ({ boot: 'this one', ms: driven.now() - machineMs }),
  };
  const rate = [{ requests: 1, perMs: 2_000 }];
  const settings = { url: server.url, account: undefined, rate, concurrency: 1, state: '' };
  const open = () =>
    openPlatform(settings, { dialect: NEUTRAL_DIALECT, environment: ENVIRONMENT, store, clock });
  const first = await open();
  await first.platform.readPeopleSchema().catch(() => undefined);
  expect(server.asked).toHaveLength(1);
  await first.close();

  setMs = jumpMs;
  const second = await open();
  let isFree = false;
  const reserving = second.platform.reserve('poll', 1).then((permits) => {
    isFree = true;
    return permits;
  });
  await driven.advance(1_999);
  expect(isFree).toBe(false);
  await driven.advance(1);
  await settled();
  expect(await reserving).toHaveLength(1);
  await second.close();
  await store.close();
});

it('a state that is too slow to give slots of the limit is told of once', async () => {
  const server = await startServer(answering({}));
  const store = openSqliteStore(join(tempFolder(), 'state.db'));
  const driven = createDrivenClock();
  let tookMs = 25_000;
  let exchanges = 0;
  const slow: Store = {
    ...store,
    askLimit: async (...question) => {
      exchanges += 1;
      await driven.sleep(tookMs);
      return store.askLimit(...question);
    },
  };
  const told: string[] = [];
  const settings = {
    url: server.url,
    account: undefined,
    rate: undefined,
    concurrency: 1,
    state: '',
  };
  const opened = await openPlatform(settings, {
    dialect: NEUTRAL_DIALECT,
    environment: ENVIRONMENT,
    store: slow,
    clock: driven,
    watch: {
      observesRequests: false,
      observe: (event) => event.kind === 'run.warned' && told.push(event.message),
    },
  });
  const reserving = opened.platform.reserve('poll', 1);
  for (let n = 0; n < 40; n += 1) await driven.advance(2_000);
  expect(exchanges).toBeGreaterThan(1);
  expect(told).toEqual([
    expect.stringMatching(
      /^Nothing could be sent: the state took 25 s .* which is good for 8 s\. It is slow/,
    ),
  ]);
  tookMs = 10;
  for (let n = 0; n < 40; n += 1) await driven.advance(2_000);
  expect(await reserving).toHaveLength(1);
  expect(told).toHaveLength(1);
  await opened.close();
  await store.close();
});
