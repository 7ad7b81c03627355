import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dialectSchema, NEUTRAL_DIALECT } from '../../../src/dialect/dialect.js';
import { SluiceError } from '../../../src/model/errors.js';
import type { HttpPlatformOptions } from '../../../src/platform/http-platform.js';
import type { StartTimer } from '../../../src/platform/wire/exchange.js';
import { startProxy } from '../../helpers/test-proxy.js';
import {
  answer,
  CREDENTIALS,
  openTestPlatform,
  openTestServer,
  permitOf,
  type Respond,
  silence,
} from '../test-server.js';
import { createVirtualClock } from '../virtual-clock.js';

const [key, cert] = ['key', 'certificate'].map((name) =>
  readFileSync(new URL(`../../e2e/tls/${name}.pem`, import.meta.url)),
);
const JANE = {
  ask: ['find_email', 'find_phone'],
  inputs: { firstName: 'Jané', lastName: 'O’Neil+1', companyDomain: 'acme.example' },
} as const;

async function submitTo(url: string, options: Partial<HttpPlatformOptions> = {}) {
  const platform = openTestPlatform(url, options);
  return platform.submit(JANE, await permitOf(platform));
}

async function submitAgainst(respond: Respond, options: Partial<HttpPlatformOptions> = {}) {
  return submitTo((await openTestServer(respond)).url, options);
}

describe('the request', () => {
  it('is a POST with percent-encoded query parameters, a flag for each ask, and Basic credentials in UTF-8', async () => {
    const server = await openTestServer(answer(200, { id: 'enr_1' }));
    expect(await submitTo(`${server.url}/v2/`)).toEqual({ kind: 'accepted', ticket: 'enr_1' });
    const query =
      'findEmail=true&findPhone=true&firstName=Jan%C3%A9&lastName=O%E2%80%99Neil%2B1&companyDomain=acme.example';
    expect(server.asked).toEqual([`POST /v2/enrich?${query}`]);
    const token = Buffer.from(`${CREDENTIALS.username}:${CREDENTIALS.password}`, 'utf8');
    expect(server.authorizations).toEqual([`Basic ${token.toString('base64')}`]);
  });

  it('follows the dialect: names, flag, path, prefix and the place of the id', async () => {
    const dialect = dialectSchema.parse({
      prefix: '/api',
      enrich: {
        path: '/jobs?v=2',
        ask: { names: { find_email: 'want_email' }, flag: '1' },
        inputs: { firstName: 'first_name' },
        ticket: ['job.id', 'data.ref'],
      },
    });
    const server = await openTestServer(answer(201, { data: { ref: 77 } }));
    expect(await submitTo(server.url, { dialect })).toEqual({ kind: 'accepted', ticket: '77' });
    expect(server.asked[0]).toMatch(
      /^POST \/api\/jobs\?v=2&want_email=1&findPhone=1&first_name=Jan/,
    );
  });

  it.each(['/v2/enrich/77?wait=1', 'https://elsewhere.example/77/', '77'])(
    'is answered by a ticket in a header, if the dialect says so: %s',
    async (location) => {
      const dialect = dialectSchema.parse({ enrich: { ticket: ['id', 'header:Location'] } });
      for (const body of ['', { state: 'queued' }]) {
        const outcome = await submitAgainst(answer(202, body, { location }), { dialect });
        expect(outcome).toEqual({ kind: 'accepted', ticket: '77' });
      }
      const both = await submitAgainst(answer(201, { id: 78 }, { location }), { dialect });
      expect(both).toEqual({ kind: 'accepted', ticket: '78' });
    },
  );

  it('carries the callback URL where the dialect has a place for it', async () => {
    const server = await openTestServer(answer(200, { id: 'enr_1' }));
    const callbackUrl = 'https://me.example/in/k.1?a=b&c=d e';
    const encoded = 'https%3A%2F%2Fme.example%2Fin%2Fk.1%3Fa%3Db%26c%3Dd%20e';
    const submit = async (webhookUrl: string | null | undefined) => {
      const dialect = dialectSchema.parse({ enrich: { webhookUrl } });
      const platform = openTestPlatform(server.url, { dialect });
      await platform.submit(JANE, await permitOf(platform), { callbackUrl });
      return platform.takesCallback.single;
    };
    expect(await submit(undefined)).toBe(true);
    expect(await submit('notify')).toBe(true);
    expect(await submit(null)).toBe(false);
    const [neutral, renamed, none] = server.asked;
    expect(neutral).toMatch(new RegExp(`&companyDomain=acme.example&webhookUrl=${encoded}$`));
    expect(renamed).toMatch(new RegExp(`&notify=${encoded}$`));
    expect(none).toMatch(/&companyDomain=acme.example$/);
  });

  it('never finds its callback URL in a reason, whole or in part', async () => {
    const key = 'e.4fK2-secret_key.of.jane';
    const callbackUrl = `https://me.example:8443/in/${key}`;
    for (const status of [400, 500, 200]) {
      const said = `cannot reach ${callbackUrl} or ${encodeURIComponent(callbackUrl)} or /in/${key}x`;
      const platform = openTestPlatform((await openTestServer(answer(status, said))).url);
      const outcome = await platform.submit(JANE, await permitOf(platform), { callbackUrl });
      const told = `${JSON.stringify(outcome)} ${'problem' in outcome ? outcome.problem.message : ''}`;
      expect(told).toContain('cannot reach […]');
      expect(told).not.toMatch(/4fK2|me\.example/);
    }
  });

  it('is never sent twice over a connection that the platform closed in between', async () => {
    const server = await openTestServer(
      answer(200, { id: 'enr_1' }),
      (request) => request.socket.destroy(),
      answer(200, { id: 'enr_2' }),
    );
    const platform = openTestPlatform(server.url, { concurrency: 1 });
    const kinds: string[] = [];
    for (let i = 0; i < 3; i++) {
      kinds.push((await platform.submit(JANE, await permitOf(platform))).kind);
    }
    expect(kinds).toEqual(['accepted', 'uncertain', 'accepted']);
    expect(server.asked).toHaveLength(3);
  });
});

