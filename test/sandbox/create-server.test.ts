import { describe, expect, it } from 'vitest';
import { startSandbox } from './start-sandbox.js';

describe('paths and methods', () => {
  it.each([
    '/',
    '/nothing',
    '/enrich/a/b',
    '/schema',
    '/schema/people/x',
    '/sandbox/nothing',
    '/Enrich',
    `/enrich/${'x'.repeat(900)}`,
  ])('GET %s answers 404 in JSON', async (path) => {
    const sandbox = await startSandbox();
    const answer = await sandbox.call(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/\.$/) });
  });

  it('answers a body that is too large with a sentence', async () => {
    const sandbox = await startSandbox();
    const answer = await sandbox.call('/enrich', { method: 'POST', body: 'x'.repeat(2 ** 21) });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toEqual({ error: 'Request body is too large' });
  });
});
