import { describe, expect, it } from 'vitest';
import { startSandbox } from '../start-sandbox.js';

/** Beside what the tests of its own file refuse. */
type Wrong = readonly [query: string, body: unknown, sentence: string];

interface Route {
  readonly method: string;
  readonly path: string;
  /** A method that it does not know, and those that it does. */
  readonly wrong: readonly Wrong[];
}

const TARGET = { targetUrl: 'http://x.example' };

// Every call of the neutral dialect (docs/platform-api.md, Endpoints).
const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/enrich',
    wrong: [],
  },
  {
    method: 'POST',
    path: '/enrich/bulk',
    wrong: [],
  },
  {
    method: 'GET',
    path: '/enrich/enr_x',
    wrong: [],
  },
  { method: 'GET', path: '/schema/people', wrong: [] },
  {
    method: 'POST',
    path: '/contacts/lists',
    wrong: [
      ['', '"', 'The body is not JSON.'],
      ['?name=x', { name: 'x' }, 'The parameter name is unknown.'],
    ],
  },
  {
    method: 'POST',
    path: '/contacts/lists/clt_x/entities',
    wrong: [
      ['', '[', 'The body is not JSON.'],
      ['?email=x', { entities: [] }, 'The parameter email is unknown.'],
    ],
  },
  {
    method: 'GET',
    path: '/inbox/ctc_priya/drafts/drf_welcome',
    wrong: [],
  },
  {
    method: 'POST',
    path: '/hooks',
    wrong: [
      ['', 'x', 'The body is not JSON.'],
      ['', { ...TARGET, secret: '' }, 'The value of secret cannot be used'],
      ['?zapId=1&zapId=2', TARGET, 'zapId is given more than once'],
    ],
  },
  { method: 'GET', path: '/hooks', wrong: [] },
  { method: 'DELETE', path: '/hooks/hoo_x', wrong: [] },
];

const bodyOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

describe.each(ROUTES)('$method $path', ({ method, path, wrong }) => {
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

  it.each(wrong)('is 400 for the query %j and the body %j', async (query, body, sentence) => {
    const sandbox = await startSandbox();
    const answer = await sandbox.call(path + query, {
      method,
      ...(body !== undefined && { body: bodyOf(body) }),
    });
    const told = errorOf(await answer.json());
    expect(answer.status).toBe(400);
    expect(told).toContain(sentence);
    expect(told).toMatch(/^[^\n]+[.?]$/);
  });
});

function errorOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : '';
}
