import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tempFolder } from '../../helpers/temp-folder.js';
import { startReceiver } from '../start-receiver.js';
import { startSandbox } from '../start-sandbox.js';

const NAMES = { firstName: 'Jane', lastName: 'Doe', companyDomain: 'acme.com' };
const ANSWERS = z.array(
  z.object({
    id: z.string().optional(),
    error: z.string().optional(),
    metadata: z.unknown().optional(),
  }),
);

function item(over: object = {}): object {
  return { input: NAMES, enrichmentRequests: ['find_email'], metadata: 'key-1', ...over };
}

function verify(email: string): object {
  return item({ input: { email }, enrichmentRequests: ['verify_email'] });
}

describe('POST /enrich/bulk', () => {
  it('answers in order: an id for what can be asked, an error for what cannot', async () => {
    const sandbox = await startSandbox();
    const answer = await sandbox.send('POST', '/enrich/bulk', [
      item({ metadata: { row: 1, tags: [null, 'ä'] } }),
      item({ enrichmentRequests: ['verify_email'], metadata: 0 }),
      verify('not an address'),
      item({ metadata: null }),
      { input: NAMES, enrichmentRequests: ['find_email', 'find_email'] },
    ]);
    expect(answer.status).toBe(200);
    const answers = ANSWERS.parse(await answer.json());
    const id = expect.stringMatching(/^enr_[0-9a-f]{32}$/);
    expect(answers).toEqual([
      { id, metadata: { row: 1, tags: [null, 'ä'] } },
      { error: expect.stringContaining('verify_email needs email'), metadata: 0 },
      { error: expect.stringContaining('email: It is not an e-mail address'), metadata: 'key-1' },
      { id, metadata: null },
      { id },
    ]);
    expect(sandbox.ledger.entries()).toMatchObject([
      { id: answers[0]?.id, ask: ['find_email'], inputs: NAMES, metadata: { row: 1 } },
      { id: answers[3]?.id, metadata: null },
      { id: answers[4]?.id, ask: ['find_email'] },
    ]);
    expect(sandbox.ledger.entries()?.[2]).not.toHaveProperty('metadata');
    expect(sandbox.ledger.summary()).toMatchObject({ accepted: 3, distinct: 1, requests: 1 });
  });

  it('gives the metadata back by id and in the webhook, also after a restart', async () => {
    const receiver = await startReceiver();
    const ledgerFile = join(tempFolder(), 'ledger.ndjson');
    const options = { ledgerFile, latency: { medianMs: 1000, sigma: 0 } };
    const first = await startSandbox(options);
    const metadata = { key: 'k\u2028"', deep: [{ a: null }] };
    await first.send('POST', `/enrich/bulk?webhookUrl=${receiver.url}`, [item({ metadata })]);
    await first.close();

    const second = await startSandbox(options);
    second.clock.now += 1000;
    const [post] = await receiver.received(1);
    const [entry] = second.ledger.entries() ?? [];
    const byId = await (await second.call(`/enrich/${entry?.id ?? ''}`)).text();
    expect(post?.text).toBe(byId);
    expect(post?.body.data).toMatchObject([{ id: entry?.id, metadata }]);
    expect(entry?.metadata).toEqual(metadata);
  });

  it('refuses what is too large', async () => {
    const sandbox = await startSandbox();
    const body = JSON.stringify([item({ metadata: 'x'.repeat(4_200_000) })]);
    const large = await sandbox.call('/enrich/bulk', { method: 'POST', body });
    expect(large.status).toBe(413);
  });

  it('takes 500 items with long values', async () => {
    const sandbox = await startSandbox();
    const items = Array.from({ length: 500 }, (_, index) =>
      item({
        input: { ...NAMES, companyName: 'x'.repeat(1000) },
        metadata: `m${index}`.repeat(500),
      }),
    );
    expect((await sandbox.send('POST', '/enrich/bulk', items)).status).toBe(200);
    expect(sandbox.ledger.summary()).toMatchObject({ accepted: 500, requests: 1 });
  });
});
