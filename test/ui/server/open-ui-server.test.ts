import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../../src/model/errors.js';
import type { Answer, Visit } from '../../../src/ui/page.js';
import { cookieOf, openBrowser, pathOf, startBench } from './ui-bench.js';

const PASSWORD = 'correct horse battery';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe('the link', () => {
  it('signs in once, by a cookie that no script and no other site can use', async () => {
    const bench = await startBench();
    const link = bench.server.link();
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\?key=[\w-]{43}$/);
    const opened = await bench.ask(pathOf(link));
    expect(opened).toMatchObject({ status: 200, text: 'Opened' });
    const [cookie = ''] = opened.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      new RegExp(`^sluice_ui_${bench.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`),
    );
    const browser = await openBrowser(bench.port, cookieOf(opened));
    expect(await browser.ask('/')).toMatchObject({ status: 200, text: 'Runs' });
  });

  it('is refused when it comes again, and the next one is told', async () => {
    const bench = await startBench();
    const link = bench.server.link();
    await bench.ask(pathOf(link));
    const again = await bench.ask(pathOf(link));
    expect(again.status).toBe(403);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(bench.nextLinks).toEqual([bench.server.link()]);
    expect(bench.server.link()).not.toBe(link);
    expect((await bench.ask(pathOf(bench.server.link()))).status).toBe(200);
  });

  it.each(['', '?key=', '?key=x', '?key=x&key=y'])('is refused as /open%s', async (query) => {
    const bench = await startBench();
    expect((await bench.ask(`/open${query}`)).status).toBe(403);
  });

  it('is not used up by who only looks', async () => {
    const bench = await startBench();
    const path = pathOf(bench.server.link());
    expect((await bench.ask(path, { method: 'HEAD' })).status).toBe(403);
    expect((await bench.ask(path)).status).toBe(200);
  });
});

describe('without a session', () => {
  it.each(['/', '/counter', '/table', '/nothing'])(
    '%s is refused, and no route is asked',
    async (path) => {
      const bench = await startBench();
      const wrong = `sluice_ui_${bench.port}=${'x'.repeat(43)}`;
      for (const headers of [{}, { cookie: wrong }, { cookie: `a=b; ${wrong};;=; c` }]) {
        expect(await bench.ask(path, { headers })).toMatchObject({
          status: 401,
          text: expect.stringContaining('Open the link'),
        });
      }
      expect(bench.visits).toEqual([]);
    },
  );

  it('a form is refused, and nothing is done', async () => {
    const bench = await startBench();
    const headers = { origin: `http://127.0.0.1:${bench.port}`, ...FORM };
    const refused = await bench.ask('/act', { method: 'POST', headers, body: 'token=x' });
    expect(refused.status).toBe(401);
    expect(bench.sent).toEqual([]);
  });

  it('the script is served, to be kept', async () => {
    const bench = await startBench();
    const script = await bench.ask('/assets/d1/page.js');
    expect(script).toMatchObject({ status: 200, text: 'go();' });
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
  });

  it('a session ends after a day without a request', async () => {
    const bench = await startBench();
    const browser = await bench.signIn();
    await bench.clock.advance(23 * 3_600_000);
    expect((await browser.ask('/')).status).toBe(200);
    await bench.clock.advance(25 * 3_600_000);
    expect((await browser.ask('/')).status).toBe(401);
  });

  it('the cookie of an earlier process is refused', async () => {
    const before = await (await startBench()).signIn();
    const after = await startBench();
    const value = before.cookie.split('=')[1] ?? '';
    const cookie = `sluice_ui_${after.port}=${value}`;
    expect((await after.ask('/', { headers: { cookie } })).status).toBe(401);
  });
});

