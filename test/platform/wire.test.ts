import { afterEach, expect, it } from 'vitest';
import type { Permit } from '../../src/domain/ports/platform.js';
import { answer, CREDENTIALS, openTestPlatform, openTestServer, permitOf } from './test-server.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

it('every call carries the Basic credentials, and a body is JSON and says so', async () => {
  // No answer of any call: what is sent is all that counts.
  const server = await openTestServer(answer(400, { error: 'no' }));
  const platform = openTestPlatform(server.url);
  open.push(server, platform);
  const paid = async (send: (permit: Permit) => Promise<unknown>) => send(await permitOf(platform));
  const request = { ask: ['verify_email'], inputs: { email: 'a@b.example' } } as const;
  const calls = [
    () => paid((permit) => platform.submit(request, permit)),
    () => paid((permit) => platform.submitMany([{ request, key: 'k' }], permit)),
    () => paid((permit) => platform.read('enr_1', permit)),
    () => platform.readPeopleSchema(),
    () => paid((permit) => platform.createList('x', permit)),
    () => platform.addToList('clt_1', [{ email: 'a@b.example' }]),
    () => platform.readDraft('ctc_1', 'drf_1', 'usr_1'),
    () => platform.addHook({ targetUrl: 'https://me.example' }),
    () => platform.listHooks(),
    () => platform.removeHook('hoo_1'),
  ];
  for (const call of calls) await call().catch(() => undefined);

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
