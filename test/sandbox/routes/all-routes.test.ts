import { describe, expect, it } from 'vitest';
import { startSandbox } from '../start-sandbox.js';

// Every call of the neutral dialect (docs/platform-api.md, Endpoints).
describe.each([
  ['POST', '/enrich'],
  ['POST', '/enrich/bulk'],
  ['GET', '/enrich/enr_x'],
  ['GET', '/schema/people'],
  ['POST', '/contacts/lists'],
  ['POST', '/contacts/lists/clt_x/entities'],
  ['GET', '/inbox/ctc_priya/drafts/drf_welcome'],
  ['POST', '/hooks'],
  ['GET', '/hooks'],
  ['DELETE', '/hooks/hoo_x'],
])('%s %s', (method, path) => {
  it('is 401 without credentials, whatever else is wrong', async () => {
    const sandbox = await startSandbox();
    const answer = await fetch(sandbox.url + path, { method });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/\.$/) });
  });

  it('is known by this method, and 404 by another', async () => {
    const sandbox = await startSandbox();
    const known = await sandbox.call(path, { method });
    expect([200, 400, 404]).toContain(known.status);
    expect(await known.text()).not.toContain('nothing at this path');
    const answer = await sandbox.call(path, { method: 'PATCH' });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/method\.$/) });
  });
});

const TARGET = { targetUrl: 'http://x.example' };

it.each<[string, unknown, string]>([
  ['/contacts/lists', '"', 'The body is not JSON.'],
  ['/contacts/lists?name=x', { name: 'x' }, 'The parameter name is unknown.'],
  ['/contacts/lists/clt_x/entities', '[', 'The body is not JSON.'],
  ['/contacts/lists/clt_x/entities?email=x', { entities: [] }, 'The parameter email is unknown.'],
  ['/hooks', 'x', 'The body is not JSON.'],
  ['/hooks', { ...TARGET, secret: '' }, 'The value of secret cannot be used'],
  ['/hooks?zapId=1&zapId=2', TARGET, 'zapId is given more than once'],
])('POST %s is 400 for the body %j', async (path, body, sentence) => {
  const sandbox = await startSandbox();
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await sandbox.call(path, { method: 'POST', body: text });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({ error: expect.stringContaining(sentence) });
});
