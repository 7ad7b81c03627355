import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { NEUTRAL_DIALECT } from '../../src/dialect/dialect.js';
import { readBody } from '../../src/platform/wire/read-body.js';
import { openListener } from '../../src/webhook/open-listener.js';
import { nextTurn } from '../helpers/driven-clock.js';
import {
  KEYS,
  NOW,
  openConnection,
  RECEIVED,
  rawPost,
  SCOPE,
  startListener,
} from './start-listener.js';

const HAS_IPV6 = Object.values(networkInterfaces())
  .flat()
  .some((face) => face?.address === '::1');

/** A keep that ends when the test says so. */
function holdKeep() {
  const groups: number[] = [];
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const called: (() => void)[] = [];
  return {
    groups,
    ends,
    keep: (group: readonly unknown[]) => {
      groups.push(group.length);
      for (const call of called.splice(0)) call();
      return new Promise<void>((resolve, reject) => {
        ends.push({ resolve, reject });
      });
    },
    /** Resolves at the next call. */
    next: () =>
      new Promise<void>((resolve) => {
        called.push(resolve);
      }),
  };
}

describe('a delivery', () => {
  it('is stored as it came, under its account and its enrichment, and then answered', async () => {
    const listener = await startListener();
    const body = ' {"type":"enrichmentDone", "data":[{"id":"enr_1","n":1.0}]}\n';
    const answer = await listener.post(body);
    expect([answer.status, await answer.text()]).toEqual([200, RECEIVED]);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(listener.kept).toEqual([
      { scope: SCOPE, enrichmentId: 71, callId: null, receivedAt: NOW, body },
    ]);
  });

  it.each(['batch', 'hook'] as const)(
    'to the address of a %s names no enrichment',
    async (kind) => {
      const listener = await startListener();
      expect((await listener.post('{}', `/${KEYS[kind]}`)).status).toBe(200);
      expect(listener.kept).toMatchObject([{ scope: SCOPE, enrichmentId: null }]);
    },
  );

  it('is not answered before it is stored', async () => {
    const { keep, ends, next } = holdKeep();
    const listener = await startListener({ keep });
    const called = next();
    let isAnswered = false;
    const answered = listener.post('{}').then((answer) => {
      isAnswered = true;
      return answer;
    });
    await called;
    // A whole other exchange with the same server takes place in the meantime.
    await fetch(`${listener.url}/healthz`);
    expect(isAnswered).toBe(false);
    ends[0]?.resolve();
    expect((await answered).status).toBe(200);
  });

  it('that cannot be stored is answered 503, and the next one is stored', async () => {
    let isFull = true;
    const kept: string[] = [];
    const listener = await startListener({
      keep: async (group) => {
        if (isFull) throw new Error('/home/ada/state.db: disk full');
        kept.push(...group.map(({ body }) => body));
      },
    });
    const answer = await listener.post('{"n":1}');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toEqual({
      error: 'The delivery could not be stored; send it again later.',
    });
    isFull = false;
    expect((await listener.post('{"n":2}')).status).toBe(200);
    expect(kept).toEqual(['{"n":2}']);
  });

  it('among many at once is stored in groups', async () => {
    const { keep, groups, ends, next } = holdKeep();
    const listener = await startListener({ keep });
    const first = next();
    const answers = [listener.post('{}')];
    await first;
    // One connection, so that all of them are there once the last one is.
    const others = openConnection(listener.port);
    others.send(rawPost('{}').repeat(30));
    const second = next();
    await fetch(`${listener.url}/healthz`);
    expect(groups).toEqual([1]);
    ends[0]?.resolve();
    await second;
    expect(groups).toEqual([1, 30]);
    ends[1]?.resolve();
    expect((await others.answers(30)).split(RECEIVED)).toHaveLength(31);
    await Promise.all(answers);
  });
});

describe('its health', () => {
  it('is told, with the name of the instance', async () => {
    const listener = await startListener();
    const answer = await fetch(`${listener.url}/healthz?x=1`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'ok', instance: 'this one' });
    expect((await fetch(`${listener.url}/healthz`, { method: 'HEAD' })).status).toBe(200);
  });
});

