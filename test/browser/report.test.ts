// The report of a run and that of two runs compared, as a browser shows and prints them from the disk.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { reportFile } from '../../src/tell/report-file.js';
import {
  browserOfFile,
  faultsByAxe,
  isBrowserMissing,
  LOOKS,
  type Look,
  overflowOf,
  printedPages,
} from '../helpers/browser.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { fullFigures } from '../html/full-figures.js';

const browser = browserOfFile();
const folder = tempFolder();
/** Below this, in CSS pixels, text of a chart is hard to read. */
const TEXT_MIN = 11;

describe.skipIf(isBrowserMissing)('the report of a run', () => {
  it.each(LOOKS)('can be read at $width px, $scheme', async (look) => {
    const tab = await open({ ...look, ignoresPolicy: true });
    expect(await overflowOf(tab)).toBe(0);
    expect(await faultsByAxe(tab)).toEqual([]);
    const sizes = await tab.page.evaluate<number[]>(
      `Array.from(document.querySelectorAll('.chart text'), (text) =>
        Number.parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)`,
    );
    expect(sizes.length).toBeGreaterThan(20);
    expect(Math.min(...sizes)).toBeGreaterThan(TEXT_MIN);
  });

  it('has its styles under its own policy, and asks for nothing else', async () => {
    const light = await open();
    const dark = await open({ scheme: 'dark' });
    expect(await groundOf(light)).not.toBe(await groundOf(dark));
    expect(light.requests).toHaveLength(1);
  });

  it('opens the numbers of its charts by the keyboard alone', async () => {
    const { page } = await open();
    const all = await page.locator('details').count();
    for (let n = 0; n < all; n += 1) {
      do await page.keyboard.press('Tab');
      while (
        !(await page.evaluate(`document.activeElement?.matches('details:not([open])>summary')`))
      );
      await page.keyboard.press('Enter');
    }
    expect(await page.locator('details[open]').count()).toBe(all);
    expect(await page.locator('details[open] table').count()).toBeGreaterThan(3);
  });

  it('prints on two pages', async () => {
    expect(await printedPages(await open({ scheme: 'dark' }))).toBe(2);
  });
});

async function open(look?: Look) {
  const path = join(folder, 'report.html');
  writeFileSync(path, String(reportFile(fullFigures())));
  const tab = await browser.open(look);
  await tab.page.goto(pathToFileURL(path).href);
  return tab;
}

async function groundOf({ page }: Awaited<ReturnType<typeof open>>): Promise<string> {
  return page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
}
