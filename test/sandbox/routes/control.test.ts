import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import { JANE, startSandbox, type TestSandbox } from '../start-sandbox.js';

const PAGE = z.object({
  entries: z.array(z.object({ id: z.string() })),
  next: z.string().nullable(),
});

async function getJson(sandbox: TestSandbox, path: string): Promise<unknown> {
  const answer = await fetch(sandbox.url + path);
  expect(answer.status).toBe(200);
  return answer.json();
}

describe('GET /sandbox/ledger', () => {
  it('names what was accepted more than once', async () => {
    const sandbox = await startSandbox();
    await sandbox.enrich(JANE);
    await sandbox.enrich({ ...JANE, firstName: ' jANE ' });
    await sandbox.enrich({ ...JANE, firstName: 'Joan' });
    const { id } = await sandbox.enrich({
      ...JANE,
      findEmail: 'true',
      webhookUrl: 'http://127.0.0.1:9/',
    });
    await sandbox.call(`/enrich/${id}`);
    await sandbox.call(`/enrich/${id}`);
    await sandbox.call('/enrich/enr_unknown');
    await sandbox.enrich({});

    const [first] = sandbox.ledger.entries() ?? [];
    expect(await getJson(sandbox, '/sandbox/ledger')).toEqual({
      accepted: 4,
      distinct: 2,
      doubled: [{ fingerprint: first?.fingerprint, count: 3 }],
      charged: sandbox.ledger.summary().charged,
      requests: 8,
      worstWindow: 8,
      throttled: 0,
      polls: 2,
      deliveries: expect.any(Number),
      delivered: 0,
      lost: 0,
      lists: 0,
      members: 0,
    });
  });

  it('names a part that was accepted after its whole, and not what asks for more than before', async () => {
    const sandbox = await startSandbox();
    const { findEmail: _asked, ...jane } = JANE;
    await sandbox.enrich(JANE);
    await sandbox.enrich({ ...JANE, findPhone: 'true' });
    expect(sandbox.ledger.summary()).toMatchObject({ accepted: 2, distinct: 2, doubled: [] });
    await sandbox.enrich({ ...jane, firstName: ' jANE ', findPhone: 'true' });
    await sandbox.enrich({ ...jane, firstName: 'Joan', findPhone: 'true' });
    const { fingerprint } = sandbox.ledger.entries()?.[2] ?? {};
    expect(sandbox.ledger.summary().doubled).toEqual([{ fingerprint, count: 2 }]);
  });

  it('charges when a result is ready, whether or not it is read', async () => {
    const sandbox = await startSandbox({ latency: { medianMs: 1000, sigma: 0 } });
    for (let count = 0; count < 50; count += 1) {
      await sandbox.enrich({ verifyEmail: 'true', email: `p${count}@acme.com` });
    }
    expect(sandbox.ledger.summary().charged).toBe(0);
    sandbox.clock.now += 1000;
    const { charged } = sandbox.ledger.summary();
    // One credit each, but for the few that end in an error.
    expect(charged).toBeGreaterThan(44);
    expect(charged).toBeLessThanOrEqual(50);
  });
});

describe('GET /sandbox/ledger/entries', () => {
  it('pages through the entries in the order of acceptance', async () => {
    const sandbox = await startSandbox({ latency: { medianMs: 300, sigma: 0 } });
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) ids.push((await sandbox.enrich(JANE)).id);

    const seen: string[] = [];
    let after = '';
    for (let next: string | null = ''; next !== null; after = `&after=${next}`) {
      const page = PAGE.parse(await getJson(sandbox, `/sandbox/ledger/entries?limit=3${after}`));
      seen.push(...page.entries.map((entry) => entry.id));
      next = page.next;
    }
    expect(seen).toEqual(ids);
  });

  it.each(['limit=0', 'limit=1001', 'limit=x', 'limit=', 'limit=1&limit=2', 'after=enr_unknown'])(
    'refuses %s',
    async (query) => {
      const sandbox = await startSandbox();
      const answer = await sandbox.call(`/sandbox/ledger/entries?${query}`);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({ error: expect.stringMatching(/\.$/) });
    },
  );
});

const LATENCY = { medianMs: 1000, sigma: 0 };
const VERIFY = { verifyEmail: 'true', email: 'jane@acme.com' };
const EVERYTHING = {
  ...VERIFY,
  findEmail: 'true',
  findPhone: 'true',
  socialEnrichment: 'true',
  socialUrl: 'https://social.example/in/jane',
};

async function readCredits(sandbox: TestSandbox): Promise<unknown> {
  return (await fetch(`${sandbox.url}/sandbox/credits`)).json();
}

function items(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    input: { email: `p${index}@acme.com` },
    enrichmentRequests: ['verify_email'],
  }));
}

describe('the credits of the account', () => {
  it('are reserved at the highest price until the result is ready, then charged', async () => {
    const sandbox = await startSandbox({ credits: 100, latency: LATENCY });
    await sandbox.enrich(EVERYTHING);
    expect(await readCredits(sandbox)).toEqual({
      credits: 100,
      charged: 0,
      reserved: 27,
      left: 73,
    });
    sandbox.clock.now += 1000;
    const { charged } = sandbox.ledger.summary();
    expect(await readCredits(sandbox)).toEqual({
      credits: 100,
      charged,
      reserved: 0,
      left: 100 - charged,
    });
    expect(charged).toBeLessThan(27);
  });

  it('refuse with 402 what they might not cover, and accept what they do', async () => {
    const sandbox = await startSandbox({ credits: 9, latency: LATENCY });
    expect((await sandbox.enrich(JANE)).error).toBeUndefined();
    const answer = await sandbox.call(`/enrich?${new URLSearchParams(JANE).toString()}`, {
      method: 'POST',
    });
    expect(answer.status).toBe(402);
    expect(await answer.json()).toEqual({ error: expect.stringContaining('too few credits') });
    for (let left = 4; left > 0; left -= 1) expect((await sandbox.enrich(VERIFY)).id).not.toBe('');
    expect((await sandbox.enrich(VERIFY)).id).toBe('');
    expect(sandbox.ledger.summary().accepted).toBe(5);
  });

  it('accept all of a bulk call or nothing', async () => {
    const sandbox = await startSandbox({ credits: 3, latency: LATENCY });
    expect((await sandbox.send('POST', '/enrich/bulk', items(4))).status).toBe(402);
    expect(sandbox.ledger.summary().accepted).toBe(0);
    // What cannot be asked for costs nothing.
    const malformed = { input: { email: 'x' }, enrichmentRequests: ['verify_email'] };
    expect((await sandbox.send('POST', '/enrich/bulk', [...items(3), malformed])).status).toBe(200);
    expect(sandbox.ledger.summary().accepted).toBe(3);
  });

  it('may be fractions, and are counted exactly', async () => {
    const dialect = dialectSchema.parse({ prices: { verify_email: 0.1 } });
    const sandbox = await startSandbox({ credits: 0.3, latency: LATENCY, dialect });
    await sandbox.send('POST', '/enrich/bulk', items(3));
    expect(await readCredits(sandbox)).toMatchObject({ reserved: 0.3, left: 0 });
    expect((await sandbox.enrich(VERIFY)).id).toBe('');
    const bought = await sandbox.send('POST', '/sandbox/credits', { credits: 0.45 });
    expect(await bought.json()).toMatchObject({ credits: 0.45, left: 0.15 });
    sandbox.clock.now += 1000;
    const { charged } = sandbox.ledger.summary();
    expect(String(charged)).toMatch(/^0(\.[123])?$/);
  });
});
