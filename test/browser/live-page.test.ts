// The script of the pages in a real browser: what a person is in the middle of stays, and a page outlives its server.
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/app/system-clock.js';
import { html, type Markup } from '../../src/html/markup.js';
import { STYLE } from '../../src/html/style.js';
import type { Clock } from '../../src/ports/clock.js';
import { liveSection, shellOf } from '../../src/ui/layout.js';
import { readClient } from '../../src/ui/open-ui.js';
import type { Route } from '../../src/ui/page.js';
import { openUiServer } from '../../src/ui/server/open-ui-server.js';
import { browserOfFile, isBrowserMissing } from '../helpers/browser.js';
import { createDrivenClock } from '../helpers/driven-clock.js';
import { freePort } from '../helpers/free-port.js';
import { isLong } from '../helpers/long.js';

const browser = browserOfFile();

/** A page whose content a test changes; `looks` counts how often it was asked for. */
interface Shown {
  rows: string[];
  note: string;
  looks: number;
  isFinal?: boolean;
}

async function serve(shown: Shown, port: number, clock: Clock = systemClock) {
  const client = readClient(STYLE);
  const ui = await openUiServer({
    address: { host: '127.0.0.1', port },
    password: undefined,
    isReadOnly: false,
    routes: [routeOf(shown)],
    assets: client.assets,
    shell: shellOf({ state: 's', isReadOnly: false }, client),
    clock,
    onLinkUsed: () => undefined,
    onTrouble: (error) => {
      throw error;
    },
  });
  onTestFinished(() => ui.close());
  return ui;
}

function routeOf(shown: Shown): Route {
  return {
    method: 'GET',
    path: '/',
    answer: async () => {
      shown.looks += 1;
      const part = liveSection('part', contentOf(shown));
      const { isFinal = false } = shown;
      return { title: 'Runs', body: part.markup, live: [part], isFinal };
    },
  };
}

function contentOf({ rows, note }: Shown): Markup {
  return html`<h1>Runs</h1><p id="note">${note}</p>
<details id="more"><summary>More</summary><p>${note}</p></details>
<label>Filter <input id="filter" name="filter" value=""></label>
<div class="scroll" id="box"><table class="data"><tbody>${rows.map(
    (row) => html`<tr id="row-${row}"><td><a href="#${row}">${row}</a></td></tr>`,
  )}</tbody></table></div>`;
}

const note = (page: Page) => page.locator('#note').textContent();
const names = (count: number) => Array.from({ length: count }, (_, n) => `r${n}`);

async function openPage(clock: Clock = systemClock) {
  const shown: Shown = { rows: names(60), note: 'first', looks: 0 };
  const ui = await serve(shown, await freePort(), clock);
  const tab = await browser.open({ height: 400 });
  await tab.page.goto(ui.link());
  await tab.page.waitForURL((url) => url.pathname === '/');
  await tab.page.getByRole('status').getByText('Live').waitFor();
  return { ...tab, shown, ui };
}

describe.skipIf(isBrowserMissing)('a page that changes while it is looked at', () => {
  it('shows what is new, and keeps what a person is in the middle of', async () => {
    const { page, shown } = await openPage();
    await page.locator('#more summary').click();
    await page.locator('#filter').fill('ada');
    await page.locator('#filter').press('ArrowLeft');
    await page.evaluate('scrollTo(0, 300)');
    const topOf = async () => (await page.locator('#row-r20').boundingBox())?.y;
    const topBefore = await topOf();
    const rowBefore = await page.locator('#row-r5').elementHandle();
    shown.note = 'second';
    shown.rows = ['new', ...shown.rows.filter((row) => row !== 'r50')];
    await expect.poll(() => note(page)).toBe('second');
    const rows = await page.locator('tr').evaluateAll((all) => all.map(({ id }) => id));
    expect(rows).toEqual(shown.rows.map((row) => `row-${row}`));
    expect(await page.evaluate('document.activeElement.id')).toBe('filter');
    expect(await page.evaluate('document.activeElement.selectionStart')).toBe(2);
    expect(await page.locator('#filter').inputValue()).toBe('ada');
    expect(await page.locator('#more').getAttribute('open')).toBe('');
    expect(await page.locator('#more p').textContent()).toBe('second');
    expect(await topOf()).toBeCloseTo(topBefore ?? 0, 0);
    expect(await rowBefore?.evaluate((row) => row.isConnected)).toBe(true);
  });

  it('asks for nothing while it is paused, or not seen', async () => {
    const clock = createDrivenClock();
    const { page, shown } = await openPage(clock);
    // The server waits between two looks, for as long as a page listens.
    const isWatched = () => clock.sleeping() > 0;
    await expect.poll(isWatched).toBe(true);
    const pause = page.getByRole('button', { name: 'Pause updates' });
    await pause.click();
    await page.getByRole('status').getByText('Paused').waitFor();
    expect(await pause.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(isWatched).toBe(false);
    await page.reload();
    await page.getByRole('status').getByText('Paused').waitFor();
    await pause.click();
    await page.getByRole('status').getByText('Live').waitFor();
    await page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    `);
    await expect.poll(isWatched).toBe(false);
    shown.note = 'second';
    await page.evaluate(`
      delete document.visibilityState;
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    `);
    await expect.poll(() => note(page)).toBe('second');
  });

  it('shows how it ended, and asks no more', async () => {
    const clock = createDrivenClock();
    const { page, requests, shown } = await openPage(clock);
    await expect.poll(() => clock.sleeping()).toBe(1);
    const asked = requests.length;
    shown.note = 'the end';
    shown.isFinal = true;
    clock.wake();
    await expect.poll(() => note(page)).toBe('the end');
    await page.getByRole('button', { name: 'Pause updates' }).waitFor({ state: 'hidden' });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    expect(requests).toHaveLength(asked);
    expect(clock.sleeping()).toBe(0);
  });

  it.runIf(isLong)(
    'outlives its server: it says what to do, and goes on once the new link was opened',
    async () => {
      const { page, shown, troubles, ui } = await openPage();
      await ui.close();
      const trouble = page.getByRole('alert');
      await expect.poll(() => trouble.textContent()).toContain('does not answer');
      const next = await serve(shown, ui.port);
      await expect
        .poll(() => trouble.textContent())
        .toContain('After a restart it prints a new one');
      const other = await page.context().newPage();
      await other.goto(next.link());
      shown.note = 'after the restart';
      await expect.poll(() => note(page)).toBe('after the restart');
      expect(await trouble.isVisible()).toBe(false);
      // What is refused meanwhile is the point.
      troubles.length = 0;
    },
  );
});
