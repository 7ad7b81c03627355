// A file that is dropped on a page: its columns are shown and corrected, then what it would cost, then it is run.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  browserOfFile,
  faultsByAxe,
  hasEnded,
  isBrowserMissing,
  overflowOf,
  type Tab,
} from '../helpers/browser.js';
import { isLong } from '../helpers/long.js';
import { type SandboxProcess, startSandboxProcess } from '../helpers/sandbox-process.js';
import { startUi, type UiProcess } from '../helpers/ui-process.js';
import { openWorkdir, parseRows, type Workdir } from '../helpers/workdir.js';

const browser = browserOfFile();
let sandbox: SandboxProcess;
let dir: Workdir;
let ui: UiProcess;

beforeAll(async () => {
  if (isBrowserMissing) return;
  sandbox = await startSandboxProcess();
  dir = openWorkdir(sandbox.url);
  dir.write('one.csv', 'first_name,last_name,domain\nAda,Byron,firm1.com\n');
  await dir.sluice('enrich one.csv --out one-out.csv --ask find_email');
  ui = await startUi(dir);
});

const FILE = 'Given,Family,Site\nEve1,Byron,firm1.com\nEve2,Byron,firm2.com\n';

async function drop({ page }: Tab, text: string, name = 'leads.csv'): Promise<void> {
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

const textOf = ({ page }: Tab): Promise<string> => page.locator('main').innerText();

describe.skipIf(isBrowserMissing)('a dropped file', () => {
  it('is run for real with the columns that were corrected, within its budget', async () => {
    const tab = await ui.visit(browser, '/try');
    const { page } = tab;
    await drop(tab, FILE, '../../etc/passwd"><b>.csv');
    await page.getByRole('heading', { name: 'Which column is which?' }).waitFor();
    expect(await textOf(tab)).toContain('Your file passwd"><b>.csv has these columns');
    await page.getByLabel('Given is taken for').selectOption('First name');
    await page.getByLabel('Family is taken for').selectOption('Last name');
    await page.getByLabel('Site is taken for').selectOption('Company website');
    await page.getByLabel('Where to run it').selectOption('platform');
    const before = await sandbox.ledger();
    await page.getByRole('button', { name: 'See what it would cost' }).click();
    expect(await textOf(tab)).toMatch(/to pay\s+2 enrichments/);
    expect(await sandbox.ledger()).toEqual(before);
    await page.getByLabel('Spend at most').fill('5');
    await page.getByRole('button', { name: 'Run it for real' }).click();
    await hasEnded(tab, 'stopped at budget');
    const { accepted, charged } = await sandbox.ledger();
    expect(accepted - before.accepted).toBeGreaterThan(0);
    expect(charged - before.charged).toBeLessThanOrEqual(5);
    await page.locator('summary', { hasText: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the table as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('passwd-b-run-2.csv');
    const rows = parseRows(readFileSync(await download.path(), 'utf8'));
    expect(rows.map((row) => row['Given'])).toEqual(['Eve1', 'Eve2']);
  });

  it.runIf(isLong)(
    'is run in the sandbox unless told otherwise, and the platform hears nothing of it',
    async () => {
      const tab = await ui.visit(browser, '/try');
      const before = await sandbox.ledger();
      await drop(tab, 'first_name,last_name,domain\nAda,Lovelace,firm9.com\n');
      await tab.page.getByRole('button', { name: 'See what it would cost' }).click();
      await tab.page.getByRole('button', { name: 'Run it in the sandbox' }).click();
      await hasEnded(tab);
      expect(await sandbox.ledger()).toEqual(before);
      expect(await textOf(tab)).toContain('its answers are made up');
    },
  );

  it('lies in a folder of its own, which no other user may open, whatever its name', async () => {
    const files = dir.files().filter((path) => !/^(one|data\/sluice|jobs)/.test(path));
    expect(files.length).toBeGreaterThan(0);
    for (const path of files) {
      expect(path).toMatch(
        /^data\/dropped\/[0-9a-f]{12}\/(leads\.(csv|ndjson)|name\.txt|table\.csv|try-[0-9a-f]{12}\.yaml)$/,
      );
    }
  });

  it('sets no address, dialect or path by what the form says', async () => {
    const tab = await ui.visit(browser, '/try');
    await drop(tab, FILE);
    await tab.page.getByRole('heading', { name: 'Which column is which?' }).waitFor();
    const { pathname } = new URL(tab.page.url());
    const at = async (query: string): Promise<string> => {
      await tab.page.goto(`${ui.origin}${pathname}/plan?ask=find_email&${query}`);
      return textOf(tab);
    };
    expect(await at('place=http://evil.example')).toContain('Choose where to run it.');
    expect(await at('place=job%20../other')).toContain('There is no file of the job ../other');
    const job = 'input: one.csv\nout: out.csv\nask: [find_email]\n';
    dir.write('jobs/dear.yaml', `${job}prices: { find_email: 8 }\n`);
    dir.write(
      'jobs/fall.yaml',
      `${job}waterfall: [{ name: first, url: sandbox }, { name: second }]\n`,
    );
    expect(await at('place=job%20fall')).toContain('A waterfall asks in several places.');
    expect(await textOf(tab)).toContain('where the job dear asks, find email 8 credits');
    await tab.page.goto(`${ui.origin}/try/..%2F..%2Fone/plan`);
    expect(await textOf(tab)).toContain('This file is no longer there.');
    tab.troubles.length = 0;
  });

  it.runIf(isLong)(
    'is taken beside the box by no browser, and one that is no table is named as it was',
    async () => {
      const tab = await ui.visit(browser, '/try');
      const { page } = tab;
      expect(await textOf(tab)).toContain('up to 20 MB');
      const isTaken = await page.evaluate<boolean[]>(
        `['dragover', 'drop'].map((name) => {
        const data = new DataTransfer();
        data.items.add(new File(['a'], 'a.csv'));
        const event = new DragEvent(name, { dataTransfer: data, cancelable: true, bubbles: true });
        return !document.querySelector('h1').dispatchEvent(event);
      })`,
      );
      expect(isTaken).toEqual([true, true]);
      await drop(tab, '%PDF-1.7 x', 'offer.pdf');
      await page.getByText('offer.pdf is no table that Sluice reads').waitFor();
      expect(new URL(page.url()).pathname).toBe('/try');
      expect(await textOf(tab)).not.toContain('dropped/');
      tab.troubles.length = 0;
      await page
        .locator('input[type=file][accept*=".gz"]')
        .setInputFiles({ name: 'a.csv.gz', mimeType: '', buffer: gzipSync(FILE) });
      await page.getByText('Your file a.csv.gz has these columns').waitFor();
    },
  );

  it('is refused where it is empty or cannot be read, and says why', async () => {
    const tab = await ui.visit(browser, '/try');
    await drop(tab, '');
    await tab.page.getByText('The file is empty.').waitFor();
    await drop(tab, 'PK\u0003\u0004 no workbook', 'leads.xlsx');
    await tab.page.getByText('Drop another one.').waitFor({ state: 'hidden' });
    expect(await textOf(tab)).toContain('leads.xlsx');
    tab.troubles.length = 0;
  });

  it('is run for real once the form has taken the address and the account', async () => {
    const bare = openWorkdir(undefined, {});
    const pages = await startUi(bare);
    const tab = await pages.visit(browser, '/try', { ignoresPolicy: true });
    const { page } = tab;
    const look = async (): Promise<void> => {
      await page.setViewportSize({ width: 390, height: 900 });
      expect([...(await faultsByAxe(tab)), await overflowOf(tab)]).toEqual([0]);
    };
    await drop(tab, 'first_name,last_name,domain\nAda,Abel,firm3.com\n');
    await page.getByText('Which leads, and which columns the table has').click();
    await look();
    await page.getByRole('link', { name: 'give the address and the account' }).click();
    await page.getByRole('button', { name: 'Write .env' }).waitFor();
    await look();
    await page.getByLabel('Base address').fill(sandbox.url);
    await page.getByLabel('User name').fill('sandbox');
    await page.getByLabel('Password').fill('sandbox');
    await page.getByRole('button', { name: 'Write .env' }).click();
    await page.getByRole('link', { name: 'Go on' }).click();
    await page.getByLabel('Where to run it').selectOption('platform');
    const before = await sandbox.ledger();
    await page.getByRole('button', { name: 'See what it would cost' }).click();
    await page.getByRole('button', { name: 'Run it for real' }).click();
    await hasEnded(tab);
    expect((await sandbox.ledger()).accepted - before.accepted).toBe(1);
    await pages.stop();
  });
});
