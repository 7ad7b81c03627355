import { describe, expect, it } from 'vitest';
import { JANE, startSandbox } from '../start-sandbox.js';

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

  it('is ready at once without a latency', async () => {
    const sandbox = await startSandbox();
    const { id } = await sandbox.enrich(JANE);
    expect((await sandbox.call(`/enrich/${id}`)).status).toBe(200);
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
