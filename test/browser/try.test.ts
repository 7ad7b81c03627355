// A file that is dropped on a page: its columns are shown and corrected, then what it would cost, then it is run.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  browserOfFile,
  hasEnded,
  isBrowserMissing,
  overflowOf,
  type Tab,
} from '../helpers/browser.js';
import { isLong } from '../helpers/long.js';
import { type SandboxProcess, startSandboxProcess } from '../helpers/sandbox-process.js';
import { startUi, type UiProcess } from '../helpers/ui-process.js';
import { csv, openWorkdir, parseRows, people, type Workdir } from '../helpers/workdir.js';

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
    await page.getByLabel('the platform of SLUICE_URL').check();
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
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the table as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('passwd-b-run-2.csv');
    const rows = parseRows(readFileSync(await download.path(), 'utf8'));
    expect(rows.map((row) => row['Given'])).toEqual(['Eve1', 'Eve2']);
  });

  it.runIf(isLong)(
    'takes the names of its columns from the line that is chosen, and runs with it',
    async () => {
      const tab = await ui.visit(browser, '/try');
      const { page } = tab;
      const above = 'Status,As of,Place\nContacts,May,Lyon\n';
      await drop(tab, `${above}first_name,last_name,domain\nAda,Lovelace,firm9.com\n`, 'above.csv');
      await page.getByLabel('Names of the columns').selectOption({ value: '3' });
      await page.getByText('Last name (guessed)').first().waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'See what it would cost' }).click();
      const plan = await textOf(tab);
      expect(plan).toContain('Last name = last_name');
      expect(plan).toMatch(/to pay\s+1 enrichment/);
      await page.getByRole('button', { name: 'Run it in the sandbox' }).click();
      await hasEnded(tab);
    },
  );

  it.runIf(isLong)('is run with a value inside a column of objects that was chosen', async () => {
    const tab = await ui.visit(browser, '/try');
    const { page } = tab;
    const lead = { who: { called: 'Eda', family: 'Nested' }, site: 'firm8.com' };
    await drop(tab, `${JSON.stringify(lead)}\n`, 'nested.ndjson');
    await page.getByLabel('who.called is taken for').selectOption('First name');
    await page.getByLabel('who.family is taken for').selectOption('Last name');
    await page.getByLabel('site is taken for').selectOption('Company website');
    await page.getByRole('button', { name: 'See what it would cost' }).click();
    const plan = await textOf(tab);
    expect(plan).toContain('First name = who.called, Last name = who.family');
    expect(plan).toMatch(/to pay\s+1 enrichment/);
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

  it.runIf(isLong)(
    'is started again from the page that opened its failed leads, and from its run and its job',
    async () => {
      const tab = await ui.visit(browser, '/try');
      const { page } = tab;
      // The 31st of these people fails in the sandbox.
      await drop(tab, csv(people(1, 31)), 'failing.csv');
      await page.getByLabel('the platform of SLUICE_URL').check();
      await page.getByRole('button', { name: 'See what it would cost' }).click();
      await page.getByRole('button', { name: 'Run it for real' }).click();
      await hasEnded(tab);
      expect(await textOf(tab)).not.toContain('made up');
      await page.getByRole('link', { name: 'Retry…' }).first().click();
      await page.getByLabel('Ask for all failed ones again').check();
      await page.getByRole('button', { name: 'Open them again' }).click();
      await page.getByRole('link', { name: /^Run \d+$/ }).click();
      await page.getByRole('link', { name: 'Continue…' }).first().waitFor();
      const run = page.url();
      await page.getByRole('link', { name: 'failing.csv' }).click();
      expect(await textOf(tab)).toMatch(/sluice run data\/dropped\/([0-9a-f]{12})\/try-\1\.yaml/);
      await page.goto(run);
      await page.getByRole('link', { name: 'Continue…' }).first().click();
      await page.getByRole('heading', { name: 'Start failing.csv?' }).waitFor();
      const before = await sandbox.ledger();
      await page.getByLabel('Spend at most').fill('10');
      await page.getByRole('button', { name: 'Start failing.csv' }).click();
      await hasEnded(tab);
      expect((await sandbox.ledger()).accepted - before.accepted).toBe(1);
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
    expect(await at('where=http://evil.example')).toContain('Choose where to run it.');
    expect(await at('where=job%20../other')).toContain('There is no file of the job ../other');
    await tab.page.goto(`${ui.origin}/try/..%2F..%2Fone/plan`);
    expect(await textOf(tab)).toContain('This file is no longer there.');
    tab.troubles.length = 0;
  });

  it.runIf(isLong)(
    'keeps what was chosen where that cannot be planned, and says why in words of the page',
    async () => {
      const tab = await ui.visit(browser, '/try', { width: 375 });
      const { page } = tab;
      const long = 'long_'.repeat(16);
      await drop(tab, `a,b,${long}\nEve,x.com\nAda,y.com\nEve,z.com\n`, 'odd.csv');
      await page.getByRole('heading', { name: 'Which column is which?' }).waitFor();
      expect(await overflowOf(tab)).toBe(0);
      expect(await textOf(tab)).toMatch(/a\s+Eve, Ada\s+nothing[^]*\sb\s+x\.com, y\.com, z\.com/);
      expect(await textOf(tab)).not.toContain('nothing (guessed)');
      await page.getByLabel('find phone').check();
      await page.getByLabel('the platform of SLUICE_URL').check();
      await page.getByRole('button', { name: 'See what it would cost' }).click();
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').innerText()).toBe(
        'No column of the input looks like something to ask for. Choose the columns below.',
      );
      expect(await page.getByLabel('find phone').isChecked()).toBe(true);
      expect(await page.getByLabel('the platform of SLUICE_URL').isChecked()).toBe(true);
      const { pathname } = new URL(page.url());
      await page.goto(`${ui.origin}${pathname}?as-0=firstName&ask=find_phone&where=elsewhere`);
      expect(await page.getByRole('alert').innerText()).toBe('Choose where to run it.');
      const taken = page.getByLabel('a is taken for', { exact: true });
      expect(await taken.locator('option:checked').innerText()).toBe('First name');
      expect(await textOf(tab)).not.toContain('--map');
      tab.troubles.length = 0;
    },
  );

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
});
