import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readEnvironment } from '../../src/app/settings/environment.js';
import type { Store } from '../../src/ports/store/store.js';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { openUi, type UiOptions } from '../../src/ui/open-ui.js';
import { routesOf } from '../../src/ui/pages.js';
import type { UiServer } from '../../src/ui/server/open-ui-server.js';
import { asked, COLUMNS, runPlan } from '../helpers/leads.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { contextOf } from './look-at-pages.js';
import { askServer, cookieOf, openBrowser, pathOf } from './server/ui-bench.js';

const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>'`;
const folder = tempFolder();
const path = join(folder, `${HOSTILE.replaceAll('/', '')}.db`);
let store: Store;

beforeAll(async () => {
  store = openSqliteStore(path);
  await store.startRun(runPlan({ job: HOSTILE }), 1_700_000_000_000);
  return () => store.close();
});

async function open(options: Partial<UiOptions> = {}, variables: Record<string, string> = {}) {
  const troubles: unknown[] = [];
  const ui = await openUi({
    store,
    state: path,
    address: { host: '127.0.0.1', port: 0 },
    isReadOnly: false,
    command: [],
    environment: () => readEnvironment(variables),
    onLinkUsed: () => undefined,
    onTrouble: (error) => troubles.push(error),
    ...options,
  });
  onTestFinished(() => ui.close());
  return { ui, troubles };
}

async function signIn(ui: UiServer) {
  return openBrowser(ui.port, cookieOf(await askServer(ui.port, pathOf(ui.link()))));
}

describe('every page', () => {
  it('shows text from outside as text, and needs nothing that the policy forbids', async () => {
    const { ui, troubles } = await open();
    const browser = await signIn(ui);
    for (const { method, path: pattern } of routesOf(contextOf(store, path))) {
      if (method !== 'GET') continue;
      const { headers, text } = await browser.ask(pattern.replaceAll(/:\w+/g, '1'));
      if (headers['content-disposition'] !== undefined) continue;
      expect([pattern, headers['content-type']]).toEqual([pattern, 'text/html; charset=utf-8']);
      expect(text).not.toContain('<img');
      expect(text).not.toContain('alert(2)</script>');
      const tags = text.match(/<[a-z][^>]*>/g) ?? [];
      // What stands in a value is text.
      const bare = tags.map((tag) => tag.replaceAll(/"[^"]*"/g, '""'));
      expect(bare.filter((tag) => /\s(style|on\w+)=/.test(tag))).toEqual([]);
      const targets = tags.flatMap((tag) =>
        [...tag.matchAll(/\s(?:src|href|action)="([^"]*)"/g)].map(([, target = '']) => target),
      );
      const own = /^(\/(?!\/)|#|\?|data:image\/svg\+xml,)/;
      expect(targets.filter((target) => !own.test(target))).toEqual([]);
    }
    expect(troubles).toEqual([]);
  });

  it('loads a stylesheet and a script that are served', async () => {
    const { ui } = await open();
    const browser = await signIn(ui);
    const { text } = await browser.ask('/');
    const [, style = ''] = /<link rel="stylesheet" href="([^"]*)"/.exec(text) ?? [];
    const [, script = ''] = /<script type="module" src="([^"]*)"/.exec(text) ?? [];
    expect((await browser.ask(style)).headers['content-type']).toBe('text/css; charset=utf-8');
    const loaded = await browser.ask(script);
    expect(loaded.headers['content-type']).toBe('text/javascript; charset=utf-8');
    const imports = [...loaded.text.matchAll(/from '\.\/([\w-]+\.js)'/g)].map(([, name]) => name);
    expect(imports).toContain('morph.js');
    for (const name of imports) {
      expect((await browser.ask(script.replace('page.js', name ?? ''))).status).toBe(200);
    }
  });

  it('can be kept up to date', async () => {
    const { ui } = await open();
    const browser = await signIn(ui);
    const stream = await browser.follow('/');
    let text = '';
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    await expect.poll(() => text).toContain('event: part');
    stream.destroy();
  });
});

it('says of a run to be cancelled what it may be charged at most, and what stays uncertain', async () => {
  const { ui } = await open();
  const browser = await signIn(ui);
  const at = 1_700_000_000_000;
  const { id } = await store.startRun(runPlan({ job: 'firms' }), at);
  const leads = [1, 2, 3].map((position) => asked(position, `cancelled ${position}`));
  const times = { at, freshSince: at, deadlineAt: at + 60_000 };
  await store.ingest(id, { columns: COLUMNS, leads, rejects: [] }, times);
  const [sent] = (await store.claim(id, 2, at)).claimed;
  const accepted = { kind: 'accepted', ticket: 't', pollAt: at, deadlineAt: at } as const;
  await store.recordSubmits([{ id: sent?.id ?? 0, send: sent?.send ?? 0, at, ...accepted }]);
  const { text } = await browser.ask(`/runs/${id}/cancel`);
  expect(text).toContain(
    '1 lead will not be asked for. Up to 10 credits more may be charged, for 2 requests without an answer. The next run of the job collects the answers of accepted requests. What was being sent for 1 lead stays uncertain if its process is dead.',
  );
});

describe('an address that others can reach', () => {
  it.each([
    { address: { host: '0.0.0.0', port: 0 } },
    { address: { host: '::', port: 0 } },
    { address: { host: 'sluice.example', port: 0 } },
    { publicUrl: new URL('https://sluice.example') },
  ])('needs a password: %o', async (options) => {
    await expect(open(options)).rejects.toThrow(
      /set SLUICE_UI_PASSWORD, or .*put a proxy with TLS/,
    );
    await expect(open(options, { SLUICE_UI_PASSWORD: 'short' })).rejects.toThrow(
      'needs 12 characters or more',
    );
  });

  it.each([
    { address: { host: '0.0.0.0', port: 0 } },
    { address: { host: '127.0.0.1', port: 0 } },
    { publicUrl: new URL('https://sluice.example') },
  ])('neither offers nor takes an account of the platform: %o', async (options) => {
    const password = 'correct horse battery';
    const { ui } = await open(options, { SLUICE_UI_PASSWORD: password });
    const headers = {
      origin: `http://127.0.0.1:${ui.port}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    const form = { method: 'POST', headers, body: `password=${encodeURIComponent(password)}` };
    const browser = await openBrowser(
      ui.port,
      cookieOf(await askServer(ui.port, '/sign-in', form)),
    );
    const { text } = await browser.ask('/platform');
    expect(text).toContain('only by pages that this machine alone can reach');
    expect(text).not.toContain('type="password"');
    const [, token = ''] = /name="token" value="([^"]*)"/.exec(text) ?? [];
    const account = { SLUICE_URL: 'https://a.example', SLUICE_USERNAME: 'a', SLUICE_PASSWORD: 'b' };
    const sent = new URLSearchParams({ token, ...account }).toString();
    const refused = await browser.post('/platform', sent);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Nothing was written.');
  });

  it('opens with a password', async () => {
    const variables = { SLUICE_UI_PASSWORD: 'correct horse battery' };
    const { ui } = await open({ address: { host: '0.0.0.0', port: 0 } }, variables);
    const { status, text } = await askServer(ui.port, '/');
    expect(status).toBe(401);
    expect(text).toContain('<input id="password" name="password" type="password"');
  });
});
