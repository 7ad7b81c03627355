import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import { answer, openAt, problemOf, type Respond, silence } from '../test-server.js';
import { createVirtualClock } from '../virtual-clock.js';

const WISH = {
  targetUrl: 'https://me.example/in/h.1.key-of-the-hook',
  type: 'enrichmentDone',
  secret: 'sésame "ouvre-toi"',
};
const WIRE_HOOK = {
  _id: 'hoo_1',
  targetUrl: WISH.targetUrl,
  createdAt: '2026-01-01T00:00:00Z',
  type: 'enrichmentDone',
};
const HOOK = {
  id: 'hoo_1',
  targetUrl: WISH.targetUrl,
  type: 'enrichmentDone',
  createdAt: WIRE_HOOK.createdAt,
};

describe('the listing of hooks', () => {
  it('is a GET, and tells id, target, type and when it was made', async () => {
    const all = { _id: 'hoo_2', targetUrl: 'https://other.example/', type: null, createdAt: '' };
    const { server, platform } = await openAt(answer(200, [WIRE_HOOK, all]));
    expect(await platform.listHooks()).toEqual({
      hooks: [HOOK, { id: 'hoo_2', targetUrl: 'https://other.example/' }],
      leftOut: 0,
    });
    expect(server.asked).toEqual(['GET /hooks']);
    expect(server.authorizations[0]).toMatch(/^Basic /);
  });
});

describe('a new hook', () => {
  it('is a POST with target, type and secret, and comes back with its id', async () => {
    const { server, platform } = await openAt(answer(201, WIRE_HOOK));
    expect(await platform.addHook(WISH)).toEqual(HOOK);
    expect(server.asked).toEqual(['POST /hooks']);
    const [body] = server.bodies;
    expect(body?.type).toBe('application/json');
    expect(JSON.parse(body?.text ?? '')).toEqual(WISH);
  });

  it('carries campaign, first activity and Zapier mapping in its query, and not in its body', async () => {
    const { server, platform } = await openAt(answer(201, WIRE_HOOK));
    const { targetUrl } = WISH;
    await platform.addHook({ targetUrl, campaignId: 'cam 1&2', isFirst: true, zapId: 'z#' });
    await platform.addHook({ targetUrl, isFirst: false });
    expect(server.asked).toEqual([
      'POST /hooks?campaignId=cam%201%262&isFirst=true&zapId=z%23',
      'POST /hooks?isFirst=false',
    ]);
    for (const { text } of server.bodies) expect(JSON.parse(text)).toEqual({ targetUrl });
  });
});

describe('the removal of a hook', () => {
  it.each<[string, Respond, boolean]>([
    ['the deleted hook', answer(200, WIRE_HOOK), true],
    ['nothing', answer(204, ''), true],
    ['404', answer(404, { error: 'There is no hook with this id.' }), false],
    ['410', answer(410, ''), false],
  ])('is a DELETE at the encoded id, answered with %s', async (_, respond, isRemoved) => {
    const { server, platform } = await openAt(respond);
    expect(await platform.removeHook('hoo/../1')).toBe(isRemoved);
    expect(server.asked).toEqual(['DELETE /hooks/hoo%2F..%2F1']);
    expect(server.bodies).toEqual([]);
  });
});

