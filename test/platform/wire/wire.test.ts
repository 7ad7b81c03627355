import type { IncomingHttpHeaders } from 'node:http';
import { expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import type { Permit } from '../../../src/ports/platform.js';
import {
  answer,
  CREDENTIALS,
  openTestPlatform,
  openTestServer,
  permitOf,
  problemOf,
  type TestPlatform,
} from '../test-server.js';

/** Each call once, with `tail` behind every value that is not ours. */
async function callEverything(platform: TestPlatform, tail = ''): Promise<void> {
  const paid = async (send: (permit: Permit) => Promise<unknown>) => send(await permitOf(platform));
  const email = `a@b.example${tail}`;
  const request = { ask: ['verify_email'], inputs: { email } } as const;
  const calls = [
    () => paid((permit) => platform.submit(request, permit)),
    () => paid((permit) => platform.submitMany([{ request, key: 'k' }], permit)),
    () => paid((permit) => platform.read(`enr_1${tail}`, permit)),
    () => platform.readPeopleSchema(),
    () => paid((permit) => platform.createList(`x${tail}`, permit)),
    () => platform.addToList(`clt_1${tail}`, [{ email }]),
    () => platform.readDraft(`ctc_1${tail}`, `drf_1${tail}`, `usr_1${tail}`),
    () => platform.addHook({ targetUrl: 'https://me.example' }),
    () => platform.listHooks(),
    () => platform.removeHook(`hoo_1${tail}`),
  ];
  for (const call of calls) await call().catch(() => undefined);
}
const CALL_COUNT = 10;

it('every call carries the Basic credentials, and a body is JSON and says so', async () => {
  // No answer of any call: what is sent is all that counts.
  const server = await openTestServer(answer(400, { error: 'no' }));
  const platform = openTestPlatform(server.url);
  await callEverything(platform);

  expect(server.asked).toEqual([
    'POST /enrich?verifyEmail=true&email=a%40b.example',
    'POST /enrich/bulk',
    'GET /enrich/enr_1',
    'GET /schema/people',
    'POST /contacts/lists',
    'POST /contacts/lists/clt_1/entities',
    'GET /inbox/ctc_1/drafts/drf_1?draftOwner=usr_1',
    'POST /hooks',
    'GET /hooks',
    'DELETE /hooks/hoo_1',
  ]);
  const token = Buffer.from(`${CREDENTIALS.username}:${CREDENTIALS.password}`).toString('base64');
  expect(new Set(server.authorizations)).toEqual(new Set([`Basic ${token}`]));
  const bodies = server.bodies.filter(({ text }) => text !== '');
  expect(bodies.map(({ type }) => type)).toEqual(Array(4).fill('application/json'));
  for (const { text } of bodies) expect(JSON.parse(text)).toBeTypeOf('object');
});

it.each([301, 302, 303, 307, 308])(
  'no call follows a redirect to another host: %i',
  async (status) => {
    const elsewhere = await openTestServer(answer(200, { id: 'enr_stolen' }));
    const location = `${elsewhere.url}/enrich/enr_1`;
    const server = await openTestServer(answer(status, '', { location }));
    const platform = openTestPlatform(server.url);
    await callEverything(platform);
    expect(server.asked).toHaveLength(CALL_COUNT);
    expect(elsewhere.asked).toEqual([]);
  },
);

it.each([
  ['a header', '\r\nx-evil: 1'],
  ['a header after a lone line feed', '\nx-evil: 1'],
  ['a second request', ' HTTP/1.1\r\nhost: x\r\n\r\nGET /stolen HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['another path', '/../../stolen'],
  ['another parameter', '&evil=1?evil=1#evil'],
  ['another key', '","evil":"1'],
])('no value of a call becomes %s', async (_, tail) => {
  const plain: string[][] = [];
  const asked: string[][] = [];
  for (const [told, end] of [
    [plain, ''],
    [asked, tail],
  ] as const) {
    const server = await openTestServer((request, response) => {
      const { pathname, searchParams } = new URL(`http://x${request.url ?? ''}`);
      const segments = pathname.split('/').length;
      told.push([request.method ?? '', String(segments), ...searchParams.keys()]);
      told.push(request.rawHeaders.filter((__, n) => n % 2 === 0));
      response.writeHead(400).end();
    });
    const platform = openTestPlatform(server.url);
    await callEverything(platform, end);
    told.push(...server.bodies.map(({ text }) => (text === '' ? [] : keysIn(JSON.parse(text)))));
  }
  expect(asked.length).toBeGreaterThan(2 * CALL_COUNT);
  expect(asked).toEqual(plain);
});

/** Of every object in a value. */
function keysIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
}

it.each([
  ['basic', { username: '', password: 'k' }, 'authorization', `Basic ${btoa(':k')}`],
  ['basic', { username: 'k', password: '' }, 'authorization', `Basic ${btoa('k:')}`],
  [{ header: 'X-API-Key' }, { apiKey: 'k' }, 'x-api-key', 'k'],
  [{ header: 'Authorization', scheme: 'Bearer' }, { apiKey: 'k' }, 'authorization', 'Bearer k'],
  [{ header: 'Authorization' }, { apiKey: 'k' }, 'authorization', 'k'],
])('%j with %j is the header %s: %s', async (auth, credentials, name, value) => {
  const seen: IncomingHttpHeaders[] = [];
  const server = await openTestServer((request, response) => {
    seen.push(request.headers);
    response.end('{}');
  });
  const dialect = dialectSchema.parse({ auth });
  const platform = openTestPlatform(server.url, { dialect, credentials });
  await platform.listHooks().catch(() => undefined);
  expect(seen[0]?.[name]).toBe(value);
  expect(server.asked).toEqual(['GET /hooks']);
});

it('refused credentials are told by the variable of the dialect, and a key is not repeated', async () => {
  const apiKey = 'sk-live-0123456789';
  const server = await openTestServer((request, response) => {
    response.writeHead(401);
    response.end(`no: ${String(request.headers['x-api-key'])} ${btoa(apiKey)}`);
  });
  const dialect = dialectSchema.parse({ auth: { header: 'X-API-Key' } });
  const platform = openTestPlatform(server.url, { dialect, credentials: { apiKey } });
  const problem = await problemOf(() => platform.listHooks());
  expect(problem.message).toContain('(401: no: […] […]). Check SLUICE_API_KEY.');
});

it('credentials of another kind than the dialect asks for are refused', () => {
  const keyed = dialectSchema.parse({ auth: { header: 'X-API-Key' } });
  const open = (options: object) => () => openTestPlatform('http://127.0.0.1:1', options);
  expect(open({ dialect: keyed })).toThrow('The dialect\'s "auth" asks for a key');
  expect(open({ credentials: { apiKey: 'k' } })).toThrow('asks for a user name and a password');
  expect(open({ dialect: keyed, credentials: { apiKey: 'k\r\nX: y' } })).toThrow('no header');
  const colon = { credentials: { username: 'ada:1', password: 'a:b' } };
  expect(open(colon)).toThrow('The user name has a colon');
});
