import { afterEach, describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import {
  answer,
  openTestPlatform,
  openTestServer,
  problemOf,
  type Respond,
} from '../test-server.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

const GONE = answer(404, { error: 'There is nothing with this id.' });
const NOWHERE = answer(404, { error: 'No such route.' });
const RIGHT: Readonly<Record<string, Respond>> = {
  '/schema/people': answer(200, { schema: {}, properties: [] }),
  '/hooks': answer(200, [{ _id: 'hoo_1', targetUrl: 'https://me.example/' }]),
  '/enrich': GONE,
  '/inbox': GONE,
};

/** A platform where what begins with a key answers so; the longest key counts. */
async function openAt(routes: Readonly<Record<string, Respond>>, file: object = {}) {
  const all = { ...RIGHT, ...routes };
  const keys = Object.keys(all).sort((a, b) => b.length - a.length);
  const server = await openTestServer((request, response) => {
    const key = keys.find((start) => request.url?.startsWith(start));
    (all[key ?? ''] ?? NOWHERE)(request, response);
  });
  const platform = openTestPlatform(server.url, { dialect: dialectSchema.parse(file) });
  open.push(server, platform);
  return { server, platform };
}

async function tryAt(routes: Readonly<Record<string, Respond>>, file: object = {}) {
  const { server, platform } = await openAt(routes, file);
  const checks = await platform.tryFreeCalls();
  const methods = new Set(server.asked.map((line) => line.split(' ')[0]));
  if ([...methods].join() !== 'GET') throw new Error(`not only GETs: ${[...methods].join()}`);
  const of = (key: string) => checks.find((check) => check.key === key);
  return { of, checks, asked: server.asked };
}

describe('the free calls', () => {
  it('are each asked once, and right where what is not there is not found', async () => {
    const { checks, asked } = await tryAt({});
    expect(checks.map(({ key, verdict }) => `${key} ${verdict}`)).toEqual([
      'peopleSchema ok',
      'hooks ok',
      'result ok',
      'drafts ok',
      'limits.headers ok',
    ]);
    expect(asked.map((line) => line.replace(/\?.*/, ''))).toEqual([
      'GET /schema/people',
      'GET /hooks',
      'GET /enrich/sluice-check-no-such-id',
      'GET /inbox/sluice-check-no-such-id/drafts/sluice-check-no-such-id',
      'GET /sluice-check-no-such-path',
    ]);
  });

  it('take the answers for an unknown id that the dialect names', async () => {
    const pending = [{ status: 404 }, { at: 'state', values: ['queued'] }];
    const file = { answer: { read: { pending } } };
    expect((await tryAt({}, file)).of('result')?.verdict).toBe('ok');
    const told = await tryAt({ '/enrich': answer(200, { state: 'queued' }) }, file);
    expect(told.of('result')).toMatchObject({ verdict: 'ok', says: '200 read as pending' });
    const failed = answer(200, { type: 'enrichmentError', error: 'unknown id' });
    expect((await tryAt({ '/enrich': failed })).of('result')?.verdict).toBe('ok');
    const foreign = answer(403, { error: 'The owner is not of your team.' });
    expect((await tryAt({ '/inbox': foreign })).of('drafts')?.verdict).toBe('ok');
  });

  it('ask for the result of a bulk call apart, where it has a path of its own', async () => {
    const file = {
      bulk: { answer: { batchTicket: 'batch' } },
      result: { batchPath: '/batches/{id}' },
    };
    const { of } = await tryAt({ '/batches': answer(200, { data: [] }) }, file);
    expect(of('result.batchPath')).toMatchObject({ verdict: 'ok', call: 'GET /batches/{id}' });
    expect((await tryAt({}, { result: file.result })).of('result.batchPath')).toBeUndefined();
  });

  it.each<[string, string, Respond, string, string[], RegExp]>([
    ['405', '/enrich', answer(405, ''), 'wrong', ['result.path'], /^405: the path takes no GET/],
    ['401', '/enrich', answer(401, ''), 'wrong', ['prefix', 'result.path'], /^401: no place/],
    [
      'a redirect',
      '/enrich',
      answer(302, '', { location: 'https://login.example/?secret' }),
      'wrong',
      ['prefix', 'result.path'],
      /^302 to https:\/\/login\.example\/$/,
    ],
    [
      'a page',
      '/enrich',
      answer(200, '<!doctype html>'),
      'wrong',
      ['prefix', 'result.path'],
      /^200 with a page/,
    ],
    [
      'a page and 404',
      '/enrich',
      answer(404, '<html>'),
      'wrong',
      ['prefix', 'result.path'],
      /^404 with a page/,
    ],
    [
      'no JSON',
      '/hooks',
      answer(200, 'welcome'),
      'wrong',
      ['prefix', 'hooks.path'],
      /without JSON: "welcome"/,
    ],
    [
      'another object',
      '/schema/people',
      answer(200, { name: 'Ada' }),
      'wrong',
      ['peopleSchema.path'],
      /^200 without a people schema: "\{"name":"…"\}"$/,
    ],
    [
      'hooks inside of something',
      '/hooks',
      answer(200, { items: [] }),
      'wrong',
      ['hooks.entries'],
      /^200 without a list of hooks/,
    ],
    [
      'hooks with other keys',
      '/hooks',
      answer(200, [{ id: 1 }, { _id: 'hoo_1', targetUrl: 'x' }]),
      'wrong',
      ['hooks.entries'],
      /can be read: 1 of 2/,
    ],
    [
      'a result that was not asked for',
      '/enrich',
      answer(200, { data: [{ data: {} }] }),
      'unclear',
      ['answer.read.entries', 'answer.read.pending'],
      /^200 with a result for/,
    ],
    [
      'something else by the id',
      '/enrich',
      answer(200, { ok: false }),
      'unclear',
      ['answer.read.entries', 'answer.read.pending'],
      /^200 without a result/,
    ],
    [
      'a refusal of the id',
      '/enrich',
      answer(400, 'Not a UUID.'),
      'unclear',
      ['result.path'],
      /^400: Not a UUID$/,
    ],
    ['a refusal', '/hooks', answer(400, 'why?'), 'wrong', ['hooks.path'], /^400: why\?$/],
    ['402', '/hooks', answer(402, ''), 'wrong', ['errors.outOfCredits'], /out of credits/],
    ['500', '/hooks', answer(500, ''), 'wrong', [], /^500: an error of the platform/],
  ])('tell of %s at %s which key to look at', async (_, path, respond, verdict, keys, says) => {
    const { checks } = await tryAt({ [path]: respond });
    const [flawed, ...others] = checks.filter((check) => check.verdict !== 'ok');
    expect(others).toEqual([]);
    expect(flawed).toMatchObject({ verdict, keys });
    expect(flawed?.says).toMatch(says);
  });

  it.each(['1', 'a', '-'])(
    'are judged where a 404 is nothing but %j, without an end',
    async (piece) => {
      const { of } = await tryAt({ '/enrich': answer(404, { error: piece.repeat(8_000_000) }) });
      expect(of('result')).toMatchObject({ verdict: 'ok' });
    },
  );

  it('do not take the 404 of a path that is not there for that of an id', async () => {
    const lost: Respond = (request, response) => {
      response.writeHead(404);
      response.end(JSON.stringify({ error: `No route for ${request.url}`, id: Math.random() }));
    };
    const { of } = await tryAt({ '/enrich': lost, '/sluice-check': lost });
    expect(of('result')).toMatchObject({ verdict: 'unclear', keys: ['prefix', 'result.path'] });
    expect(of('drafts')?.verdict).toBe('ok');
  });

  it('show what the headers tell of the limit, whichever of the answers has them', async () => {
    const hooks = answer(200, [], { 'x-ratelimit-remaining': 'many' });
    const { of } = await tryAt({ '/hooks': hooks });
    expect(of('limits.headers')).toMatchObject({
      verdict: 'wrong',
      keys: ['limits.headers.remaining'],
    });
  });

  it('leave alone what is no GET, and a GET that is the paid request', async () => {
    const posted = await tryAt({}, { result: { method: 'POST' } });
    expect(posted.of('result')).toMatchObject({ verdict: 'not_tried' });
    expect(posted.of('result')?.says).toContain('it is a POST');
    const file = { enrich: { method: 'GET' }, result: { path: '/enrich/?id={id}' } };
    const paid = await tryAt({}, file);
    expect(paid.of('result')).toMatchObject({ verdict: 'not_tried' });
    expect(paid.asked.filter((line) => line.includes('/enrich'))).toEqual([]);
  });

  it('end after two refusals of the credentials, and where all are errors', async () => {
    const everywhere = (respond: Respond) =>
      openAt({
        '/': respond,
        ...Object.fromEntries(Object.keys(RIGHT).map((key) => [key, respond])),
      });
    const refused = await everywhere(answer(401, 'who?'));
    const problem = await problemOf(() => refused.platform.tryFreeCalls());
    expect(problem).toMatchObject({ code: 'platform', facts: { status: 401 } });
    expect(problem.message).toMatch(/Check SLUICE_USERNAME.*"prefix"\.$/);
    expect(refused.server.asked).toHaveLength(2);
    const broken = await everywhere(answer(503, ''));
    expect((await problemOf(() => broken.platform.tryFreeCalls())).message).toContain('503');
    expect(broken.server.asked).toHaveLength(4);
  });

  it('end where there is no answer at all', async () => {
    const { server, platform } = await openAt({ '/hooks': (request) => request.socket.destroy() });
    const problem = await problemOf(() => platform.tryFreeCalls());
    expect(problem.message).toContain('/hooks did not answer');
    expect(server.asked).toHaveLength(2);
  });
});
