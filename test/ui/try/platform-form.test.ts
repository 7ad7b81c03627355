// The form that makes `.env`: who may send it, what it refuses, and that no page shows a secret again.
import { chmodSync, existsSync, lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandboxProcess } from '../../helpers/sandbox-process.js';
import { startUi, type UiProcess } from '../../helpers/ui-process.js';
import { openWorkdir, type Workdir } from '../../helpers/workdir.js';
import { askServer, type Browser, cookieOf, openBrowser, pathOf } from '../server/ui-bench.js';

const SECRET = `it's #1 "and" \\n $HOME`;
const ACCOUNT = {
  SLUICE_URL: 'https://platform.example',
  SLUICE_USERNAME: 'me',
  SLUICE_PASSWORD: SECRET,
};

async function signIn(ui: UiProcess): Promise<Browser> {
  const port = Number(new URL(ui.origin).port);
  const cookie = cookieOf(await askServer(port, pathOf(await ui.link())));
  const browser = await openBrowser(port, cookie);
  const { text } = await browser.ask('/platform');
  return { ...browser, token: /name="token" value="([^"]*)"/.exec(text)?.[1] ?? '' };
}

async function openPages(flags = '--port 0', env: Record<string, string> = {}) {
  const dir = openWorkdir(undefined, {});
  const ui = await startUi(dir, flags, env);
  return { dir, ui };
}

const bodyOf = ({ token }: Browser, fields: Record<string, string> = ACCOUNT): string =>
  new URLSearchParams({ token, ...fields }).toString();

const envOf = (dir: Workdir): string => join(dir.path, '.env');

it('makes .env, which only its owner may read, from what a run then asks the platform', async () => {
  const sandbox = await startSandboxProcess('--latency 0s --sigma 0');
  const { dir, ui } = await openPages();
  const browser = await signIn(ui);
  const upload = '0123456789ab';
  const path = `/platform?upload=${upload}`;
  const { text } = await browser.ask(path);
  expect(text).toContain('type="password" size="36" autocomplete="off"');
  expect(text).toContain(`href="/try/${upload}"`);
  const fields = {
    SLUICE_URL: sandbox.url,
    SLUICE_USERNAME: 'sandbox',
    SLUICE_PASSWORD: 'sandbox',
  };
  const done = await browser.post(path, bodyOf(browser, { ...fields, SLUICE_STATE: 'x' }));
  expect(done.status).toBe(200);
  expect(done.text).toContain(`href="/try/${upload}"`);
  expect(statSync(envOf(dir)).mode & 0o777).toBe(0o600);
  expect(readFileSync(envOf(dir), 'utf8')).toBe(
    `SLUICE_URL='${sandbox.url}'\nSLUICE_USERNAME='sandbox'\nSLUICE_PASSWORD='sandbox'\n`,
  );
  // The pages know it without a new start, and so does what they start.
  const file = await browser.post(
    '/try?name=a.csv',
    'first_name,last_name,domain\nAda,Abel,firm1.com\n',
    {
      'content-type': 'application/octet-stream',
      'x-sluice-token': browser.token,
    },
  );
  const columns = file.headers.location ?? '';
  expect((await browser.ask(columns)).text).toContain('the platform of SLUICE_URL, for real');
  expect((await browser.ask(columns)).text).not.toContain('/platform?upload');
  const plan = `${columns}/plan?ask=find_email&place=platform`;
  const [, seen = ''] = /name="seen" value="([^"]*)"/.exec((await browser.ask(plan)).text) ?? [];
  const started = await browser.post(plan, bodyOf(browser, { seen, budget: '5' }));
  const page = started.headers.location ?? '';
  await expect.poll(async () => (await browser.ask(page)).text, { interval: 200 }).toMatch(/ended/);
  expect((await sandbox.ledger()).accepted).toBe(1);
  await ui.stop();
});

