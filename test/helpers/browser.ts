// Pages in a real browser: Debian's chromium, or what the machine has of its kind. One browser for a test file, a
// window with cookies of its own for each look, and whatever the page complains of fails the test.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { inBrief } from './long.js';
import { COMMAND_MS, TEST_MS } from './patience.js';

/** The first one draws pages as the others do and has no windows around them: it takes half of their time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];
const ELSEWHERE = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

const folders = (process.env['PATH'] ?? '').split(delimiter);
const found = [
  ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
  ...ELSEWHERE,
].find((path) => existsSync(path));

/** True only outside CI: there a test that needs the browser fails where there is none. */
export const isBrowserMissing = found === undefined && process.env['CI'] !== 'true';

/** CSS pixels; in `npm test` the width at which most goes wrong. */
export const WIDTHS = inBrief([375], [768, 1400]);
/** The dark one alone in `npm test`: there less is seen of what lacks a colour of its own. */
export const SCHEMES = inBrief(['dark'], ['light']);
/** Every width in both schemes, for `it.each`; in `npm test` the width and the scheme in which most goes wrong. */
export const LOOKS = inBrief(
  [{ width: 375, scheme: 'dark' }],
  [
    { width: 375, scheme: 'light' },
    { width: 768, scheme: 'light' },
    { width: 768, scheme: 'dark' },
    { width: 1400, scheme: 'light' },
    { width: 1400, scheme: 'dark' },
  ],
);

export interface Look {
  /** CSS pixels; 1,400 unless told. */
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  /** Scripts of the test may run in the page: for axe, and never where the page's own policy is the point. */
  readonly ignoresPolicy?: boolean;
}

export interface Tab {
  readonly page: Page;
  /**
   * What the page complained of: errors and warnings of the console, scripts that failed, requests that failed or were
   * refused. The test fails at its end unless this is empty; a test that expects some takes them out.
   */
  readonly troubles: string[];
  /** The address of each request, in order. */
  readonly requests: string[];
}

export interface FileBrowser {
  /** A window with cookies and a cache of its own, which is closed when the test ends. */
  open(look?: Look): Promise<Tab>;
}

/** The browser of this test file; to be called where the file begins. */
export function browserOfFile(): FileBrowser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (isBrowserMissing) return;
    if (found === undefined) throw new Error('There is no chromium here: .ci/run installs it.');
    browser = await chromium.launch({
      executablePath: found,
      chromiumSandbox: false,
      timeout: TEST_MS,
      args: [
        '--disable-gpu',
        '--disable-background-networking',
        '--no-first-run',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  });
  afterAll(() => browser?.close());
  return {
    open: async (look = {}) => {
      if (browser === undefined) throw new Error('The browser is not open.');
      const context = await browser.newContext({
        viewport: { width: look.width ?? 1400, height: look.height ?? 900 },
        colorScheme: look.scheme ?? 'light',
        bypassCSP: look.ignoresPolicy ?? false,
        locale: 'en-GB',
        timezoneId: 'UTC',
      });
      context.setDefaultTimeout(COMMAND_MS);
      const page = await context.newPage();
      const tab: Tab = { page, troubles: [], requests: [] };
      watch(tab);
      onTestFinished(async () => {
        const troubles = [...tab.troubles];
        await context.close();
        expect(troubles).toEqual([]);
      });
      return tab;
    },
  };
}

function watch({ page, troubles, requests }: Tab): void {
  page.on('console', (message) => {
    if (['error', 'warning', 'assert'].includes(message.type())) {
      troubles.push(`console: ${message.text()}`);
    }
  });
  page.on('pageerror', (error) => troubles.push(`script: ${error.message}`));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => requests.push(request.url()));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A stream ends when its page is left, and a page that becomes a download is left too.
    const isLeft = ['eventsource', 'document'].includes(request.resourceType());
    if (reason === 'net::ERR_ABORTED' && isLeft) return;
    troubles.push(`request: ${request.url()} ${reason}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`response: ${response.status()} ${response.url()}`);
  });
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe finds in a page of a window that ignores its policy: the rule, and where it is broken; a line each. */
export async function faultsByAxe({ page }: Tab): Promise<string[]> {
  await page.addScriptTag({ path: AXE });
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${help}: ${target.join(' ')} ${any[0]?.message ?? ''}`),
  );
}

/** By how many CSS pixels the page is wider than its window: then one has to scroll to and fro to read a line. */
export async function overflowOf({ page }: Tab): Promise<number> {
  return page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
}

/** How many pages of A4 it prints on. */
export async function printedPages({ page }: Tab): Promise<number> {
  const pdf = await page.pdf({ format: 'A4' });
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

/** Resolves when the page of a run has taken the place of that of its start, and says that the run has ended. */
export async function hasEnded({ page }: Tab, state = 'finished'): Promise<void> {
  await page.waitForURL(/\/runs\/\d+$/);
  await page.locator('main .badge').getByText(state).first().waitFor();
}
