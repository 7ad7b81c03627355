import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../../src/dialect/dialect.js';
import { sealBatchTicket } from '../../../src/platform/answers/ticket.js';
import type { HttpPlatformOptions } from '../../../src/platform/http-platform.js';
import {
  answer,
  openTestPlatform,
  openTestServer,
  permitOf,
  type Respond,
  silence,
} from '../test-server.js';
import { createVirtualClock } from '../virtual-clock.js';

const FOUND = { find_email: { email: 'a@b.example', status: 'deliverable' } };
const done = (id: string, data: object = FOUND) => ({
  type: 'enrichmentDone',
  data: [{ id, data }],
});

async function readFrom(
  responds: Respond[],
  options: Partial<HttpPlatformOptions> = {},
  ticket = 'enr_1',
) {
  const server = await openTestServer(...responds);
  const platform = openTestPlatform(server.url, options);
  return { server, outcome: await platform.read(ticket, await permitOf(platform)) };
}

describe('the result by ticket', () => {
  it('never repeats the person that was asked about', async () => {
    const error = 'No profile of Grace Hopper at navy.example could be read.';
    const server = await openTestServer(
      answer(200, { type: 'enrichmentError', data: [{ id: 'enr_1', error }] }),
      answer(500, { error }),
    );
    const platform = openTestPlatform(server.url);
    const inputs = { firstName: 'Grace', lastName: 'Hopper', companyDomain: 'navy.example' };
    for (const kind of ['failed', 'unavailable']) {
      const told = await platform.read('enr_1', await permitOf(platform), undefined, {
        ask: ['find_email'],
        inputs,
      });
      expect(told.kind).toBe(kind);
      expect(JSON.stringify(told)).not.toMatch(/Grace|Hopper|navy/);
    }
  });

  it('is asked for with a GET at the encoded ticket', async () => {
    const { server } = await readFrom([answer(404, '')], {}, 'enr/../ä?x=1#');
    expect(server.asked).toEqual(['GET /enrich/enr%2F..%2F%C3%A4%3Fx%3D1%23']);
    const dots = await readFrom([answer(404, '')], {}, '..');
    expect(dots.server.asked).toEqual(['GET /enrich/%2E%2E']);
  });

  it.each<[string, Respond, object]>([
    ['202', answer(202, ''), { kind: 'pending' }],
    ['404', answer(404, '<html>'), { kind: 'unknown' }],
    ['410', answer(410, ''), { kind: 'unknown' }],
    ['200 with the entry', answer(200, done('enr_1')), { kind: 'done', result: FOUND }],
    [
      '200 with empty blocks',
      answer(200, done('enr_1', { find_email: {}, find_phone: null })),
      { kind: 'done', result: {} },
    ],
    ['200 with no entry yet', answer(200, { data: [] }), { kind: 'done', result: {} }],
    [
      '200 with the error type',
      answer(200, { type: 'enrichmentError', data: [{ id: 'enr_1', error: 'no credits' }] }),
      { kind: 'failed', reason: 'no credits' },
    ],
    [
      '200 with the error type alone',
      answer(200, { type: 'enrichmentError' }),
      { kind: 'failed', reason: 'the platform gave no reason' },
    ],
    [
      '200 with an error in an entry without data',
      answer(200, {
        type: 'enrichmentDone',
        data: [{ id: 'enr_1', error: { message: 'bad profile' } }],
      }),
      { kind: 'failed', reason: 'bad profile' },
    ],
  ])('%s', async (_, respond, expected) => {
    expect((await readFrom([respond])).outcome).toEqual(expected);
  });

  it('is where a 303 says, as long as that is at the same place', async () => {
    const elsewhere = await openTestServer(answer(200, done('enr_1')));
    const to = (location: string) => answer(303, '', { location });
    const near = await readFrom([to('../results/1?a=b'), to('/r/2'), answer(200, done('enr_1'))]);
    expect(near.outcome).toEqual({ kind: 'done', result: FOUND });
    expect(near.server.asked).toEqual(['GET /enrich/enr_1', 'GET /results/1?a=b', 'GET /r/2']);
    const far = await readFrom([to(`${elsewhere.url}/r`)]);
    expect(far.outcome).toMatchObject({ kind: 'unavailable', isFinal: true });
    expect(elsewhere.asked).toEqual([]);
    const endless = await readFrom([to('/again')]);
    expect(endless.outcome).toMatchObject({ kind: 'unavailable', isFinal: true });
    expect(endless.server.asked).toHaveLength(4);
  });

  it.each<[string, (text: string) => Uint8Array, string | undefined]>([
    ['gzip', gzipSync, undefined],
    ['x-gzip', gzipSync, undefined],
    ['deflate', deflateSync, undefined],
    ['deflate', deflateRawSync, undefined],
    ['br', brotliCompressSync, undefined],
    ['br, GZIP', (text) => gzipSync(brotliCompressSync(text)), undefined],
    ['identity', (text) => Buffer.from(text), undefined],
    ['', (text) => Buffer.from(text, 'latin1'), 'application/json; charset=iso-8859-1'],
    ['', (text) => Buffer.from(text, 'utf16le'), 'application/json;Charset="UTF-16LE"'],
    ['gzip', (text) => gzipSync(Buffer.from(text, 'latin1')), 'text/plain; charset=windows-1252'],
  ])('is read as its headers say: case %#, %s', async (encoding, write, type) => {
    const headers = {
      ...(encoding === '' ? {} : { 'content-encoding': encoding }),
      ...(type === undefined ? {} : { 'content-type': type }),
    };
    const found = { find_email: { email: 'zoë@b.example', status: 'deliverable' } };
    const bytes = write(JSON.stringify(done('enr_1', found)));
    const { outcome } = await readFrom([answer(200, bytes, headers)]);
    expect(outcome).toEqual({ kind: 'done', result: found });
  });

  it.each<[string, Record<string, string>, string | Uint8Array, string]>([
    ['gzip', {}, '{"data":[]}', 'the body is packed as "gzip", and cannot be unpacked'],
    ['zstd', {}, '{"data":[]}', 'the body is packed as "zstd", which is not known here'],
    [
      'gzip',
      {},
      gzipSync(`{"data":[],"x":"${'x'.repeat(8 * 2 ** 20)}"}`),
      'the body is packed as "gzip", and longer than 8388608 bytes without',
    ],
    [
      'gzip,gzip,gzip,gzip',
      {},
      gzipSync('{}'),
      'the body is packed as "gzip, gzip, gzip, gzip", which is not known here',
    ],
    [
      'identity',
      {},
      Buffer.from(
        JSON.stringify(done('enr_1', { find_email: { email: 'zo\xEB@b.example' } })),
        'latin1',
      ),
      'the body is no text in "utf-8"',
    ],
    [
      'identity',
      { 'content-type': 'application/json; charset=klingon' },
      '{"data":[]}',
      'the body is no text in "klingon"',
    ],
  ])(
    'is unreadable where its headers say otherwise: case %#',
    async (encoding, more, bytes, why) => {
      const headers = { 'content-encoding': encoding, ...more };
      const { outcome } = await readFrom([answer(200, bytes, headers)]);
      expect(outcome).toMatchObject({
        kind: 'unavailable',
        isFinal: false,
        problem: { message: expect.stringContaining(`answered 200 without JSON: ${why}. `) },
      });
    },
  );

  it.each<[string, Respond, boolean, RegExp]>([
    ['401', answer(401, ''), true, /SLUICE_PASSWORD/],
    ['403', answer(403, ''), true, /SLUICE_PASSWORD/],
    ['405', answer(405, ''), true, /does not offer/],
    ['301', answer(301, '', { location: '/v2' }), true, /redirects to \/v2/],
    ['400', answer(400, { error: 'odd id' }), false, /400: odd id/],
    ['500', answer(500, ''), false, /500/],
    ['HTML', answer(200, '<html>'), false, /"<html>"/],
    ['a text', answer(200, '"done"'), false, /without a result/],
    ['another shape that says why', answer(200, { error: 'later' }), false, /without a result/],
    ['a dropped connection', (request) => request.socket.destroy(), false, /broke off/],
    ['silence', silence, false, /no answer within/],
    ['another id', answer(200, done('enr_2')), false, /asked for the enrichment enr_1 .* enr_2/],
    [
      'several entries without an id',
      answer(200, { data: [{}, {}] }),
      false,
      /several without an id/,
    ],
  ])('%s is no answer', async (_, respond, isFinal, message) => {
    const { outcome } = await readFrom([respond]);
    expect(outcome).toMatchObject({ kind: 'unavailable', isFinal, problem: { code: 'platform' } });
    if (outcome.kind === 'unavailable') expect(outcome.problem.message).toMatch(message);
  });

  it.each<[string, object]>([
    ['no place for entries', { ok: true }],
    ['a list of texts as entries', { data: ['a@b.example'] }],
    ['an entry without a place for blocks', { data: [{ id: 'enr_1', found: FOUND }] }],
    ['an entry that holds nothing', { type: 'enrichmentDone', data: [{ id: 'enr_1' }] }],
  ])('%s is a success with its place missing', async (_, body) => {
    const { outcome } = await readFrom([answer(200, body)]);
    expect(outcome).toMatchObject({
      kind: 'done',
      result: {},
      odd: { body: JSON.stringify(body), lack: 'missing', unread: [] },
    });
  });

  it('tells what is not read, and quotes no person', async () => {
    const data = {
      mail: { address: 'ada@b.example', 'ada@b.example': 1 },
      find_phone: { phone: 7 },
    };
    const { outcome, server } = await readFrom([answer(200, done('enr_1', data))]);
    expect(outcome).toMatchObject({ kind: 'done', result: { find_phone: { phone: '7' } } });
    const odd = outcome.kind === 'done' ? outcome.odd : undefined;
    expect(odd).toMatchObject({ lack: 'unread', unread: ['data.mail.address', '[…]'] });
    expect(odd?.problem.message).toBe(
      `The platform at ${server.url}/enrich/enr_1 answered with values that no path of the dialect reads (data.mail.address, […]): "{"type":"…","data":[{"id":"…","data":{"mail":{"address":"…","[…]":1},"find_phone":{"phone":7}}}]}". Correct answer.read.blocks, blocks and fields of the dialect, name in answer.read.ignored what is no result, and list a word for a state in one of the signals of answer.read.`,
    );
  });

  it.each([
    ['null for the entries', { data: null }],
    ['null for the blocks', { data: [{ id: 'enr_1', data: null }] }],
    ['a list for the blocks', { data: [{ id: 'enr_1', data: [] }] }],
    ['blocks of nothing', done('enr_1', { find_email: { email: '', status: null }, more: [{}] })],
  ])('%s is a success with nothing in it', async (_, body) => {
    const { outcome } = await readFrom([answer(200, body)]);
    expect(outcome).toEqual({ kind: 'done', result: {} });
  });
});

