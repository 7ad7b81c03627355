import { describe, expect, it } from 'vitest';
import { AUTHORIZATION, JANE, startSandbox } from '../start-sandbox.js';

const URL_ONLY = { socialUrl: 'https://social.example/in/jane-doe' };
const NAMES = { firstName: 'Jane', lastName: 'Doe' };

describe('POST /enrich', () => {
  it.each([
    ['an e-mail from names and a domain', JANE],
    ['an e-mail from names and a company', { findEmail: 'true', ...NAMES, companyName: 'Acme' }],
    ['an e-mail from a profile', { findEmail: 'true', ...URL_ONLY }],
    ['a verification', { verifyEmail: 'true', email: "o'b+x@mail.acme.co.uk" }],
    ['a phone', { findPhone: 'true', ...URL_ONLY }],
    ['a profile from an e-mail', { socialEnrichment: 'true', email: 'a@b.io' }],
    ['a profile from names', { socialEnrichment: 'true', ...NAMES, companyName: 'A & B' }],
    ['a profile from a profile', { socialEnrichment: 'true', ...URL_ONLY }],
    ['a flag that is false', { ...JANE, findPhone: 'false' }],
    ['a blank input', { ...JANE, email: ' ' }],
    ['an international domain', { ...JANE, companyDomain: 'münchen-café.de' }],
    ['a webhook', { ...JANE, webhookUrl: 'http://127.0.0.1:9/hook?key=%20' }],
    ['a long value', { ...JANE, companyName: 'x'.repeat(1000) }],
  ])('accepts %s', async (_case, query) => {
    const sandbox = await startSandbox();
    const answer = await sandbox.call(`/enrich?${new URLSearchParams(query).toString()}`, {
      method: 'POST',
    });
    expect(await answer.json()).toEqual({ id: expect.stringMatching(/^enr_[0-9a-f]{32}$/) });
    expect(answer.status).toBe(200);
  });

  it('leaves a body alone, whatever its type', async () => {
    const sandbox = await startSandbox();
    for (const [type, body] of [
      ['application/json', ''],
      ['application/json', '{"email":1'],
      ['text/csv', 'x'],
    ] as const) {
      const headers = { authorization: AUTHORIZATION, 'content-type': type };
      const answer = await sandbox.call(`/enrich?${new URLSearchParams(JANE).toString()}`, {
        method: 'POST',
        headers,
        body,
      });
      expect(answer.status).toBe(200);
    }
  });

  it('hands out an id of its own for every request, also for equal ones', async () => {
    const sandbox = await startSandbox();
    const ids = new Set<string>();
    for (let count = 0; count < 20; count += 1) ids.add((await sandbox.enrich(JANE)).id);
    expect(ids.size).toBe(20);
  });

  it('gives the same ids for the same requests and seed, and others for another seed', async () => {
    const ids = [];
    for (const seed of [1, 1, 2]) ids.push((await (await startSandbox({ seed })).enrich(JANE)).id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[2]);
  });
});

describe('GET /enrich/{id}', () => {
  it('answers 202 until the result is ready, and then 200', async () => {
    const sandbox = await startSandbox({ latency: { medianMs: 5000, sigma: 0 } });
    const { id } = await sandbox.enrich(JANE);

    sandbox.clock.now += 4999;
    const pending = await sandbox.call(`/enrich/${id}`);
    expect(pending.status).toBe(202);
    expect(await pending.json()).toEqual({ id, status: 'in_progress' });

    sandbox.clock.now += 1;
    const done = await sandbox.call(`/enrich/${id}`);
    expect(done.status).toBe(200);
    expect(await done.json()).toMatchObject({ type: 'enrichmentDone', data: [{ id }] });
  });

  it('answers 404 for an unknown id', async () => {
    const sandbox = await startSandbox();
    const answer = await sandbox.call('/enrich/enr_0123');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ error: 'There is no enrichment with this id.' });
  });

  it('gives every spelling of the same inputs the same answer, in any order of requests', async () => {
    const spellings = [JANE, { ...JANE, firstName: ' JANE', companyDomain: 'ACME.com' }];
    const answers: unknown[] = [];
    for (const order of [spellings, spellings.toReversed()]) {
      const sandbox = await startSandbox({ seed: 7 });
      for (const query of order) {
        await sandbox.enrich({ ...JANE, lastName: 'Somebody Else' });
        const { id } = await sandbox.enrich({ ...query, socialEnrichment: 'true' });
        const body = await (await sandbox.call(`/enrich/${id}`)).text();
        sandbox.clock.now += 86_400_000;
        answers.push(body.replaceAll(id, 'ID'));
      }
    }
    expect(new Set(answers).size).toBe(1);
  });
});
