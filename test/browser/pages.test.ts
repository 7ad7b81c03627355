// The pages of `sluice ui` in a browser: at every width, in both themes, by keyboard; through the end of their server and
// of the process that works on a run. What comes from outside stays text.
import { chmodSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { html } from '../../src/html/markup.js';
import {
  browserOfFile,
  faultsByAxe,
  isBrowserMissing,
  overflowOf,
  SCHEMES,
  type Tab,
  WIDTHS,
} from '../helpers/browser.js';
import { HOSTILE_MARKUP } from '../helpers/hostile-markup.js';
import { isLong } from '../helpers/long.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { startUi, type UiProcess } from '../helpers/ui-process.js';
import { csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const browser = browserOfFile();
let dir: Workdir;
let ui: UiProcess;

/** Every page, of a state with two runs. */
const PAGES = [
  '/',
  '/?job=firms',
  '/runs/1',
  '/runs/1/leads',
  '/runs/1/leads?outcome=skipped',
  '/runs/1/lines/2',
  '/jobs',
  '/jobs/firms',
  '/jobs/firms/start',
  '/jobs/firms/compare?before=1&after=2',
  '/runs/1/retry',
  '/runs/1/cancel',
  '/runs/1/export',
  '/jobs/firms/compare',
  '/jobs/firms/pause',
  '/forget',
  '/platform',
  '/try',
  '/runs/99',
];

/** In `npm test` one of each kind. */
const KINDS = isLong
  ? PAGES
  : ['/', '/runs/1', '/runs/1/leads', '/runs/1/lines/2', '/jobs/firms/start', '/runs/99'];

/** In `npm test`: a list, the charts and a form. Axe takes a second for each page, and the long suite has it look at all. */
const LOOKED_AT_BY_AXE = ['/', '/runs/1', '/jobs/firms/start'];

beforeAll(async () => {
  if (isBrowserMissing) return;
  const { url } = await startSandboxProcess();
  dir = openWorkdir(url);
  dir.write('leads.csv', csv([...people(40), 'Ada,,']));
  dir.write('jobs/firms.yaml', 'input: leads.csv\nout: out.csv\nask: [find_email]\n');
  await dir.sluice('run firms');
  dir.write('leads.csv', csv(people(45)));
  await dir.sluice('run firms --limit 40');
  ui = await startUi(dir);
});

/** Whatever a page says of one that is not there is no trouble. */
function forgetMissing({ troubles }: Tab): void {
  const others = troubles.filter((one) => !/runs\/99|status of 400/.test(one));
  troubles.splice(0, troubles.length, ...others);
}

it.skipIf(isBrowserMissing || process.platform !== 'linux')(
  'the file that --open gives the browser leads to the pages, and the browser is let in',
  async () => {
    dir.write('bin/xdg-open', `#!/bin/sh\necho "$1" > ${dir.at('opened')}\n`);
    chmodSync(dir.at('bin/xdg-open'), 0o755);
    const opening = await startUi(dir, '--port 0 --open', {
      PATH: `${dir.at('bin')}:/bin:/usr/bin`,
    });
    await expect.poll(() => dir.has('opened') && dir.text('opened')).toMatch(/\n$/);
    const { page } = await browser.open();
    await page.goto(pathToFileURL(dir.text('opened').trim()).href);
    await page.waitForURL(`${opening.origin}/`);
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
  },
);

describe.skipIf(isBrowserMissing)('every page', () => {
  it.each(SCHEMES)('fits each window, in %s, and axe finds nothing', async (scheme) => {
    const tab = await ui.visit(browser, '/', { scheme, ignoresPolicy: true });
    for (const path of KINDS) {
      await tab.page.goto(`${ui.origin}${path}`);
      for (const width of WIDTHS) {
        await tab.page.setViewportSize({ width, height: 900 });
        expect([path, width, await overflowOf(tab)]).toEqual([path, width, 0]);
      }
      if (isLong || LOOKED_AT_BY_AXE.includes(path)) {
        expect([path, ...(await faultsByAxe(tab))]).toEqual([path]);
      }
    }
    forgetMissing(tab);
  });

  it('keeps to its policy: nothing from elsewhere, and no complaint of the browser', async () => {
    const tab = await ui.visit(browser, '/');
    for (const path of KINDS) await tab.page.goto(`${ui.origin}${path}`);
    forgetMissing(tab);
    expect(
      tab.requests.filter((url) => !url.startsWith(ui.origin) && !url.startsWith('data:')),
    ).toEqual([]);
  });

  it.runIf(isLong)('goes through leads by keys, and sorts and copies what it shows', async () => {
    const tab = await ui.visit(browser, '/runs/1/leads?outcome=found');
    const { page } = tab;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const focused = () => page.evaluate('document.activeElement.textContent');
    const lines = await page.locator('tbody th a').allInnerTexts();
    for (const [key, line] of [
      ['j', lines[0]],
      ['j', lines[1]],
      ['k', lines[0]],
      ['k', lines[0]],
      ['j', lines[1]],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused()).toBe(line);
    }
    await page.keyboard.press('/');
    await page.keyboard.type('jk');
    expect(await page.getByLabel('Text').inputValue()).toBe('jk');
    await page.waitForURL(/text=jk/);
    expect(await page.locator('tbody tr').count()).toBe(0);
    await page.getByLabel('Text').fill('');
    await page.waitForURL(({ searchParams }) => !searchParams.has('text'));
    expect(await page.locator('tbody th a').allInnerTexts()).toEqual(lines);
    const address = await page.locator('.value').first().innerText();
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copy' }).first().getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(/@/);
    expect(address).toContain(copied);
    await page.locator('tbody th a').nth(1).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${ui.origin}/runs/1/lines/${lines[1]}?outcome=found`);
    await page.keyboard.press('j');
    await page.waitForURL(`${ui.origin}/runs/1/lines/${lines[2]}?outcome=found`);
    await page.keyboard.press('k');
    await page.waitForURL(`${ui.origin}/runs/1/lines/${lines[1]}?outcome=found`);
    await page.goto(`${ui.origin}/runs/1/leads?outcome=found`);
    await page.locator('tbody tr').nth(1).locator('td').last().click();
    await page.waitForURL(`${ui.origin}/runs/1/lines/${lines[1]}?outcome=found`);
    await page.goto(`${ui.origin}/runs/1/leads?outcome=found`);
    const who = page.getByRole('columnheader', { name: 'Who' }).getByRole('link');
    await who.click();
    await page.waitForURL(/outcome=found&sort=who$/);
    await who.click();
    await page.waitForURL(/outcome=found&sort=-who$/);
    const names = await page.locator('tbody td:nth-child(2)').allInnerTexts();
    expect(names.length).toBeGreaterThan(3);
    expect(names).toEqual(names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? 1 : -1)));
  });

  it.runIf(isLong)(
    'filters runs at once, in the address, and keeps the focus; a run is one line on a phone',
    async () => {
      const tab = await ui.visit(browser, '/', { width: 375 });
      const { page } = tab;
      await page.getByLabel('State').selectOption('finished');
      await page.waitForURL(`${ui.origin}/?state=finished`);
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('state');
      expect(await page.getByRole('button', { name: 'Show' }).isVisible()).toBe(false);
      const tops = await page
        .locator('tbody tr')
        .first()
        .locator('> :visible')
        .evaluateAll((all) => all.map((cell) => Math.round(cell.getBoundingClientRect().top)));
      expect(tops.length).toBeGreaterThan(3);
      expect(new Set(tops).size).toBe(1);
    },
  );

  it.runIf(isLong)('shows times as those of the browser, and says so once', async () => {
    const tab = await ui.visit(browser, '/runs/1/leads?outcome=found');
    const time = tab.page.locator('tbody time').first();
    await expect.poll(() => time.innerText()).toMatch(/ago|now/);
    expect(await time.getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect((await tab.page.locator('body').innerText()).match(/UTC/g)).toHaveLength(1);
  });

  it.runIf(isLong)('is reached and used by keyboard alone', async () => {
    const tab = await ui.visit(browser, '/runs/1');
    const { page } = tab;
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('To the content');
    await page.keyboard.press('Enter');
    const reach = async (name: string): Promise<void> => {
      for (let n = 0; n < 80; n += 1) {
        await page.keyboard.press('Tab');
        if ((await page.evaluate('document.activeElement.textContent')) === name) return;
      }
      throw new Error(`${name} cannot be reached`);
    };
    await reach('Retry…');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Open them again' }).waitFor();
    await reach('The numbers');
    await page.keyboard.press('Enter');
    await page.locator('details[open] table').first().waitFor();
  });
});

it.skipIf(isBrowserMissing)(
  'what `html` writes is text to a browser, wherever it stands',
  async () => {
    const { page } = await browser.open();
    for (const text of HOSTILE_MARKUP) {
      const markup = html`<!doctype html>
      <title>${text}</title>
      <p title="${text}">${text}</p>
      <textarea>${text}</textarea>
      <svg><title>${text}</title><text>${text}</text></svg>
      <input value="${text}">`;
      await page.setContent(String(markup));
      const read = await page.evaluate<readonly string[]>(`[
      document.title,
      ...['p', 'textarea', 'svg title', 'svg text'].map((name) => document.querySelector(name).textContent),
      document.querySelector('p').title,
      document.querySelector('input').value,
    ]`);
      expect(read).toEqual(read.map(() => text));
      expect(await page.evaluate(`document.querySelectorAll('*').length`)).toBe(10);
      expect(await page.evaluate('typeof isOwned')).toBe('undefined');
    }
  },
);
