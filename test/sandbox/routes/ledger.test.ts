import { describe, expect, it } from 'vitest';
import { z } from 'zod';
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

  it('charges when a result is ready, whether or not anybody reads it', async () => {
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

  it('shows each entry whole', async () => {
    const sandbox = await startSandbox({ latency: { medianMs: 300, sigma: 0 } });
    const { id } = await sandbox.enrich({ ...JANE, firstName: ' Jane' });
    await sandbox.call(`/enrich/${id}`);
    const acceptedAt = sandbox.clock.now;
    expect(await getJson(sandbox, '/sandbox/ledger/entries')).toEqual({
      entries: [
        {
          id,
          fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
          inputs: { firstName: 'Jane', lastName: 'Doe', companyDomain: 'acme.com' },
          ask: ['find_email'],
          acceptedAt,
          readyAt: acceptedAt + 300,
          polls: 1,
          deliveries: 0,
          credits: 0,
        },
      ],
      next: null,
    });
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
