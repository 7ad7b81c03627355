// sluice ui as a process: the link, the ports, a run that goes on beside it, the end and the next start.
import { chmodSync, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import type { Running } from '../helpers/command-line.js';
import { isLong } from '../helpers/long.js';
import {
  complaintOf,
  finishedRun,
  openPrepared,
  openWorkdir,
  type Workdir,
} from '../helpers/workdir.js';
import { askServer, cookieOf, openBrowser, pathOf } from '../ui/server/ui-bench.js';

/** Starts it, and resolves with its link. */
async function startUi(dir: Workdir, flags = '--port 0', state = '--state state.db') {
  const ui = dir.start(['ui', state, flags].filter((words) => words !== '').join(' '));
  let said = '';
  ui.child.stdout?.on('data', (piece: string) => {
    said += piece;
  });
  const pattern = /^Pages at (http:\/\/\S+)\n/;
  await Promise.all([ui.says(pattern), ui.says('Ctrl+C ends it.')]);
  const link = pattern.exec(said)?.[1] ?? '';
  return { ui, link, port: Number(new URL(link).port) };
}

async function signIn({ link, port }: { link: string; port: number }) {
  return openBrowser(port, cookieOf(await askServer(port, pathOf(link))));
}

async function stop(ui: Running) {
  ui.child.kill('SIGINT');
  return ui.ended;
}

test('sluice ui starts in a new folder, and says how to begin', async () => {
  const dir = openWorkdir();
  const started = await startUi(dir, '--port 0', '');
  const browser = await signIn(started);
  const { status, text } = await browser.ask('/');
  expect(status).toBe(200);
  expect(text).toContain('Nothing has run with this state yet.');
  expect(text).toContain('href="/try"');
  expect(await stop(started.ui)).toMatchObject({ code: 0 });
});

test('sluice ui prints a link that counts once, shows the runs, and ends at Ctrl+C', async () => {
  const dir = await openPrepared(finishedRun, 'sandbox');
  const started = await startUi(dir);
  const browser = await signIn(started);
  const runs = await browser.ask('/');
  expect(runs.status).toBe(200);
  expect(runs.text).toContain('leads.csv');
  expect((await askServer(started.port, pathOf(started.link))).status).toBe(403);
  await started.ui.says(/Opened\. For another browser: http:\/\/127\.0\.0\.1:\d+\/open\?key=/);
  // An open page does not hold it.
  const stream = await browser.follow('/');
  const closed = new Promise((resolve) => stream.once('close', resolve));
  stream.on('error', () => undefined).resume();
  expect(await stop(started.ui)).toMatchObject({ code: 0 });
  await closed;
});

test('sluice ui answers under its own name, and takes forms from its own pages alone', async () => {
  const dir = await openPrepared(finishedRun, 'sandbox');
  const started = await startUi(dir);
  const browser = await signIn(started);
  const headers = { host: `evil.example:${started.port}` };
  expect((await browser.ask('/', { headers })).status).toBe(403);
  const { text } = await browser.ask('/jobs/leads.csv/pause');
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? [];
  const pause = (more = {}) => browser.post('/jobs/leads.csv/pause', `token=${token}`, more);
  expect((await pause({ origin: 'http://evil.example' })).status).toBe(403);
  expect((await pause()).text).toMatch(/leads\.csv is paused(?! already)/);
  await stop(started.ui);
});

test.skipIf(process.platform !== 'linux')(
  '--open shows no other user the link: what opens the browser is given a file of its owner alone, which is removed',
  async () => {
    const dir = await openPrepared(finishedRun, 'sandbox');
    dir.write(
      'bin/xdg-open',
      `#!/bin/sh
cp "$1" ${dir.at('copy.html')}
stat -c %a "$1" "$(dirname "$1")" > ${dir.at('modes')}
echo "$@" > ${dir.at('opened')}
`,
    );
    chmodSync(dir.at('bin/xdg-open'), 0o755);
    const ui = dir.start('ui --state state.db --port 0 --open', {
      env: { PATH: `${dir.at('bin')}:/bin:/usr/bin` },
    });
    await expect.poll(() => dir.has('opened') && dir.text('opened')).toMatch(/\n$/);
    const file = dir.text('opened').trim();
    expect(file).toMatch(/^\/\S+\/open-\w+\/pages\.html$/);
    expect(dir.text('modes')).toBe('600\n700\n');
    const [link = ''] =
      /http:\/\/127\.0\.0\.1:\d+\/open\?key=[\w-]{43}/.exec(dir.text('copy.html')) ?? [];
    const port = Number(new URL(link).port);
    expect((await askServer(port, pathOf(link))).status).toBe(200);
    expect((await askServer(port, pathOf(link))).status).toBe(403);
    await expect.poll(() => existsSync(dirname(file))).toBe(false);
    expect((await stop(ui)).code).toBe(0);

    const alone = dir.start('ui --state state.db --port 0 --open', {
      env: { PATH: dir.at('none') },
    });
    await alone.says('No browser opens by xdg-open: open the link yourself.');
    expect((await stop(alone)).code).toBe(0);
    expect(dir.files().filter((name) => name.includes('open-'))).toEqual([]);
  },
);

test.runIf(isLong)(
  'a port that is taken is one sentence; without --port the next is taken',
  async () => {
    const dir = await openPrepared(finishedRun, 'sandbox');
    const first = await startUi(dir, '');
    expect(first.port).toBeGreaterThanOrEqual(4180);
    const second = await startUi(dir, '');
    expect(second.port).toBeGreaterThan(first.port);
    expect(await dir.refusal(`ui --state state.db --port ${first.port}`)).toBe(
      `The pages cannot be served on 127.0.0.1:${first.port}: the port is taken; choose another with --port.`,
    );
    await Promise.all([stop(first.ui), stop(second.ui)]);
  },
);

test.each([
  ['ui --state none.db', 5, 'There is no state file none.db yet'],
  ['ui --state state.db --port 70000', 2, 'a port is a whole number from 0 to 65535'],
  ['ui --state state.db --host 0.0.0.0', 2, 'set SLUICE_UI_PASSWORD'],
  ['ui --state state.db --public-url https://a.example/pages', 2, 'an address without a path'],
  ['ui --state state.db --public-url https://a.example', 2, 'set SLUICE_UI_PASSWORD'],
])('%s ends with %d and one sentence', async (words, code, sentence) => {
  const dir = openWorkdir();
  await openSqliteStore(dir.at('state.db')).close();
  const refused = await dir.sluice(words);
  expect(refused.code).toBe(code);
  expect(complaintOf(refused)).toContain(sentence);
});
