import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startReceiver } from '../start-receiver.js';
import { startSandbox, type TestSandbox } from '../start-sandbox.js';

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
});
