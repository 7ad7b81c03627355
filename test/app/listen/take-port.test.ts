// `sluice listen` gets its port from a run of the same state; other processes that may have it.
import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type Reception,
  type ReceptionOptions,
  receiveDeliveries,
} from '../../../src/app/listen/receive-deliveries.js';
import { receivedElsewhere } from '../../../src/app/listen/received-elsewhere.js';
import { takePort } from '../../../src/app/listen/take-port.js';
import { openKeyring } from '../../../src/app/state/state-file.js';
import { systemClock } from '../../../src/app/system-clock.js';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import type { RunEvent } from '../../../src/model/telemetry/observe.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { Store } from '../../../src/ports/store/store.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import type { Listener } from '../../../src/webhook/open-listener.js';
import { answering, startServer } from '../../helpers/counting-server.js';
import { freePort } from '../../helpers/free-port.js';
import { COMMAND_MS } from '../../helpers/patience.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const until = { timeout: COMMAND_MS };
let store: Store;
let port: number;
let events: RunEvent[];
let told: string[];
let open: { close(): Promise<void> }[];

beforeEach(async () => {
  store = openSqliteStore(`${tempFolder()}/state.db`);
  port = await freePort();
  events = [];
  told = [];
  open = [];
});
afterEach(async () => {
  for (const one of open.toReversed()) await one.close();
  await store.close();
});

async function options(secret?: string, clock: Clock = systemClock): Promise<ReceptionOptions> {
  return {
    address: { host: '127.0.0.1', port },
    keyring: await openKeyring(store, secret),
    proof: { webhooks: NEUTRAL_DIALECT.webhooks, secret, key: undefined },
    dialect: NEUTRAL_DIALECT,
    store,
    clock,
    observe: (event) => void events.push(event),
    onTrouble: (error) => {
      throw error;
    },
  };
}

async function run(secret?: string, clock?: Clock): Promise<Reception> {
  const opened = await receiveDeliveries(await options(secret, clock));
  open.push(opened);
  return opened;
}

async function listen(secret?: string): Promise<Listener> {
  const stateName = 'the state of the test';
  const onWait = (sentence: string): void => void told.push(sentence);
  const opened = await takePort({ ...(await options(secret)), stateName, onWait });
  open.push(opened);
  return opened;
}

const said = (): string[] =>
  events.flatMap((one) => (one.kind.startsWith('listener.') ? one.kind : []));

it('a listener gets the port from a run, which listens again once the listener has ended', async () => {
  // What waits is woken by hand, so that the run takes nothing back meanwhile.
  const sleepers: (() => void)[] = [];
  const asleep: Clock = {
    now: () => Date.now(),
    sleep: (_, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) resolve();
        sleepers.push(resolve);
        signal?.addEventListener('abort', () => resolve(), { once: true });
      }),
  };
  await run(undefined, asleep);
  const listener = await listen();
  expect(listener.port).toBe(port);
  expect(told).toEqual([`A run of this state listens at ${listener.url}, and gives the port up.`]);
  expect(said()).toEqual([
    'listener.opened',
    'listener.closed',
    'listener.opened',
    'listener.opened',
  ]);
  sleepers.splice(0).forEach((wake) => wake());
  await expect.poll(() => sleepers.length, until).toBe(1);
  await listener.close();
  sleepers.splice(0).forEach((wake) => wake());
  await expect.poll(() => said().length, until).toBe(5);
  expect((await fetch(`${listener.url}/healthz`)).status).toBe(200);
});

it('several runs give the port up, whichever of them has it', async () => {
  await run();
  await run();
  await run();
  const listener = await listen();
  expect((await fetch(`${listener.url}/healthz`)).status).toBe(200);
});

it('a run whose hook has a secret gives the port up to a listener that knows it, and to no other', async () => {
  await run('an agreed word');
  await expect(listen()).rejects.toThrow('SLUICE_WEBHOOK_SECRET');
  await expect(listen('another word')).rejects.toThrow('SLUICE_WEBHOOK_SECRET');
  expect(said()).toEqual(['listener.opened']);
  expect((await listen('an agreed word')).port).toBe(port);
});

it('a second listener says that there is one', async () => {
  await listen();
  await expect(listen()).rejects.toMatchObject({ code: 'busy' });
});

it('another program keeps its port', async () => {
  const server = await startServer(answering({ status: 'ok', instance: 'a.b' }));
  port = Number(new URL(server.url).port);
  await expect(listen()).rejects.toThrow('the port is taken');
  expect(server.asked).toEqual(['GET /healthz']);
});

it('a process that does not answer is waited for, and that is said', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => void silent.listen(port, '127.0.0.1', resolve));
  const listening = listen();
  await expect.poll(() => told, until).toEqual([expect.stringContaining('does not answer')]);
  silent.close();
  expect((await listening).port).toBe(port);
});

const elsewhere = async (publicUrl?: string): Promise<Reception> => {
  const opened = await receivedElsewhere(publicUrl, await options());
  expect(opened.url).toBe(`http://127.0.0.1:${port}`);
  return opened;
};

it("a worker's run takes no port, and says where none listens for it", async () => {
  await elsewhere();
  expect(events).toMatchObject([
    { kind: 'run.warned', warning: 'no_deliveries', message: expect.stringContaining(`${port}`) },
  ]);
  await listen();
  events = [];
  await elsewhere();
  expect(events).toMatchObject([{ kind: 'listener.opened', isShared: true }]);
});

it("a worker's run is refused where another program would get its deliveries, and nowhere else", async () => {
  const server = await startServer(answering('welcome'));
  port = Number(new URL(server.url).port);
  await expect(elsewhere()).rejects.toThrow('Another program answers');
  await elsewhere('https://leads.example.com/sluice');
  expect(server.asked).toEqual(['GET /healthz']);
});