describe('the names of the server', () => {
  it.each(['evil.example', 'evil.example:PORT', '127.0.0.1', '127.0.0.1:1', 'localhost.evil:PORT'])(
    '%s is none of them',
    async (host) => {
      const bench = await startBench();
      const browser = await bench.signIn();
      bench.visits.length = 0;
      const headers = { host: host.replace('PORT', String(bench.port)) };
      expect((await browser.ask('/', { headers })).status).toBe(403);
      expect((await browser.ask('/assets/d1/page.js', { headers })).status).toBe(403);
      expect((await browser.ask(pathOf(bench.server.link()), { headers })).status).toBe(403);
      expect(bench.visits).toEqual([]);
    },
  );

  it.each(['localhost', 'LOCALHOST', '[::1]', '127.0.0.1'])('%s is one of them', async (name) => {
    const bench = await startBench();
    const browser = await bench.signIn();
    const headers = { host: `${name}:${bench.port}` };
    expect((await browser.ask('/', { headers })).status).toBe(200);
  });

  it('are addresses and its own names where the network can reach it', async () => {
    const bench = await startBench({
      address: { host: '0.0.0.0', port: 0 },
      publicUrl: new URL('https://sluice.example'),
      password: PASSWORD,
    });
    const statusOf = async (host: string) => (await bench.ask('/', { headers: { host } })).status;
    expect(await statusOf('192.0.2.7:4180')).toBe(401);
    expect(await statusOf('[2001:db8::1]:80')).toBe(401);
    expect(await statusOf('sluice.example')).toBe(401);
    expect(await statusOf('evil.example')).toBe(403);
  });
});

describe('a form', () => {
  it('is taken with its token, and leads on', async () => {
    const bench = await startBench();
    const browser = await bench.signIn();
    const done = await browser.post('/act?x=1', `token=${browser.token}&run=7`);
    expect(done).toMatchObject({ status: 303, headers: { location: '/counter' } });
    expect(bench.sent[0]?.form.get('run')).toBe('7');
    expect(bench.sent[0]?.query.get('x')).toBe('1');
  });

  it.each([
    ['of a foreign page', { origin: 'http://evil.example' }],
    ['of another port', { origin: 'http://127.0.0.1:1' }],
    ['of a page without an origin', { origin: 'null' }],
    ['without an origin', { origin: undefined }],
    ['by https', { origin: 'https://127.0.0.1:PORT' }],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another port, as the browser says', { 'sec-fetch-site': 'same-site' }],
  ])('%s is refused', async (_, headers) => {
    const bench = await startBench();
    const browser = await bench.signIn();
    const own = Object.entries(headers).map(([name, value]) => [
      name,
      value?.replace('PORT', String(bench.port)),
    ]);
    const refused = await browser.post(
      '/act',
      `token=${browser.token}`,
      Object.fromEntries(own) as Record<string, string | undefined>,
    );
    expect(refused.status).toBe(403);
    expect(bench.sent).toEqual([]);
  });

  it.each(['', 'token=', 'token=wrong', 'token=wrong&token=TOKEN'])(
    'with "%s" is refused',
    async (body) => {
      const bench = await startBench();
      const browser = await bench.signIn();
      const refused = await browser.post('/act', body.replace('TOKEN', browser.token));
      expect(refused).toMatchObject({
        status: 403,
        text: expect.stringContaining('Load the page'),
      });
      expect(bench.sent).toEqual([]);
    },
  );

  it('with the token of another session is refused', async () => {
    const bench = await startBench();
    const one = await bench.signIn();
    const other = await bench.signIn();
    expect((await one.post('/act', `token=${other.token}`)).status).toBe(403);
  });

  it('as JSON has no token', async () => {
    const bench = await startBench();
    const browser = await bench.signIn();
    const headers = { 'content-type': 'text/plain' };
    expect((await browser.post('/act', `token=${browser.token}`, headers)).status).toBe(403);
  });

  it('is refused with --read-only, whatever it has', async () => {
    const bench = await startBench({ isReadOnly: true });
    const browser = await bench.signIn();
    const refused = await browser.post('/act', `token=${browser.token}`);
    expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('--read-only') });
    const file = await browser.post('/file', 'x', { 'x-sluice-token': browser.token });
    expect(file.status).toBe(403);
    expect(bench.sent).toEqual([]);
  });

  it('has 64 KiB at most, and a file as much as its route takes', async () => {
    const bench = await startBench();
    const browser = await bench.signIn();
    const large = 'x'.repeat(70_000);
    const type = { 'content-type': 'application/octet-stream' };
    const proof = { 'x-sluice-token': browser.token, ...type };
    expect((await browser.post('/act', `token=${browser.token}&x=${large}`)).status).toBe(413);
    expect((await browser.post('/act', large, proof)).status).toBe(413);
    expect((await browser.post('/file', large, type)).status).toBe(403);
    expect((await browser.post('/file', large, proof)).status).toBe(303);
    expect((await browser.post('/file', 'x'.repeat(1_000_001), proof)).status).toBe(413);
    expect(bench.sent.map(({ file }) => file.length)).toEqual([70_000]);
  });
});

