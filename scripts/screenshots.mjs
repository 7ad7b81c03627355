// npm run screenshots: makes the pictures of the documents anew, from runs over invented people against a sandbox of its
// own, in a temporary folder. Needs chromium, as the tests of the pages do.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const SLUICE = resolve('dist/bundle/sluice.js');
const PICTURES = resolve('docs/img');
const LOOK = {
  viewport: { width: 1200, height: 800 },
  colorScheme: 'light',
  locale: 'en-GB',
  timezoneId: 'UTC',
};

const dir = mkdtempSync(join(tmpdir(), 'sluice-pictures-'));
const children = [];
let browser;
const account = { SLUICE_USERNAME: 'sandbox', SLUICE_PASSWORD: 'sandbox' };

function start(...args) {
  const stdio = ['ignore', 'pipe', 'inherit'];
  const env = { ...process.env, ...account };
  const child = spawn(process.execPath, [SLUICE, ...args], { cwd: dir, env, stdio });
  children.push(child);
  return child;
}

/** The first address that a service prints. */
async function addressOf(service) {
  for await (const line of createInterface({ input: service.stdout })) {
    const address = /http:\/\/\S+/.exec(line)?.[0];
    if (address !== undefined) {
      service.stdout.resume();
      return address;
    }
  }
  throw new Error('It ended before it said where it listens.');
}

/** Resolves once the command has ended. 1: some enrichments failed, as the sandbox lets about 2 %. */
async function sluice(...args) {
  const child = start(...args);
  child.stdout.resume();
  const [status] = await once(child, 'close');
  if (status !== 0 && status !== 1) throw new Error(`sluice ${args.join(' ')}: exit ${status}`);
}

async function picture(name, address) {
  const page = await browser.newPage(LOOK);
  await page.goto(address);
  await take(page, name);
  await page.close();
}

/** What the window shows of the page, without the name of the machine. */
async function take(page, name) {
  await page.evaluate(
    ([from, to]) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const { currentNode: text } = walker;
        if (text.data.includes(from)) text.data = text.data.replaceAll(from, to);
      }
    },
    [hostname(), 'laptop'],
  );
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

function writeJob(name, ask) {
  writeFileSync(
    join(dir, 'jobs', `${name}.yaml`),
    `input: customers.csv\nout: out/${name}.csv\nask: [${ask}]\nbudget: 12000\n`,
  );
}

const FIRST =
  'Ada Ben Carla David Emma Felix Greta Hugo Iris Jonas Klara Leo Mira Nils Olga Paul Rosa Sven'.split(
    ' ',
  );
const LAST =
  'Abel Berg Conti Duval Ek Falk Gruber Holm Ivers Jansen Keller Lund Moreau Novak Orsini'.split(
    ' ',
  );
const COMPANIES =
  'alder birch cedar elm fir hazel juniper larch maple oak pine rowan spruce willow yew'.split(' ');

/** Each first name with each last name twice, so that no lead is another's. */
function writePeople() {
  const lines = Array.from({ length: 540 }, (_, n) => {
    const [first, last] = [FIRST[n % FIRST.length], LAST[Math.floor(n / 36) % LAST.length]];
    const company = COMPANIES[(n * 7 + Math.floor(n / 18)) % COMPANIES.length];
    return `${1001 + n},${first},${last},${company}.example`;
  });
  const text = ['Record ID,First Name,Last Name,Website', ...lines].join('\n');
  writeFileSync(join(dir, 'customers.csv'), `${text}\n`);
}

function findChromium() {
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
  ];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const path = folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((one) => existsSync(one));
  if (path === undefined) throw new Error('There is no chromium here.');
  return path;
}

try {
  for (const folder of ['jobs', 'out']) mkdirSync(join(dir, folder));
  writePeople();
  writeJob('customers', 'find_email, social_enrichment');
  writeJob('profiles', 'social_enrichment');
  writeJob('phones', 'find_phone');

  const platform = ['sandbox', '--port', '0', '--rate', 'off', '--latency', '3s'];
  const now = await addressOf(start(...platform));
  const later = await addressOf(start(...platform, '--moved', '0.12'));
  browser = await chromium.launch({ executablePath: findChromium(), chromiumSandbox: false });

  await sluice('run', 'customers', '--url', now, '--set', 'rate=100/2s');
  await sluice('report', '1', '--out', 'report.html');
  await picture('report', pathToFileURL(join(dir, 'report.html')).href);

  await sluice('run', 'profiles', '--url', now, '--limit', '60', '--fresh-for', '1s');
  await sluice('run', 'customers', '--url', later, '--set', 'rate=400/2s', '--fresh-for', '1s');

  const link = new URL(await addressOf(start('ui', '--port', '0')));
  const pages = await browser.newContext(LOOK);
  const page = await pages.newPage();
  await page.goto(link.href);
  await page.waitForURL(`${link.origin}/`);
  await page.goto(`${link.origin}/jobs/customers/compare?before=1&after=3&key=Record+ID`);
  await page.getByText('Compared at').waitFor();
  await take(page, 'compare');
  await page.goto(`${link.origin}/runs/1/leads?outcome=found`);
  await page.getByText('Counted at').waitFor();
  await page.setViewportSize({ width: 1200, height: 640 });
  await take(page, 'leads');

  await page.goto(`${link.origin}/`);
  const going = sluice('run', 'phones', '--url', now, '--set', 'rate=40/2s');
  const share = page.getByText(/\d+ %/).first();
  // At first it says: <1 %.
  const answered = async () => Number(/\d+(?= %)/.exec(await share.innerText())?.[0]);
  while ((await answered()) < 35) await page.waitForTimeout(500);
  await page.setViewportSize({ width: 1200, height: 480 });
  await take(page, 'runs');
  await page.setViewportSize(LOOK.viewport);
  await page.goto(`${link.origin}/runs/4`);
  await page.getByText('Live', { exact: true }).waitFor();
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await take(page, `run-${colorScheme}`);
  }
  await going;
} finally {
  await browser?.close();
  for (const child of children) child.kill('SIGTERM');
  rmSync(dir, { recursive: true, force: true });
}