describe('an answer that says no', () => {
  it.each([
    [400, { error: 'companyDomain is malformed' }, 'companyDomain is malformed'],
    [409, { error: 'already running', code: 'E_DUP' }, 'already running (E_DUP)'],
    [422, { error: { message: 'nested reason' } }, 'nested reason'],
    [422, { errors: 'elsewhere' }, 'the platform answered 422'],
    [418, 'just text', 'just text'],
    [400, '<html>oops</html>', 'the platform answered 400'],
    [400, '', 'the platform answered 400'],
    [
      400,
      { error: `Jané of acme.example: jane@acme.example ${'x'.repeat(300)}` },
      /^\[…\] of \[…\]: \[…\] x+…$/,
    ],
  ])('%i %j refuses this request', async (status, body, reason) => {
    const outcome = await submitAgainst(answer(status, body));
    expect(outcome).toMatchObject({ kind: 'refused' });
    if (outcome.kind !== 'refused') return;
    expect(outcome.reason).toMatch(reason);
    expect(outcome.reason.length).toBeLessThanOrEqual(200);
  });

  it.each([
    [401, /credentials.*SLUICE_USERNAME and SLUICE_PASSWORD/],
    [403, /credentials.*SLUICE_USERNAME and SLUICE_PASSWORD/],
    [402, /out of credits/],
    [404, /\/enrich .*dialect/],
    [405, /\/enrich .*dialect/],
    [410, /\/enrich .*dialect/],
  ])('%i means that no request can be sent', async (status, message) => {
    const outcome = await submitAgainst(answer(status, { error: 'no' }));
    expect(outcome).toMatchObject({
      kind: 'unsent',
      isFinal: true,
      problem: { code: 'platform', message: expect.stringContaining(String(status)) },
    });
    if (outcome.kind === 'unsent') expect(outcome.problem.message).toMatch(message);
  });

  it.each([
    [
      403,
      '<!DOCTYPE html><html><title>Just a moment...</title>',
      /Something before the platform at \S+\/enrich, .* a page \(403: Just a moment\)\./,
    ],
    [
      403,
      { error: 'not in your plan' },
      /the credentials, or the account may not make this call \(403: not in your plan\)\. Check/,
    ],
    [
      503,
      ' <html lang=en><TITLE>\n Down\n for a moment</TITLE>',
      /answered with an error: 503: Down for a moment\./,
    ],
    [
      200,
      { error: 'quota exceeded' },
      /answered 200 without an enrichment id: quota exceeded\. Check/,
    ],
    [
      200,
      { id: null, message: 'no credits for jane@acme.example' },
      /enrichment id: no credits for \[…\]\. Check/,
    ],
  ])('%i %j is told in its own words', async (status, body, message) => {
    const outcome = await submitAgainst(answer(status, body));
    if (!('problem' in outcome) || outcome.problem === undefined) throw new Error(outcome.kind);
    expect(outcome.problem.message).toMatch(message);
    expect(outcome.problem.message.includes('SLUICE_')).toBe(
      typeof body !== 'string' && status === 403,
    );
  });

  it('does not follow a redirect, and says where it leads without its query', async () => {
    const elsewhere = await openTestServer(answer(200, { id: 'enr_stolen' }));
    const headers = { location: `${elsewhere.url}/login?email=jane%40acme.example` };
    const outcome = await submitAgainst(answer(302, '', headers));
    expect(outcome).toMatchObject({ kind: 'unsent', isFinal: true });
    if (outcome.kind !== 'unsent') return;
    expect(outcome.problem.message).toContain(`redirects to ${elsewhere.url}/login (302)`);
    expect(outcome.problem.message).not.toContain('acme');
    expect(elsewhere.asked).toEqual([]);
  });

  it('knows the status that the dialect calls out of credits', async () => {
    const errors = { outOfCredits: [{ status: 403, word: 'quota' }] };
    const dialect = dialectSchema.parse({ errors });
    const outcome = await submitAgainst(answer(403, { error: 'Quota used up' }), { dialect });
    expect(outcome).toMatchObject({ kind: 'unsent', isFinal: true });
    if (outcome.kind === 'unsent') expect(outcome.problem.message).toContain('out of credits');
  });
});