describe('a file', () => {
  it('is not read without the token of a page in its headers', async () => {
    const bench = await startBench();
    const { cookie } = await bench.signIn();
    const host = `127.0.0.1:${bench.port}`;
    const socket = connect(bench.port, '127.0.0.1');
    socket.write(
      `POST /file HTTP/1.1\r\nhost: ${host}\r\norigin: http://${host}\r\ncookie: ${cookie}\r\ncontent-type: application/octet-stream\r\ncontent-length: 900000\r\n\r\n`,
    );
    // The answer comes before the file.
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 .*Load the page again/s);
  });
});

describe('what a foreign page fetches or embeds', () => {
  it.each([
    ['cross-site', 'no-cors', 403],
    ['same-site', 'cors', 403],
    ['cross-site', 'navigate', 200],
    ['none', 'navigate', 200],
    ['same-origin', 'cors', 200],
  ])('%s, %s: %d', async (site, mode, status) => {
    const bench = await startBench();
    const browser = await bench.signIn();
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode };
    expect((await browser.ask('/', { headers })).status).toBe(status);
  });
});

describe('an answer', () => {
  it('tells the browser to load nothing from elsewhere, and to keep nothing', async () => {
    const bench = await startBench();
    const browser = await bench.signIn();
    for (const path of ['/', '/nothing', '/table']) {
      const { headers } = await browser.ask(path);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('has the places of its path, decoded', async () => {
    const bench = await startBench();
    const browser = await bench.signIn();
    const { text: params } = await browser.ask('/jobs/a%2Fb%20%3Cc%3E/lines/7');
    expect(JSON.parse(params)).toEqual({ job: 'a/b <c>', line: '7' });
    const long = 'x'.repeat(9_000);
    const { text: odd } = await browser.ask(`/jobs/${long}%252F;%3F%23/lines/7?line=8`);
    expect(JSON.parse(odd)).toEqual({ job: `${long}%2F;?#`, line: '7' });
  });

  it.each([
    '/jobs/%ff/lines/7',
    '/jobs/a/lines/7/',
    '//127.0.0.1/',
    '/../counter',
    '/%2e%2e/counter',
    '/counter%00',
    '/counter/',
    '/COUNTER',
    '/assets/d1/../../package.json',
    '/assets/d1/page.js%00.css',
    '/constructor',
    '/__proto__',
  ])('is nothing for %s', async (path) => {
    const bench = await startBench();
    const browser = await bench.signIn();
    expect((await browser.ask(path)).status).toBe(404);
  });

  it('is a file under a name that cannot add a header', async () => {
    const bench = await startBench();
    const browser = await bench.signIn();
    const file = await browser.ask('/table');
    expect(file.text).toBe('a,b\n1,2\n');
    expect(file.headers['content-disposition']).toBe(
      "attachment; filename*=UTF-8''w%C3%B6rk%20%221%22.csv%0D%0Ax%3A%20y",
    );
  });

  it('says what is wrong, and a bug goes to the terminal alone', async () => {
    const bench = await startBench();
    const browser = await bench.signIn();
    bench.shown.error = new SluiceError('usage', 'There is no run 9.');
    expect(await browser.ask('/')).toMatchObject({
      status: 400,
      text: 'Not done: There is no run 9.',
    });
    expect(bench.troubles).toEqual([]);
    const bug = new Error('secret detail');
    bench.shown.error = bug;
    const broken = await browser.ask('/');
    expect(broken.status).toBe(500);
    expect(broken.text).not.toContain('secret');
    expect(bench.troubles).toEqual([bug]);
  });

  it('that breaks off in the middle of a file is told in the terminal, unless the browser has gone', async () => {
    const bodies = [new PassThrough(), new PassThrough()];
    const answer = async ({ params }: Visit): Promise<Answer> => {
      const body = bodies[Number(params['n'])] ?? new PassThrough();
      body.write('a,b\n');
      return { name: 'a.csv', type: 'text/csv', content: body };
    };
    const bench = await startBench({ routes: [{ method: 'GET', path: '/table/:n', answer }] });
    const browser = await bench.signIn();
    const [left, broken] = [await browser.begin('/table/0'), await browser.begin('/table/1')];
    left.destroy();
    await expect.poll(() => bodies[0]?.destroyed).toBe(true);
    const full = new SluiceError('output', 'The temporary folder cannot be used.');
    bodies[1]?.destroy(full);
    await expect(text(broken)).rejects.toThrow('aborted');
    expect(bench.troubles).toEqual([full]);
  });

  it.each(['PUT', 'DELETE', 'OPTIONS', 'PATCH'])('to %s is no', async (method) => {
    const bench = await startBench();
    const browser = await bench.signIn();
    const headers = { origin: `http://127.0.0.1:${bench.port}` };
    expect((await browser.ask('/', { method, headers })).status).toBe(404);
  });
});

describe('a password', () => {
  const signIn = (port: number, password: string) => ({
    method: 'POST',
    headers: { origin: `http://127.0.0.1:${port}`, ...FORM },
    body: new URLSearchParams({ password }).toString(),
  });

  it('takes the place of the link', async () => {
    const bench = await startBench({ password: PASSWORD });
    expect(bench.server.link()).toBe(`http://127.0.0.1:${bench.port}/`);
    expect(await bench.ask('/counter')).toMatchObject({ status: 401, text: 'Password? ' });
    expect((await bench.ask('/open?key=')).status).toBe(401);
    const signed = await bench.ask('/sign-in', signIn(bench.port, PASSWORD));
    expect(signed).toMatchObject({ status: 200, text: 'Opened' });
    const browser = await openBrowser(bench.port, cookieOf(signed));
    expect((await browser.ask('/')).status).toBe(200);
  });

  it('is guessed once a second at most, also by who leaves', async () => {
    const bench = await startBench({ password: PASSWORD });
    const right = () => bench.ask('/sign-in', signIn(bench.port, PASSWORD));
    const wrong = bench.ask('/sign-in', signIn(bench.port, 'guess'));
    await expect.poll(() => bench.clock.sleeping()).toBe(1);
    expect((await right()).status).toBe(429);
    await bench.clock.advance(999);
    expect((await right()).status).toBe(429);
    await bench.clock.advance(1);
    expect((await wrong).status).toBe(401);
    expect((await right()).status).toBe(200);
  });

  it('is not taken from a foreign page', async () => {
    const bench = await startBench({ password: PASSWORD });
    const asked = {
      ...signIn(bench.port, PASSWORD),
      headers: { origin: 'http://evil.example', ...FORM },
    };
    expect((await bench.ask('/sign-in', asked)).status).toBe(403);
  });

  it('gives a cookie for https alone where browsers come by https', async () => {
    const publicUrl = new URL('https://sluice.example');
    const bench = await startBench({ password: PASSWORD, publicUrl });
    const { headers } = await bench.ask('/sign-in', {
      ...signIn(bench.port, PASSWORD),
      headers: { host: 'sluice.example', origin: 'https://sluice.example', ...FORM },
    });
    expect(headers['set-cookie']?.[0]).toMatch(/; Secure$/);
  });
});

describe('closing', () => {
  it('ends open streams and connections that wait', async () => {
    const bench = await startBench();
    const browser = await bench.signIn();
    const stream = await browser.follow('/counter');
    const ended = text(stream).catch(() => 'cut off');
    const idle = connect(bench.port, '127.0.0.1');
    idle.on('error', () => undefined);
    const closed = new Promise((resolve) => idle.once('close', resolve));
    await new Promise((resolve) => idle.once('connect', resolve));
    await bench.server.close();
    await bench.server.close();
    await Promise.all([ended, closed]);
    expect(bench.clock.sleeping()).toBe(0);
    await expect(bench.ask('/')).rejects.toThrow('ECONNREFUSED');
  });
});
