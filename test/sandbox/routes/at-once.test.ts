// A platform that has no tickets: the answer to a submission is its result, and costs at once.
import { expect, it } from 'vitest';
import { AUTHORIZATION, JANE, startSandbox } from '../start-sandbox.js';

it('answers a submission, single or in bulk, with what a sandbox with tickets gives later', async () => {
  const late = await startSandbox();
  const { id } = await late.enrich(JANE);
  const later = (await (await late.call(`/enrich/${id}`)).json()) as { data: unknown };
  const sandbox = await startSandbox({ atOnce: true, latency: { medianMs: 9_000, sigma: 0 } });
  const { findEmail: _flag, ...input } = JANE;
  const query = new URLSearchParams(JANE).toString();
  const headers = { authorization: AUTHORIZATION };
  const one = await sandbox.call(`/enrich?${query}`, { method: 'POST', headers });
  expect(await one.json()).toEqual({ ...later, id });
  const items = [{ input, enrichmentRequests: ['find_email'], metadata: 'key-1' }];
  const many = (await (await sandbox.send('POST', '/enrich/bulk', items)).json()) as object[];
  expect(many).toMatchObject([{ metadata: 'key-1', data: expect.any(Object) }]);
  const ready = sandbox.ledger.entries()?.map(({ acceptedAt, readyAt }) => readyAt - acceptedAt);
  expect(ready).toEqual([0, 0]);
});
