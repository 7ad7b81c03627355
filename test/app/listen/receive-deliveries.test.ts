// Runs and `sluice listen` at one port, and other programs that may have it.
import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Listening, listen } from '../../../src/app/listen/listen.js';
import { receivedElsewhere } from '../../../src/app/listen/open-callbacks.js';
import {
  type Reception,
  type ReceptionOptions,
  receiveDeliveries,
} from '../../../src/app/listen/receive-deliveries.js';
import { NO_ENVIRONMENT } from '../../../src/app/settings/environment.js';
import { openKeyring } from '../../../src/app/state/state-file.js';
import { systemClock } from '../../../src/app/system-clock.js';
import { NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import type { RunEvent } from '../../../src/model/telemetry/observe.js';
import type { Store } from '../../../src/ports/store/store.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { answering, startServer } from '../../helpers/counting-server.js';
import { freePort } from '../../helpers/free-port.js';
import { COMMAND_MS } from '../../helpers/patience.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const until = { timeout: COMMAND_MS };
let folder: string;
let store: Store;
let port: number;
let events: RunEvent[];
let told: string[];
let open: { close(): Promise<void> }[];

beforeEach(async () => {
  folder = tempFolder();
  store = openSqliteStore(`${folder}/state.db`);
  port = await freePort();
  events = [];
  told = [];
  open = [];
});
afterEach(async () => {
  for (const one of open.toReversed()) await one.close();
  await store.close();
});

async function options(secret?: string): Promise<ReceptionOptions> {
  return {
    address: { host: '127.0.0.1', port },
    keyring: await openKeyring(store, secret),
    proof: { webhooks: NEUTRAL_DIALECT.webhooks, secret, key: undefined },
    dialect: NEUTRAL_DIALECT,
    store,
    clock: systemClock,
    observe: (event) => void events.push(event),
    onTrouble: (error) => {
      throw error;
    },
  };
}

async function run(secret?: string): Promise<Reception> {
  const opened = await receiveDeliveries(await options(secret));
  open.push(opened);
  return opened;
}

async function listenBeside(secret?: string): Promise<Listening> {
  const opened = await listen({
    state: `${folder}/state.db`,
    address: { host: '127.0.0.1', port },
    environment: { ...NO_ENVIRONMENT, webhookSecret: () => secret },
    onKept: () => undefined,
    onTrouble: (error) => {
      throw error;
    },
    onWait: (sentence) => void told.push(sentence),
  });
  open.push(opened);
  return opened;
}

const said = (): string[] =>
  events.flatMap((one) => (one.kind.startsWith('listener.') ? one.kind : []));

it('a run that finds a listener uses it, and listens in its place once it has ended', async () => {
  const listener = await listenBeside();
  const opened = await run();
  expect(opened.url).toBe(listener.url);
  expect(events).toEqual([{ kind: 'listener.opened', port, isShared: true }]);
  await listener.close();
  const listens = { kind: 'listener.opened', port, isShared: false };
  await expect.poll(() => events[1], until).toEqual(listens);
  expect((await fetch(`${opened.url}/healthz`)).status).toBe(200);
  await opened.close();
  expect(said()).toEqual(['listener.opened', 'listener.opened', 'listener.closed']);
});

it('a listener waits for the end of what listens for its state, and says so once', async () => {
  const opened = await run();
  const listening = listenBeside();
  await expect.poll(() => told, until).toEqual([expect.stringContaining(`127.0.0.1:${port}`)]);
  await opened.close();
  expect((await listening).url).toBe(opened.url);
  expect(told).toHaveLength(1);
});

it('a run whose hook has a secret, and a listener that has another one, do not serve one another', async () => {
  const opened = await run('an agreed word');
  await expect(listenBeside('another word')).rejects.toThrow('SLUICE_WEBHOOK_SECRET');
  expect(told).toEqual([]);
  await opened.close();
  await listenBeside('an agreed word');
  await expect(run('another word')).rejects.toThrow('SLUICE_WEBHOOK_SECRET');
  await run();
});

it('another program keeps its port', async () => {
  const server = await startServer(answering({ status: 'ok', instance: 'a.b' }));
  port = Number(new URL(server.url).port);
  await expect(listenBeside()).rejects.toThrow('the port is taken');
  expect(server.asked).toEqual(['GET /healthz']);
});

it('a process that does not answer is waited for, and that is said', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => void silent.listen(port, '127.0.0.1', resolve));
  const listening = listenBeside();
  await expect.poll(() => told, until).toHaveLength(1);
  silent.close();
  expect((await listening).url).toBe(`http://127.0.0.1:${port}`);
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
  await listenBeside();
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
