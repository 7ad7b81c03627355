// The report of a run in a browser: its numbers are those of the state, and what comes from outside stays text.
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { browserOfFile, isBrowserMissing } from '../helpers/browser.js';
import { openHostileRun } from '../helpers/hostile-markup.js';
import { csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const browser = browserOfFile();
let dir: Workdir;
let report: string;

beforeAll(async () => {
  if (isBrowserMissing) return;
  dir = openWorkdir();
  // Some have no company, and cannot be asked for.
  dir.write('leads.csv', csv([...people(60), 'Ada,,', 'Bea,,', ...people(5)]));
  const wish = '--ask find_email,social_enrichment --url sandbox --set rate=off --budget 500';
  await dir.sluice(`enrich leads.csv --out out.csv ${wish}`);
  await dir.sluice('report 1 --out report.html');
  report = pathToFileURL(dir.at('report.html')).href;
});

describe.skipIf(isBrowserMissing)('a report', () => {
  it('shows the outcomes of the state, and the numbers of its charts to who opens them by keyboard', async () => {
    const tab = await browser.open();
    await tab.page.goto(report);
    const store = openSqliteStore(dir.at('data/sluice.db'));
    const tally = await store.tally(1);
    await store.close();
    const heading = tab.page.getByRole('heading', { name: 'Leads by outcome' });
    const card = tab.page.locator('section.card', { has: heading });
    const summary = tab.page.locator('summary', { hasText: 'The numbers' });
    for (let n = 0; n < 50; n += 1) {
      if (await summary.evaluate((one) => one === one.ownerDocument.activeElement)) break;
      await tab.page.keyboard.press('Tab');
    }
    await tab.page.keyboard.press('Enter');
    await tab.page.locator('details tbody tr').first().waitFor();
    const shown = await card
      .locator('.bars > li')
      .evaluateAll((all) =>
        all.map((row) => [row.children[0]?.textContent, row.children[1]?.textContent]),
      );
    const counted = Object.entries(tally.byStatus).filter(([, leads]) => leads > 0);
    expect(new Map(shown as [string, string][])).toEqual(
      new Map(counted.map(([status, leads]) => [status.replace('_', ' '), String(leads)])),
    );
  });

  it('leaves text as text: names, columns, file names, jobs and what the platform says', async () => {
    const hostile = await openHostileRun();
    const made = await hostile.sluice('report 1 --out report.html --with-samples');
    expect(made.code).toBe(0);
    const tab = await browser.open();
    await tab.page.goto(pathToFileURL(hostile.at('report.html')).href);
    expect(await tab.page.locator('body').innerText()).toContain('<svg onload=isOwned=1>');
    expect(await tab.page.evaluate('typeof isOwned')).toBe('undefined');
    expect(await tab.page.locator('script, iframe, img, math, [onload], [onerror]').count()).toBe(
      0,
    );
    expect(tab.requests).toHaveLength(1);
  });
});