describe('both', () => {
  const dialect = dialectSchema.parse({
    prefix: '/v2',
    hooks: { path: '/webhooks', entries: 'hooks', remove: { path: '/webhooks/remove?id={id}' } },
  });

  it('follow the dialect', async () => {
    const { server, platform } = await openAt(
      [answer(200, { hooks: [WIRE_HOOK] }), answer(200, WIRE_HOOK), answer(200, 'null')],
      { dialect },
    );
    expect(await platform.listHooks()).toEqual({ hooks: [HOOK], leftOut: 0 });
    expect(await platform.addHook({ ...WISH, campaignId: 'c' })).toEqual(HOOK);
    expect(await platform.removeHook('hoo_1')).toBe(true);
    expect(server.asked).toEqual([
      'GET /v2/webhooks',
      'POST /v2/webhooks?campaignId=c',
      'DELETE /v2/webhooks/remove?id=hoo_1',
    ]);
  });

  it.each([
    ['enrichmentDone', 'lookup.finished'],
    ['enrichmentError', 'lookup.broken'],
    ['lookup.done', 'lookup.done'],
    ['emailsReplied', 'emailsReplied'],
  ])('ask for %s as %s', async (type, told) => {
    const dialect = dialectSchema.parse({
      answer: { webhook: { types: ['lookup.finished', 'lookup.broken', 'lookup.done'] } },
    });
    const { server, platform } = await openAt(answer(201, WIRE_HOOK), { dialect });
    await platform.addHook({ targetUrl: WISH.targetUrl, type });
    expect(JSON.parse(server.bodies[0]?.text ?? '')).toMatchObject({ type: told });
  });

  it('wait out a 429, under the limit, and leave no permit in use', async () => {
    const clock = createVirtualClock({ isAuto: true });
    const throttled = answer(429, '', { 'retry-after': '5' });
    const { server, platform } = await openAt(
      [throttled, answer(200, [WIRE_HOOK]), throttled, answer(200, WIRE_HOOK)],
      { clock, concurrency: 1, limit: [{ requests: 1, perMs: 100 }] },
    );
    const startMs = clock.now();
    expect((await platform.listHooks()).hooks).toEqual([HOOK]);
    expect(await platform.addHook(WISH)).toEqual(HOOK);
    expect(server.asked).toHaveLength(4);
    expect(clock.now() - startMs).toBe(10_100);
    expect(await platform.reserve('submit', 9)).toHaveLength(1);
  });

  it.each<[string, Respond, RegExp]>([
    ['401', answer(401, ''), /refused the credentials.*SLUICE_USERNAME/],
    ['404', answer(404, ''), /does not offer .*\/hooks/],
    ['a redirect', answer(302, '', { location: '/in' }), /redirects to \/in/],
    ['400', answer(400, { error: 'no' }), /answered with an error: 400: no\./],
    ['500', answer(500, ''), /answered with an error: 500\./],
    ['HTML', answer(200, '<html>'), /answered 200 without a (hook|list of hooks): "<html>"/],
    ['JSON of another shape', answer(200, { ok: 1 }), /answered 200 without a (hook|list)/],
    [
      'hooks none of which can be read',
      answer(200, [{ id: 'hoo_1' }]),
      /200 without a (hook|list)/,
    ],
    ['silence', silence, /no answer within/],
  ])('throw for %s, saying what failed', async (_, respond, message) => {
    const { platform } = await openAt(respond);
    for (const work of [() => platform.listHooks(), () => platform.addHook(WISH)]) {
      const problem = await problemOf(work);
      expect(problem.code).toBe('platform');
      expect(problem.message).toMatch(message);
    }
  });

  it('never tell the query of a target', async () => {
    const { platform } = await openAt(answer(400, 'no abc, no x y, no x%20y'));
    const wish = { targetUrl: 'https://me.example/in?token=abc&more=x%20y' };
    const { message } = await problemOf(() => platform.addHook(wish));
    expect(message).toContain('400: no […], no […], no […]');
  });

  it('end with an error when they are told to stop', async () => {
    const { server, platform } = await openAt(answer(200, []));
    const signal = AbortSignal.abort();
    expect((await problemOf(() => platform.listHooks(signal))).message).toContain('stopping');
    expect((await problemOf(() => platform.addHook(WISH, signal))).message).toContain('stopping');
    expect(server.asked).toEqual([]);
    const busy = await openAt(answer(200, []), { concurrency: 1 });
    await busy.platform.reserve('submit', 1);
    const stop = new AbortController();
    const problem = problemOf(() => busy.platform.listHooks(stop.signal));
    stop.abort();
    expect((await problem).message).toContain('stopping');
  });
});