describe('a throttled poll', () => {
  it('is given up after eight attempts', async () => {
    const { outcome, server } = await readFrom([answer(429, '', { 'retry-after': '1' })]);
    expect(outcome).toMatchObject({
      kind: 'unavailable',
      isFinal: false,
      problem: { message: expect.stringContaining('429') },
    });
    if (outcome.kind === 'unavailable') expect(outcome.problem.message).toContain('attempt 8');
    expect(server.asked).toHaveLength(8);
  });

  it('stops waiting when its signal aborts', async () => {
    const server = await openTestServer(answer(429, '', { 'retry-after': '3600' }));
    const clock = createVirtualClock();
    const platform = openTestPlatform(server.url, { clock });
    const stop = new AbortController();
    const outcome = platform.read('enr_1', await permitOf(platform), stop.signal);
    await expect.poll(() => clock.sleeps.length).toBe(1);
    stop.abort();
    expect(await outcome).toMatchObject({ kind: 'unavailable', isFinal: false });
  });

  it('waits where a pause began after its permit was given', async () => {
    const server = await openTestServer(
      answer(429, '', { 'retry-after': '9' }),
      answer(200, done('enr_1')),
    );
    const clock = createVirtualClock({ isAuto: true });
    const platform = openTestPlatform(server.url, { clock });
    const [first, second] = await platform.reserve('poll', 2);
    if (first === undefined || second === undefined) throw new Error('no permits');
    const startMs = clock.now();
    const request = { ask: ['verify_email'], inputs: { email: 'a@b.example' } } as const;
    expect(await platform.submit(request, first)).toMatchObject({ kind: 'throttled' });
    expect(await platform.read('enr_1', second)).toMatchObject({ kind: 'done' });
    expect(clock.now() - startMs).toBe(9_000);
  });
});