describe('the address', () => {
  it('has the port that was free', async () => {
    const { url, port } = await startListener();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect(port).toBeGreaterThan(0);
  });

  it('is one, also for localhost', async () => {
    const listener = await startListener({ host: 'localhost' });
    const { url } = listener;
    expect(url).toMatch(/^http:\/\/localhost:\d+$/);
    expect((await listener.post('{}')).status).toBe(200);
    await listener.close();
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
  });

  it.runIf(HAS_IPV6)('may be one of IPv6', async () => {
    const listener = await startListener({ host: '::1' });
    expect(listener.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await listener.post('{}')).status).toBe(200);
  });

  it('that is taken is refused with a way out', async () => {
    const { port } = await startListener();
    await expect(startListener({ port })).rejects.toMatchObject({
      code: 'usage',
      message: `The listener cannot listen on 127.0.0.1:${port}: the port is taken; choose another with --listen.`,
      facts: { code: 'EADDRINUSE' },
    });
  });

  it.each([
    ['192.0.2.1', 0, 'this machine does not have that address', 'EADDRNOTAVAIL'],
    ['2001:db8::1', 70_000, 'a port is a whole number from 0 to 65535', 'ERR_SOCKET_BAD_PORT'],
    ['no host', 0, 'the host', undefined],
  ])('%s:%d cannot be', async (host, port, reason, code) => {
    const opening = startListener({ host, port });
    const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
    await expect(opening).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`cannot listen on ${address}: ${reason}`),
      facts: { code: code ?? expect.any(String) },
    });
  });
});

describe('closing', () => {
  it('finishes and answers what is being stored, then takes nothing more', async () => {
    const { keep, ends, next } = holdKeep();
    const listener = await startListener({ keep });
    const called = next();
    const connection = openConnection(listener.port);
    connection.send(rawPost('{}'));
    await called;
    const closed = [listener.close(), listener.close()];
    const late = await listener.post('{}');
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1']);
    const asked = await fetch(`${listener.url}/readyz`);
    expect(asked.status).toBe(503);
    expect(await asked.json()).toEqual({ error: expect.stringContaining('is closing') });
    expect((await fetch(`${listener.url}/healthz`)).status).toBe(200);
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    ends[0]?.resolve();
    await Promise.all(closed);
    expect(await connection.ended).toContain(RECEIVED);
    await expect(fetch(`${listener.url}/healthz`)).rejects.toThrow('fetch failed');
  });

  it('finishes also what came while something else was being stored', async () => {
    const { keep, ends, groups, next } = holdKeep();
    const listener = await startListener({ keep });
    const called = next();
    const [one, two] = [openConnection(listener.port), openConnection(listener.port)];
    one.send(rawPost('{"n":1}'));
    await called;
    two.send(rawPost('{"n":2}'));
    await fetch(`${listener.url}/healthz`);
    const closed = listener.close();
    const second = next();
    ends[0]?.resolve();
    await second;
    ends[1]?.resolve();
    await closed;
    expect(groups).toEqual([1, 1]);
    expect(await two.ended).toContain(RECEIVED);
  });

  it('waits for no connection that is idle, silent, slow, or half through', async () => {
    const listener = await startListener();
    const silent = openConnection(listener.port);
    const idle = openConnection(listener.port);
    idle.send(rawPost('{}'));
    const slow = openConnection(listener.port);
    slow.send('POST /x HTTP/1.1\r\nhost');
    const half = openConnection(listener.port);
    half.send(rawPost('{"a":1}').slice(0, -2));
    await idle.answers(1);
    await listener.close();
    expect(await half.ended).not.toContain(RECEIVED);
    expect(await silent.ended).toBe('');
    expect(await slow.ended).toBe('');
    expect(listener.bodies()).toEqual(['{}']);
  });

  it('frees the port', async () => {
    const listener = await startListener();
    const { port } = listener;
    await listener.close();
    expect((await startListener({ port })).port).toBe(port);
  });
});

it('takes no more than it says from its keyring', async () => {
  const asked: string[] = [];
  const listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    keyring: {
      open: (text) => {
        asked.push(text);
        return undefined;
      },
    },
    proof: { webhooks: NEUTRAL_DIALECT.webhooks, secret: undefined, key: undefined },
    readBody,
    now: () => NOW,
    keep: async () => undefined,
    checkKeeping: () => Promise.resolve(),
    instance: '',
  });
  await fetch(`${listener.url}/a/b/c.d?e=/f`, { method: 'POST' });
  await listener.close();
  expect(asked).toEqual(['c.d']);
});
