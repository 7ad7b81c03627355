import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { DroppedConnections } from '../../src/webhook/connection-budget.js';
import type { ListenerOptions } from '../../src/webhook/open-listener.js';
import { tries } from '../helpers/long.js';
import { TEST_MS } from '../helpers/patience.js';
import {
  NOW,
  openConnection,
  type RawConnection,
  RECEIVED,
  rawPost,
  startListener,
} from './start-listener.js';

const CONNECTIONS_MAX = 512;
const SLOW_HEADER = 'POST /x HTTP/1.1\r\nhost: x\r\nx: ';
const SLOW_BODY = rawPost('{"a":1}').slice(0, -3);

/** A listener whose dropped connections are counted; `dropped` closes it, so that all are told. */
async function startCounting(options: Partial<ListenerOptions> = {}) {
  const told: DroppedConnections[] = [];
  const listener = await startListener({
    patienceMs: TEST_MS,
    onDropped: (dropped) => told.push(dropped),
    ...options,
  });
  const open = (bytes: string): RawConnection => {
    const connection = openConnection(listener.port);
    connection.send(bytes);
    return connection;
  };
  const sum = (which: keyof DroppedConnections): number =>
    told.reduce((total, dropped) => total + dropped[which], 0);
  return {
    listener,
    open,
    openMany: (count: number, bytes: string) => Array.from({ length: count }, () => open(bytes)),
    /** Over a connection of its own, which it keeps. */
    deliver: async (): Promise<RawConnection> => {
      const connection = open(rawPost('{}'));
      expect(await connection.answers(1)).toContain(RECEIVED);
      return connection;
    },
    dropped: async () => {
      await listener.close();
      return { keyless: sum('keyless'), keyed: sum('keyed') };
    },
  };
}

describe('where strangers hold all connections', () => {
  it.each([
    ['silent', ''],
    ['in their headers', SLOW_HEADER],
  ])('%s, each delivery takes the place of the oldest', async (_how, bytes) => {
    const { deliver, dropped, open, openMany } = await startCounting();
    const oldest = open(bytes);
    // Its answer tells that the connection before it is there.
    await deliver();
    openMany(CONNECTIONS_MAX - 2, bytes);
    await deliver();
    expect(await oldest.ended).toBe('');
    for (let n = 0; n < 20; n += 1) await deliver();
    expect(await dropped()).toEqual({ keyless: 21, keyed: 0 });
  });

  it('and thousands more come, who has shown a key stays', async () => {
    const { deliver, dropped, openMany } = await startCounting();
    const keyed = await deliver();
    for (let round = 0; round < tries(4); round += 1) {
      const strangers = openMany(CONNECTIONS_MAX * 2, SLOW_HEADER);
      await Promise.all(strangers.slice(0, CONNECTIONS_MAX).map(({ ended }) => ended));
      await deliver();
    }
    keyed.send(rawPost('{}'));
    expect((await keyed.answers(2)).match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
    expect(await dropped()).toMatchObject({ keyed: 0 });
  });

  it('with as many of the strangers leaving as coming, no other connection is dropped', async () => {
    const { deliver, dropped, openMany } = await startCounting();
    for (let round = 0; round < 4; round += 1) {
      const strangers = openMany(CONNECTIONS_MAX / 2, SLOW_HEADER);
      // Its answer tells that those before it are there.
      await deliver();
      for (const stranger of strangers) stranger.drop();
      await Promise.all(strangers.map(({ ended }) => ended));
    }
    await deliver();
    expect(await dropped()).toEqual({ keyless: 0, keyed: 0 });
  });
});

describe('where one key holds all connections', () => {
  it('idle, each delivery takes the place of the one that was used longest ago', async () => {
    const { deliver, dropped, openMany } = await startCounting();
    const first = await deliver();
    const second = await deliver();
    const others = openMany(CONNECTIONS_MAX - 2, rawPost('{}'));
    await Promise.all(others.map((other) => other.answers(1)));
    first.send(rawPost('{}'));
    await first.answers(2);
    await deliver();
    await second.ended;
    first.send(rawPost('{}'));
    expect((await first.answers(3)).match(/HTTP\/1\.1 200 /g)).toHaveLength(3);
    expect(await dropped()).toEqual({ keyless: 0, keyed: 1 });
  });

  it('in the middle of a body, each delivery takes the place of the oldest', async () => {
    const { deliver, dropped, open, openMany } = await startCounting();
    const oldest = open(SLOW_BODY);
    await deliver();
    openMany(CONNECTIONS_MAX - 2, SLOW_BODY);
    for (let n = 0; n < 20; n += 1) await deliver();
    expect(await oldest.ended).toBe('');
    expect(await dropped()).toMatchObject({ keyed: 20 });
  });

  it('strangers push out no more of it than half', async () => {
    const { dropped, openMany } = await startCounting();
    const keyed = openMany(CONNECTIONS_MAX, rawPost('{}'));
    await Promise.all(keyed.map((connection) => connection.answers(1)));
    const strangers = openMany(CONNECTIONS_MAX * 2, SLOW_HEADER);
    await Promise.all(strangers.slice(0, CONNECTIONS_MAX).map(({ ended }) => ended));
    expect(await dropped()).toMatchObject({ keyed: CONNECTIONS_MAX / 2 });
  });
});

it('a connection whose delivery is being stored makes room for no other', async () => {
  let read = 0;
  const events = new EventEmitter();
  const [areAllRead, areStored] = [once(events, 'read'), once(events, 'stored')];
  const { dropped, open, openMany } = await startCounting({
    keep: async () => {
      await areStored;
    },
    // Asked once for each delivery, when its body is there.
    now: () => {
      read += 1;
      if (read === CONNECTIONS_MAX) events.emit('read');
      return NOW;
    },
  });
  const deliveries = openMany(CONNECTIONS_MAX, rawPost('{}'));
  await areAllRead;
  expect(await open(rawPost('{}')).ended).toBe('');
  events.emit('stored');
  const texts = await Promise.all(deliveries.map((delivery) => delivery.answers(1)));
  for (const text of texts) expect(text).toContain(RECEIVED);
  expect(await dropped()).toEqual({ keyless: 1, keyed: 0 });
});

describe('of thousands of requests in one chunk', () => {
  const MANY = 2_000;

  it.each([
    ['to no address', 'GET / HTTP/1.1\r\nhost:\r\n\r\n'],
    ['for its health', 'GET /healthz HTTP/1.1\r\nhost:\r\n\r\n'],
  ])('one is read where no key was shown: %s', async (_, request) => {
    let refused = 0;
    const { open } = await startCounting({ onRefused: () => (refused += 1) });
    const answers = await open(request.repeat(MANY)).ended;
    expect(answers.match(/HTTP\/1\.1 /g)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(refused).toBeLessThanOrEqual(1);
  });

  it('64 are read where one was', async () => {
    const { listener, open } = await startCounting();
    await open(rawPost('{}').repeat(MANY)).ended;
    expect(listener.kept.length).toBeLessThanOrEqual(64);
  });
});