it('keeps a password to the letter, and shows it on no page, whether it is taken or refused', async () => {
  const { dir, ui } = await openPages();
  const browser = await signIn(ui);
  const refused = await browser.post(
    '/platform',
    bodyOf(browser, { ...ACCOUNT, SLUICE_URL: 'ftp://x' }),
  );
  expect(refused.status).toBe(400);
  const done = await browser.post('/platform', bodyOf(browser));
  expect(done.status).toBe(200);
  const later = await browser.ask('/platform');
  expect(later.text).toContain('SLUICE_PASSWORD=…');
  expect(later.text).not.toContain('<button type="submit"');
  for (const { text } of [
    refused,
    done,
    later,
    await browser.ask('/try'),
    await browser.ask('/jobs'),
  ]) {
    expect(text).not.toMatch(/#1 |SLUICE_USERNAME=me|platform\.example/);
  }
  expect(readFileSync(envOf(dir), 'utf8')).toContain(`SLUICE_PASSWORD=\`${SECRET}\`\n`);
  const doctor = await dir.sluice('doctor');
  expect(doctor.stdout).not.toContain('would be cut off');
  await ui.stop();
});

it.each([
  ['a line break in the password', { SLUICE_PASSWORD: 'x\nSLUICE_URL=https://evil.example' }],
  ['a line break in the address', { SLUICE_URL: 'https://a.example\nNODE_OPTIONS=--require=x' }],
  ['a carriage return', { SLUICE_USERNAME: 'me\rSLUICE_URL=https://evil.example' }],
  ['every quotation mark', { SLUICE_PASSWORD: `'"\`` }],
  ['no password', { SLUICE_PASSWORD: '' }],
  ['a colon in the user name', { SLUICE_USERNAME: 'a:b' }],
  ['a key that no header can hold', { SLUICE_API_KEY: 'ключ' }],
  ['a password in the address', { SLUICE_URL: 'https://me:pw@platform.example' }],
  ['no address', { SLUICE_URL: '' }],
])('refuses %s, and writes nothing', async (_, wrong) => {
  const { browser, dir } = await shared();
  const refused = await browser.post('/platform', bodyOf(browser, { ...ACCOUNT, ...wrong }));
  expect(refused.status).toBe(400);
  expect(refused.text).not.toContain('evil.example');
  expect(existsSync(envOf(dir))).toBe(false);
});

it.each([
  ['of a foreign origin', { origin: 'https://evil.example' }, undefined],
  ['without an origin', { origin: undefined }, undefined],
  ['of another site', { 'sec-fetch-site': 'cross-site' }, undefined],
  ['without the token', {}, ''],
  ['with a wrong token', {}, 'x'],
])('a form %s writes nothing', async (_, headers, token) => {
  const { browser, dir } = await shared();
  const body = bodyOf(browser, { ...ACCOUNT, ...(token !== undefined && { token }) });
  expect((await browser.post('/platform', body, headers)).status).toBe(403);
  expect(existsSync(envOf(dir))).toBe(false);
});

it('nothing is offered or taken with --read-only', async () => {
  const { dir, ui } = await openPages('--port 0 --read-only');
  const browser = await signIn(ui);
  const { text } = await browser.ask('/platform');
  expect(text).toContain('never with --read-only');
  expect(text).not.toContain('type="password"');
  expect(text).not.toContain(dir.path);
  expect((await browser.post('/platform', bodyOf(browser))).status).toBe(403);
  expect(existsSync(envOf(dir))).toBe(false);
  await ui.stop();
});

it('a file of that name stays as it is, and the lines to add are shown', async () => {
  const { dir, ui } = await openPages();
  const browser = await signIn(ui);
  const before = 'OTHER=1\n';
  dir.write('.env', before);
  chmodSync(envOf(dir), 0o640);
  const { text } = await browser.ask('/platform');
  expect(text).toContain('SLUICE_URL=…\nSLUICE_USERNAME=…\nSLUICE_PASSWORD=…');
  expect((await browser.post('/platform', bodyOf(browser))).status).toBe(400);
  expect(dir.text('.env')).toBe(before);
  expect(statSync(envOf(dir)).mode & 0o777).toBe(0o640);
  await ui.stop();
});

it.each(['elsewhere.txt', 'nowhere.txt'])('a link to %s is not followed', async (target) => {
  const { dir, ui } = await openPages();
  const browser = await signIn(ui);
  dir.write('elsewhere.txt', 'OTHER=1\n');
  symlinkSync(target, envOf(dir));
  expect((await browser.post('/platform', bodyOf(browser))).status).toBe(400);
  expect(lstatSync(envOf(dir)).isSymbolicLink()).toBe(true);
  expect(dir.text('elsewhere.txt')).toBe('OTHER=1\n');
  expect(existsSync(join(dir.path, 'nowhere.txt'))).toBe(false);
  await ui.stop();
});

it('where the environment has an account, it says so, since the file would be of no use', async () => {
  const { dir, ui } = await openPages('--port 0', { SLUICE_USERNAME: 'me' });
  const browser = await signIn(ui);
  expect((await browser.ask('/platform')).text).toContain(
    'The environment sets SLUICE_USERNAME, which would win',
  );
  expect((await browser.post('/platform', bodyOf(browser))).status).toBe(400);
  expect(existsSync(envOf(dir))).toBe(false);
  await ui.stop();
});

let opened: Promise<{ browser: Browser; dir: Workdir }> | undefined;

/** Pages in whose folder no test makes a file. */
function shared() {
  opened ??= openPages().then(async ({ dir, ui }) => ({ dir, browser: await signIn(ui) }));
  return opened;
}
