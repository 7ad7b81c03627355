import { describe, expect, it } from 'vitest';
import { createReadiness } from '../../src/webhook/open-listener.js';
import { startListener } from './start-listener.js';

describe('/readyz', () => {
  it('is 200 while deliveries can be kept, and 503 with the reason while they cannot', async () => {
    let isFull = false;
    let now = 0;
    const checkKeeping = async (): Promise<void> => {
      if (isFull) throw new Error('/var/lib: disk full');
    };
    const refused: string[] = [];
    const listener = await startListener({
      checkKeeping,
      now: () => now,
      onRefused: ({ reason }) => refused.push(reason),
    });
    const ask = () => fetch(`${listener.url}/readyz`);
    const well = await ask();
    expect([well.status, await well.json()]).toEqual([200, { status: 'ready' }]);
    isFull = true;
    now += 1_000;
    const ill = await ask();
    expect([ill.status, ill.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await ill.json()).toEqual({
      error: 'The state cannot be written at the moment; deliveries are refused.',
    });
    expect((await fetch(`${listener.url}/healthz`)).status).toBe(200);
    expect(refused).toEqual(['not_ready']);
    isFull = false;
    now += 1_000;
    expect((await ask()).status).toBe(200);
  });

  it.each(['/sluice/readyz', '/a/b/readyz?x=1'])('may stand under any path: %s', async (path) => {
    const listener = await startListener();
    const answer = await fetch(listener.url + path);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ready' }]);
  });

  it('takes no other method', async () => {
    const listener = await startListener();
    const answer = await fetch(`${listener.url}/readyz`, { method: 'POST', body: '{}' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('readiness', () => {
  it('asks the disk once a second at most, however often it is asked', async () => {
    let asked = 0;
    let now = 5_000;
    const check = async (): Promise<void> => {
      asked += 1;
    };
    const isReady = createReadiness(check, () => now);
    await Promise.all([isReady(), isReady()]);
    now += 999;
    await isReady();
    expect(asked).toBe(1);
    now += 1;
    await isReady();
    expect(asked).toBe(2);
    // The clock was set back.
    now = 0;
    await isReady();
    expect(asked).toBe(3);
  });
});

it('tells of each refusal by its name', async () => {
  const refused: unknown[] = [];
  const listener = await startListener({
    onRefused: ({ reason, status }) => refused.push([reason, status]),
  });
  await listener.post('no json');
  await listener.post('{}', '/nowhere');
  await listener.post('{}', '/%zz');
  expect(refused).toEqual([
    ['not_json', 400],
    ['unknown_address', 404],
    ['unknown_address', 404],
  ]);
});
