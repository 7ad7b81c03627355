import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { idsOf, startReceiver } from '../start-receiver.js';
import { JANE, startSandbox, type TestSandbox } from '../start-sandbox.js';

const HOOK = z.object({ _id: z.string() }).transform(({ _id: id }) => ({ id }));

async function register(sandbox: TestSandbox, body: object, query = ''): Promise<string> {
  const answer = await sandbox.send('POST', `/hooks${query}`, body);
  expect(answer.status).toBe(200);
  return HOOK.parse(await answer.json()).id;
}

async function verifyMany(sandbox: TestSandbox, count: number, tag = 'p'): Promise<void> {
  const items = Array.from({ length: count }, (_, index) => ({
    input: { email: `${tag}${index}@acme.com` },
    enrichmentRequests: ['verify_email'],
  }));
  expect((await sandbox.send('POST', '/enrich/bulk', items)).status).toBe(200);
}

describe('the hooks of the platform', () => {
  it('are registered, listed and deleted, and never tell their secret', async () => {
    const sandbox = await startSandbox();
    const targetUrl = 'https://x.example/a?b=1';
    const createdAt = new Date(sandbox.clock.now).toISOString();
    const secret = 'open sesame';
    const made = await sandbox.send('POST', '/hooks', { targetUrl, type: 'emailsSent', secret });
    const first = await made.json();
    const anId = expect.stringMatching(/^hoo_[0-9a-f]{24}$/);
    expect(first).toEqual({ _id: anId, targetUrl, createdAt, type: 'emailsSent' });
    const query = '?campaignId=cam_1&isFirst=true&zapId=7';
    const second = await (await sandbox.send('POST', `/hooks${query}`, { targetUrl })).json();
    expect(second).toEqual({ _id: anId, targetUrl, createdAt });
    expect(await (await sandbox.call('/hooks')).json()).toEqual([first, second]);
    const control = await (await fetch(`${sandbox.url}/sandbox/hooks`)).text();
    expect(control).not.toContain(secret);
    expect(JSON.parse(control)).toMatchObject([
      {},
      { campaignId: 'cam_1', isFirst: true, zapId: '7' },
    ]);

    const id = HOOK.parse(first).id;
    const deleted = await sandbox.call(`/hooks/${id}`, { method: 'DELETE' });
    expect([deleted.status, await deleted.json()]).toEqual([200, first]);
    const again = await sandbox.call(`/hooks/${id}`, { method: 'DELETE' });
    expect(again.status).toBe(404);
    expect(await (await sandbox.call('/hooks')).json()).toEqual([second]);
  });

  const TARGET = { targetUrl: 'http://x.example' };
  it.each([
    [{}, '', 'targetUrl'],
    [{ targetUrl: 'ftp://x.example' }, '', 'targetUrl cannot be used: not an http(s) URL.'],
    [{ ...TARGET, type: 'skipped' }, '', 'skipped was removed from the platform: nothing repl'],
    [
      { ...TARGET, type: 'emailsSendFailed' },
      '',
      'was removed from the platform: use emailsFailed.',
    ],
    [{ ...TARGET, type: 'opportunitiesDone' }, '', 'use annotated, or task-level webhooks.'],
    [{ ...TARGET, type: 'emailSent' }, '', 'did you mean emailsSent?'],
    [{ ...TARGET, type: '' }, '', 'There is no event ""'],
    [{ ...TARGET, type: 5 }, '', 'The value of type cannot be used'],
    [{ ...TARGET, secret: 5 }, '', 'secret'],
    [{ ...TARGET, url: 'x' }, '', 'must be an object of targetUrl'],
    [[], '', 'must be an object of targetUrl'],
    [TARGET, '?isFirst=1', 'isFirst must be true or false'],
    [TARGET, '?campaign=1', 'The parameter campaign is unknown.'],
  ])('refuse %j with the query %j', async (body, query, sentence) => {
    const sandbox = await startSandbox();
    const answer = await sandbox.send('POST', `/hooks${query}`, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: expect.stringContaining(sentence) });
  });

  it('keep their secret for good: another one takes another hook', async () => {
    const [sandbox, receiver] = [await startSandbox(), await startReceiver()];
    const id = await register(sandbox, { targetUrl: receiver.url, secret: 'first' });
    for (const method of ['PUT', 'PATCH', 'POST']) {
      const body = { targetUrl: receiver.url, secret: 'second' };
      const answer = await sandbox.send(method, `/hooks/${id}`, body);
      expect(answer.status).toBe(404);
    }
    await sandbox.enrich(JANE);
    await receiver.received(1);
    await sandbox.call(`/hooks/${id}`, { method: 'DELETE' });
    await register(sandbox, { targetUrl: receiver.url, secret: 'second' });
    await sandbox.enrich(JANE);
    await receiver.received(2);
    expect(receiver.posts.map(({ body }) => body.secret)).toEqual(['first', 'second']);
  });

  it('never get an id for a second time', async () => {
    const sandbox = await startSandbox();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push(await register(sandbox, { targetUrl: 'http://x.example' }));
      if (count === 1) await sandbox.call(`/hooks/${ids[0] ?? ''}`, { method: 'DELETE' });
    }
    expect(new Set(ids).size).toBe(5);
  });
});

describe('delivery to hooks', () => {
  it('keeps results from a hook of one campaign, since they belong to none', async () => {
    const sandbox = await startSandbox();
    const [all, limited] = [await startReceiver(), await startReceiver()];
    await register(sandbox, { targetUrl: limited.url }, '?campaignId=cam_spring');
    await register(sandbox, { targetUrl: all.url }, '?isFirst=true');
    await verifyMany(sandbox, 3);
    await all.received(3);
    await sandbox.until(({ delivered }) => delivered === 3);
    expect(limited.posts).toHaveLength(0);
  });

  it('begins with what is not ready when the hook comes, and ends when it goes', async () => {
    const sandbox = await startSandbox({ latency: { medianMs: 1000, sigma: 0 } });
    const [own, hooked] = [await startReceiver(), await startReceiver()];
    await sandbox.enrich(JANE);
    sandbox.clock.now += 1000;
    const { id: first } = await sandbox.enrich({ ...JANE, webhookUrl: own.url });
    const { id: second } = await sandbox.enrich(JANE);
    const hook = await register(sandbox, { targetUrl: hooked.url });
    sandbox.clock.now += 1000;
    await sandbox.until(({ delivered }) => delivered === 3);
    expect(idsOf(own.posts)).toEqual([first]);
    expect(idsOf(hooked.posts).toSorted()).toEqual([first, second].toSorted());

    await sandbox.call(`/hooks/${hook}`, { method: 'DELETE' });
    await sandbox.enrich({ ...JANE, webhookUrl: own.url });
    sandbox.clock.now += 1000;
    await own.received(2);
    await sandbox.until(({ delivered }) => delivered === 4);
    expect(hooked.posts).toHaveLength(2);
  });
});
