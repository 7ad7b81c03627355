import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSandbox } from '../../src/sandbox/open-sandbox.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { JANE, startSandbox } from './start-sandbox.js';

const hasIpv6 = networkInterfaces()['lo']?.some(({ family }) => family === 'IPv6') === true;

describe('the sandbox as a server', () => {
  it('takes a free port and says where it listens', async () => {
    const { url } = await startSandbox();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('can be closed twice, and no longer answers', async () => {
    const sandbox = await startSandbox();
    await Promise.all([sandbox.close(), sandbox.close()]);
    await expect(fetch(`${sandbox.url}/sandbox/health`)).rejects.toThrow('fetch failed');
  });

  it('says that its port is taken', async () => {
    const { url } = await startSandbox();
    const port = Number(new URL(url).port);
    await expect(openSandbox({ port })).rejects.toMatchObject({
      code: 'usage',
      message: `The sandbox cannot listen on 127.0.0.1:${port}: the port is taken; choose another with --port.`,
      facts: { code: 'EADDRINUSE' },
    });
  });

  it.each([
    { rate: '0/2s' },
    { rate: '2.5/2s' },
    { rate: ['20/2s', '20/0s'] },
    { latency: { medianMs: -1, sigma: 1 } },
    { latency: { medianMs: 1, sigma: Number.NaN } },
    { username: 'a:b' },
    { seed: 0.5 },
    { faultSeed: Number.NaN },
    { credits: -1 },
    { credits: Number.NaN },
    { faults: { slow: 1.01 } },
    { slowMs: 0 },
    { webhookRetryMs: Number.POSITIVE_INFINITY },
    { webhookTimeoutMs: -1 },
    { webhookBatch: { max: 0, withinMs: 1 } },
    { webhookBatch: { max: 2, withinMs: -1 } },
  ])('refuses the impossible option %j', async (options) => {
    await expect(openSandbox(options)).rejects.toMatchObject({ code: 'usage' });
  });

  it.each([Number.NaN, -1, 65_536, 1.5])('refuses the port %d before it listens', async (port) => {
    await expect(openSandbox({ host: '::1', port })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('The sandbox option port is not possible: ') as string,
    });
  });

  it.skipIf(!hasIpv6)('takes an IPv6 address with brackets, as a URL has it', async () => {
    const sandbox = await openSandbox({ host: '[::1]' });
    expect(sandbox.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    await sandbox.close();
  });

  it('works without any option', async () => {
    const sandbox = await openSandbox();
    const answer = await fetch(`${sandbox.url}/schema/people`);
    await sandbox.close();
    expect(answer.status).toBe(401);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('20');
  });
});

describe('what was accepted', () => {
  it('survives the sandbox, with ids, answers and counts as they were', async () => {
    const ledgerFile = join(tempFolder(), 'ledger.ndjson');
    const latency = { medianMs: 5000, sigma: 1 };
    const first = await startSandbox({ ledgerFile, latency });
    const { id } = await first.enrich(JANE);
    await first.enrich({ ...JANE, firstName: 'JANE ', webhookUrl: 'http://127.0.0.1/x' });
    await first.enrich({ ...JANE, lastName: 'Roe\u2028"' });
    const [entries, summary] = [first.ledger.entries(), first.ledger.summary()];
    await first.close();

    const second = await startSandbox({ ledgerFile, latency });
    expect(second.ledger.entries()).toEqual(entries);
    expect(second.ledger.summary()).toEqual({ ...summary, requests: 0, worstWindow: 0 });
    expect(second.ledger.summary()).toMatchObject({ accepted: 3, distinct: 2 });
    expect((await second.call(`/enrich/${id}`)).status).toBe(202);

    const { id: next } = await second.enrich(JANE);
    expect(entries?.map((entry) => entry.id)).not.toContain(next);
  });
});