describe('an answer that leaves the fate unknown', () => {
  const person = { email: 'jane@acme.example', phone: 491701234567, firstName: 'Jané' };
  it.each<[string, Respond, RegExp]>([
    ['500', answer(500, { error: 'boom' }), /answered 500: boom/],
    ['503 with HTML', answer(503, '<html>'), /answered 503$/],
    ['408 from a proxy', answer(408, ''), /answered 408/],
    [
      'HTML',
      answer(200, '<!DOCTYPE html>\n<h1>\u001b[31mHi'),
      /200 .*"<!DOCTYPE html> <h1> \[31mHi"/,
    ],
    ['an empty body', answer(200, ''), /an empty body/],
    ['no content', answer(204, ''), /an empty body/],
    ['an empty id', answer(200, { id: '' }), /"\{"id":"…"\}"/],
    ['no id', answer(200, person), /"\{"email":"…","phone":\[…\],"firstName":"…"\}"/],
    ['an id with a line break', answer(200, { id: 'a\nb' }), /without an enrichment id/],
    ['truncated JSON', answer(200, '{"id":"enr_1'), /"\{"id":"…"?/],
    ['an id with a blank', answer(200, { id: 'enr 1' }), /without an enrichment id/],
    ['an endless id', answer(200, { id: 'e'.repeat(201) }), /without an enrichment id/],
    [
      'text that repeats the password',
      answer(500, `for ${CREDENTIALS.password}`),
      /500: for \[…\]/,
    ],
    ['a list', answer(200, [{ id: 'enr_1' }]), /without an enrichment id/],
    ['text that repeats the inputs', answer(200, 'Hi Jané, jane@x.example!'), /Hi \[…\], \[…\]/],
    ['a socket closed after reading', (request) => request.socket.destroy(), /broke off/],
    [
      'a body that breaks off',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"id":"enr');
        setTimeout(() => response.destroy(), 20);
      },
      /without an enrichment id.*broke off/,
    ],
    [
      'a body without end',
      (_, response) => {
        response.writeHead(200);
        const pump = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 0x61)));
        };
        response.on('drain', pump);
        pump();
      },
      /longer than 8388608 bytes/,
    ],
  ])('%s', async (_, respond, reason) => {
    const outcome = await submitAgainst(respond);
    expect(outcome).toMatchObject({ kind: 'uncertain', problem: { code: 'platform' } });
    if (outcome.kind !== 'uncertain') return;
    expect(outcome.reason).toMatch(reason);
    const told = `${outcome.reason} ${outcome.problem.message}`;
    expect(told).not.toMatch(/jané|o’neil|acme|jane@|4917012|pa:ß/i);
    expect(told).not.toContain('\u001b');
  });

  it.each<[string, Respond]>([
    ['headers', silence],
    [
      'the rest of the body',
      (request, response) => {
        response.writeHead(200).write('{');
        setTimeout(() => silence(request, response), 20);
      },
    ],
  ])('a time-out while waiting for %s', async (_, respond) => {
    const dialect = dialectSchema.parse({ limits: { timeout: '45s' } });
    for (const [options, time] of [
      [{}, '30 s'],
      [{ dialect }, '45 s'],
      [{ dialect, timeoutMs: 60_000 }, '60 s'],
    ] as const) {
      const outcome = await submitAgainst(respond, options);
      expect(outcome).toMatchObject({
        kind: 'uncertain',
        reason: expect.stringContaining(`no answer within ${time}`),
      });
    }
  });

  it('is no status of which the documentation says that nothing was accepted', async () => {
    const enrich = { notAccepted: [503, 409] };
    const dialect = dialectSchema.parse({ enrich });
    for (const [status, kind] of [
      [503, 'unsent'],
      [409, 'unsent'],
      [500, 'uncertain'],
      [422, 'refused'],
    ] as const) {
      const outcome = await submitAgainst(answer(status, '<html>'), { dialect });
      expect(outcome).toMatchObject({ kind, ...(kind === 'unsent' && { isFinal: false }) });
    }
  });

  it('is a packed one, which was not asked for, that is too large once it is unpacked', async () => {
    const bomb = gzipSync(`{"id":"enr_1","x":"${'x'.repeat(50_000_000)}"}`);
    let accepted: string | undefined;
    const outcome = await submitAgainst((request, response) => {
      accepted = request.headers['accept-encoding'];
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    expect(outcome).toMatchObject({ kind: 'uncertain' });
    expect(accepted).toBeUndefined();
  });

  it.each([
    ['one without end', { 'x-long': 'x'.repeat(1_000_000) }],
    ['many', Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`x-${n}`, 'x']))],
  ])('is one whose headers are too large: %s', async (_, headers) => {
    expect(await submitAgainst(answer(200, { id: 'enr_1' }, headers))).toMatchObject({
      kind: 'uncertain',
    });
  });

  it('is one that an unasked "100 Continue" comes before, and says so', async () => {
    const outcome = await submitAgainst((_, response) => {
      response.writeContinue();
      response.end('{"id":"enr_1"}');
    });
    expect(outcome).toMatchObject({
      kind: 'uncertain',
      reason: expect.stringContaining('"100 Continue" came, which was not asked for'),
    });
  });

  it('does not hide a ticket behind large cookies and policies', async () => {
    const headers = { 'set-cookie': `a=${'x'.repeat(20_000)}`, csp: 'x'.repeat(20_000) };
    expect(await submitAgainst(answer(200, { id: 'enr_1' }, headers))).toEqual({
      kind: 'accepted',
      ticket: 'enr_1',
    });
  });

  it('does not hide a ticket that is nested beside what has no end', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const outcome = await submitAgainst(answer(200, `{"x":${deep},"id":"enr_1"}`));
    expect(outcome).toEqual({ kind: 'accepted', ticket: 'enr_1' });
  });

  it('does not hide a ticket that arrived before the connection broke', async () => {
    const outcome = await submitAgainst((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"id":"enr_1"}');
      setTimeout(() => response.destroy(), 20);
    });
    expect(outcome).toEqual({ kind: 'accepted', ticket: 'enr_1' });
  });
});