describe('the least time between two reads', () => {
  const BATCH = {
    bulk: { answer: { batchTicket: 'batch' } },
    result: { every: '30s' },
    answer: { read: { pending: [{ at: 'state', values: ['running'] }] } },
  };

  it('is kept for each ticket, and one read answers all items of a call', async () => {
    const entry = (key: string, phone: string) => ({
      metadata: key,
      data: { find_phone: { phone } },
    });
    const server = await openTestServer(
      answer(200, { state: 'running' }),
      answer(200, { data: [entry('k1', '+1'), entry('k2', '+2')] }),
      answer(200, { data: [] }),
    );
    const clock = createVirtualClock();
    const platform = openTestPlatform(server.url, { dialect: dialectSchema.parse(BATCH), clock });
    expect(platform.readEveryMs).toBe(30_000);
    const [one, two] = ['k1', 'k2'].map((key) => sealBatchTicket('b', key)) as [string, string];
    const read = async (ticket: string) => platform.read(ticket, await permitOf(platform));
    // At the same time, too.
    expect(await Promise.all([read(one), read(two)])).toEqual([
      { kind: 'pending' },
      { kind: 'pending' },
    ]);
    expect(await read(one)).toEqual({ kind: 'pending' });
    expect(server.asked).toHaveLength(1);
    await clock.advance(30_000);
    expect(await read(one)).toMatchObject({ result: { find_phone: { phone: '+1' } } });
    expect(await read(two)).toMatchObject({ result: { find_phone: { phone: '+2' } } });
    expect(server.asked).toHaveLength(2);
    await read(sealBatchTicket('c', 'k1'));
    expect(server.asked).toHaveLength(3);
    // No permit is left in use.
    expect(await platform.reserve('submit', 9)).toHaveLength(4);
  });

  it('does not count a read that brought no answer', async () => {
    const server = await openTestServer(silence, answer(404, ''));
    const platform = openTestPlatform(server.url, {
      dialect: dialectSchema.parse({ result: { every: '5m' } }),
      startTimer: (act) => {
        act();
        return () => undefined;
      },
    });
    expect(await platform.read('e', await permitOf(platform))).toMatchObject({
      kind: 'unavailable',
    });
  });
});