describe('a request that never left', () => {
  it('is unsent when the connection is refused', async () => {
    const server = await openTestServer();
    await server.close();
    const outcome = await submitTo(server.url);
    expect(outcome).toMatchObject({
      kind: 'unsent',
      isFinal: false,
      problem: { message: expect.stringContaining('could not be reached') },
    });
  });

  it('is unsent when the host is unknown', async () => {
    const outcome = await submitTo('http://nosuchhost.invalid');
    expect(outcome).toMatchObject({ kind: 'unsent', isFinal: false });
    if (outcome.kind === 'unsent') expect(outcome.problem.message).toMatch(/host name/);
  });

  it('is unsent when no secure connection can be made', async () => {
    const server = await openTestServer(answer(200, { id: 'enr_1' }));
    const outcome = await submitTo(server.url.replace('http:', 'https:'));
    expect(outcome).toMatchObject({ kind: 'unsent', isFinal: false });
    expect(server.asked).toEqual([]);
  });

  it('is unsent when nobody is known who signed the certificate, which the environment can name', async () => {
    const server = createServer({ key, cert }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const outcome = await submitTo(`https://127.0.0.1:${port}`);
    expect(outcome).toMatchObject({
      kind: 'unsent',
      problem: { message: expect.stringContaining('set NODE_EXTRA_CA_CERTS to the file') },
    });
    // The certificate is not of this address; who signed it is known.
    expect(await submitTo(`https://127.0.0.1:${port}`, { ca: String(cert) })).toMatchObject({
      kind: 'unsent',
      problem: { message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID') },
    });
  });

  it('is sent through a tunnel to who has a certificate that the caller names', async () => {
    const server = createServer({ key, cert }, (_, response) => {
      response.end('{"id":"enr_1"}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const proxy = await startProxy(`https://127.0.0.1:${port}`);
    onTestFinished(async () => {
      await proxy.close();
      server.close();
    });
    const options = { proxy: new URL(proxy.url), ca: [String(cert)] };
    expect(await submitTo('https://platform.example', options)).toEqual({
      kind: 'accepted',
      ticket: 'enr_1',
    });
  });

  it('is unsent when the time is up before a connection stands', async () => {
    const startTimer: StartTimer = (act) => {
      const timer = setTimeout(act, 60);
      return () => clearTimeout(timer);
    };
    // TEST-NET-1 answers nothing; where it is refused at once the verdict is the same.
    const outcome = await submitTo('http://192.0.2.1', { startTimer });
    expect(outcome).toMatchObject({ kind: 'unsent', isFinal: false });
  });

  it('is unsent after the platform was closed', async () => {
    const server = await openTestServer(answer(200, { id: 'enr_1' }));
    const platform = openTestPlatform(server.url);
    const permit = await permitOf(platform);
    await platform.close();
    await platform.close();
    expect(await platform.submit(JANE, permit)).toMatchObject({ kind: 'unsent', isFinal: false });
    expect(await platform.reserve('submit', 1)).toEqual([]);
    expect(server.asked).toEqual([]);
  });

  it('but one that is on its way when the platform closes still gets its answer', async () => {
    const server = await openTestServer((_, response) => {
      setTimeout(() => response.end('{"id":"enr_late"}'), 60);
    });
    const platform = openTestPlatform(server.url);
    const answered = platform.submit(JANE, await permitOf(platform));
    await expect.poll(() => server.asked.length).toBe(1);
    await platform.close();
    expect(await answered).toEqual({ kind: 'accepted', ticket: 'enr_late' });
  });
});

describe('a throttled request', () => {
  it('is told at once and not sent again; the Retry-After holds back every other one', async () => {
    const server = await openTestServer(
      answer(429, 'slow down', { 'retry-after': '7' }),
      answer(200, { id: 'enr_1' }, { 'retry-after': '99' }),
    );
    // Moved by hand: whoever waited here would wait for ever.
    const clock = createVirtualClock();
    const platform = openTestPlatform(server.url, { clock });
    const outcome = await platform.submit(JANE, await permitOf(platform));
    expect(outcome).toMatchObject({
      kind: 'throttled',
      problem: { code: 'platform', message: expect.stringContaining('429') },
    });
    if (outcome.kind !== 'throttled') return;
    expect(outcome.problem.message).toMatch(/\/enrich throttled the request \(429\)\. Run again/);
    expect(server.asked).toHaveLength(1);
    const startMs = clock.now();
    const next = permitOf(platform).then((permit) => platform.submit(JANE, permit));
    await clock.advance(6_999);
    expect(server.asked).toHaveLength(1);
    await clock.advance(1);
    expect(await next).toEqual({ kind: 'accepted', ticket: 'enr_1' });
    // The Retry-After on the 200 means nothing.
    await permitOf(platform);
    expect(clock.now() - startMs).toBe(7_000);
  });

  it.each([
    ['the reset, where no Retry-After is told', { 'x-ratelimit-reset': '3' }, 3_000],
    ['one window, where nothing is told', {}, 500],
    ['one window, where it is told to wait for nothing', { 'retry-after': '0' }, 500],
  ])('makes the next one wait for %s', async (_, headers, waitMs) => {
    const server = await openTestServer(answer(429, '', headers));
    const clock = createVirtualClock({ isAuto: true });
    const startMs = clock.now();
    const platform = openTestPlatform(server.url, { clock, limit: [{ requests: 5, perMs: 500 }] });
    expect(await platform.submit(JANE, await permitOf(platform))).toMatchObject({
      kind: 'throttled',
    });
    await permitOf(platform);
    expect(clock.now() - startMs).toBe(waitMs);
  });

  it('is not even sent where a pause began after its permit was given, and gives its slot back', async () => {
    const server = await openTestServer(answer(429, '', { 'retry-after': '60' }));
    const clock = createVirtualClock();
    const platform = openTestPlatform(server.url, {
      clock,
      limit: [{ requests: 5, perMs: 500 }],
      concurrency: 8,
    });
    const [first, second, third] = await platform.reserve('submit', 3);
    if (first === undefined || second === undefined || third === undefined) throw new Error('none');
    await platform.submit(JANE, first);
    const single = await platform.submit(JANE, second);
    const item = { request: JANE, key: 'key.of.jane' };
    const bulk = await platform.submitMany([item], third);
    expect(single).toMatchObject({ kind: 'throttled', problem: { code: 'platform' } });
    expect(bulk).toMatchObject({ kind: 'throttled' });
    if (single.kind === 'throttled') {
      expect(single.problem.message).toMatch(/was not sent: .*pause/);
    }
    expect(server.asked).toHaveLength(1);
    await clock.advance(60_000);
    expect(await platform.reserve('submit', 9)).toHaveLength(5);
  });

  it('is unsent where its signal aborted before it could start', async () => {
    const server = await openTestServer(answer(200, { id: 'enr_1' }));
    const platform = openTestPlatform(server.url);
    const signal = AbortSignal.abort();
    const outcome = await platform.submit(JANE, await permitOf(platform), { signal });
    expect(outcome).toMatchObject({ kind: 'unsent', isFinal: false });
    expect(server.asked).toEqual([]);
  });

  it('is known by what the dialect says: a status, or a word in a 200 that has no id', async () => {
    const throttled = [{ status: 403 }, { status: 200, word: 'TOO MANY' }];
    const dialect = dialectSchema.parse({ limits: { throttled } });
    const server = await openTestServer(
      answer(403, ''),
      answer(200, { message: 'too many requests' }),
      answer(200, { id: 'enr_1', message: 'too many requests' }),
    );
    const kinds: string[] = [];
    for (let i = 0; i < 3; i++) kinds.push((await submitTo(server.url, { dialect })).kind);
    expect(kinds).toEqual(['throttled', 'throttled', 'accepted']);
    expect(server.asked).toHaveLength(3);
  });

  it('makes a 503 with a Retry-After hold the others back, without being sent again', async () => {
    const server = await openTestServer(answer(503, '', { 'retry-after': '9' }));
    const clock = createVirtualClock({ isAuto: true });
    const platform = openTestPlatform(server.url, { clock });
    const startMs = clock.now();
    expect(await platform.submit(JANE, await permitOf(platform))).toMatchObject({
      kind: 'uncertain',
    });
    expect(server.asked).toHaveLength(1);
    await permitOf(platform);
    expect(clock.now() - startMs).toBe(9_000);
  });
});

it('leaves no permit in use, whatever the answer', async () => {
  const server = await openTestServer(
    answer(200, { id: 'enr_1' }),
    answer(500, ''),
    (request) => request.socket.destroy(),
    answer(429, ''),
    answer(400, ''),
  );
  const platform = openTestPlatform(server.url, { concurrency: 2 });
  for (let i = 0; i < 4; i++) await platform.submit(JANE, await permitOf(platform));
  expect(await platform.reserve('poll', 10)).toHaveLength(2);
});

it.each([
  ['not a url', 'is not a URL'],
  ['ftp://host', 'neither http nor https'],
  ['https://user:secret@host', 'holds credentials'],
  ['https://host/?key=secret', 'holds a query'],
])('refuses the base address %s without repeating it', (baseUrl, message) => {
  const openIt = () => openTestPlatform(baseUrl, { dialect: NEUTRAL_DIALECT });
  expect(openIt).toThrow(message);
  expect(openIt).not.toThrow(/secret/);
});

describe('what must not leave any more', () => {
  it('is not sent, stops whoever sends, and gives its permit back', async () => {
    const server = await openTestServer(answer(200, { id: 'enr_1' }));
    const platform = openTestPlatform(server.url, { limit: [{ requests: 1, perMs: 60_000 }] });
    const problem = new SluiceError('busy', 'Another process has taken over.');
    const obstacle = () => Promise.resolve(problem);
    const items = [{ request: JANE, key: 'k' }];
    const unsent = { kind: 'unsent', problem, isFinal: true };
    expect(await platform.submit(JANE, await permitOf(platform), { obstacle })).toEqual(unsent);
    expect(await platform.submitMany(items, await permitOf(platform), { obstacle })).toEqual(
      unsent,
    );
    expect(await platform.createList('Q3', await permitOf(platform), { obstacle })).toEqual(unsent);
    expect(server.asked).toEqual([]);
    const free = () => Promise.resolve(null);
    const sent = await platform.submit(JANE, await permitOf(platform), { obstacle: free });
    expect(sent).toMatchObject({ kind: 'accepted' });
  });
});