describe('a ticket', () => {
  it('stands in the path of its ask', async () => {
    const path = { find_email: '/mail?id={id}', verify_email: '/check/{id}' };
    const server = await openTestServer(answer(404, ''));
    const platform = openTestPlatform(server.url, {
      dialect: dialectSchema.parse({ result: { path } }),
    });
    for (const ask of ['verify_email', 'find_email', 'find_phone'] as const) {
      const request = { ask: [ask], inputs: {} };
      await platform.read('e-1', await permitOf(platform), undefined, request);
    }
    await platform.read('e-1', await permitOf(platform));
    expect(server.asked).toEqual([
      'GET /check/e-1',
      'GET /mail?id=e-1',
      'GET /mail?id=e-1',
      'GET /mail?id=e-1',
    ]);
  });

  it('stands in the body', async () => {
    const dialect = dialectSchema.parse({
      result: { method: 'POST', path: '/read', id: 'search.id' },
    });
    const { server } = await readFrom([answer(404, '')], { dialect }, 'i-1 ä');
    expect(server.asked).toEqual(['POST /read']);
    expect(server.bodies[0]?.text).toBe('{"search":{"id":"i-1 ä"}}');
  });

  it('is not read where there is no such call', async () => {
    const dialect = dialectSchema.parse({ result: null });
    const { outcome, server } = await readFrom([], { dialect });
    expect(outcome).toMatchObject({ kind: 'unavailable', isFinal: true });
    expect(server.asked).toEqual([]);
  });
});

describe('a dialect can say', () => {
  it('that 404 is pending', async () => {
    const dialect = dialectSchema.parse({
      answer: { read: { pending: [{ status: 202 }, { status: 404 }] } },
    });
    expect((await readFrom([answer(404, '')], { dialect })).outcome).toEqual({ kind: 'pending' });
  });

  it.each([
    ['the body', { state: 'running' }],
    ['the entry', { data: [{ id: 'enr_1', state: 'queued' }] }],
  ])('that a field of %s means pending', async (_, body) => {
    const pending = [{ at: 'state', values: ['queued', 'running'] }];
    const dialect = dialectSchema.parse({ answer: { read: { pending } } });
    expect((await readFrom([answer(200, body)], { dialect })).outcome).toEqual({ kind: 'pending' });
    const { outcome } = await readFrom([answer(200, { ...done('enr_1'), state: 'ready' })], {
      dialect,
    });
    expect(outcome.kind).toBe('done');
  });

  it('that the body is the one entry, under other names and at another path', async () => {
    const dialect = dialectSchema.parse({
      result: { path: '/v1/results?id={id}', method: 'POST' },
      answer: {
        read: {
          entries: '.',
          ticket: 'ref',
          blocks: ['result', '.'],
          failed: [{ at: 'event', values: ['broken'] }],
          reason: 'why',
        },
      },
      blocks: { find_email: 'mail', find_phone: ['tel', 'phones.mobile'] },
      fields: { find_email: { email: ['address', 'mail'], status: 'verdict' } },
    });
    const body = {
      ref: 'enr_1',
      mail: { mail: 'a@b.example', verdict: 'ok' },
      phones: { mobile: { phone: '+1' } },
    };
    const { outcome, server } = await readFrom([answer(200, body)], { dialect });
    expect(outcome).toEqual({
      kind: 'done',
      result: {
        find_email: { email: 'a@b.example', status: 'unknown', platformStatus: 'ok' },
        find_phone: { phone: '+1' },
      },
    });
    expect(server.asked).toEqual(['POST /v1/results?id=enr_1']);
    const failed = await readFrom([answer(200, { ref: 'enr_1', event: 'broken', why: 'x' })], {
      dialect,
    });
    expect(failed.outcome).toEqual({ kind: 'failed', reason: 'x' });
  });
});
