// Two runs compared on the pages: chosen, counted and taken along as files, at every width, in both themes, by keyboard.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  browserOfFile,
  faultsByAxe,
  isBrowserMissing,
  LOOKS,
  overflowOf,
  type Tab,
} from '../helpers/browser.js';
import { HOSTILE_MARKUP, openHostileRun } from '../helpers/hostile-markup.js';
import { isLong } from '../helpers/long.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { startUi, type UiProcess } from '../helpers/ui-process.js';
import { openWorkdir, parseRows, type Workdir } from '../helpers/workdir.js';

const browser = browserOfFile();
let dir: Workdir;
let ui: UiProcess;

const COMPARED = '/jobs/firms/compare?before=1&after=2&key=Record+ID';

function leads(from: number, to: number): string {
  const rows = Array.from({ length: to - from + 1 }, (_, i) => {
    const n = from + i;
    return `0035g${n},Eve${n},Byron,firm${n}.com`;
  });
  return ['Record ID,first_name,last_name,domain', ...rows, ''].join('\n');
}

beforeAll(async () => {
  if (isBrowserMissing) return;
  const [stayed, moved] = [await startSandboxProcess(), await startSandboxProcess('--moved 0.5')];
  dir = openWorkdir(stayed.url);
  dir.write('leads.csv', leads(1, 20));
  dir.write(
    'jobs/firms.yaml',
    'input: leads.csv\nout: out.csv\nask: [find_email, social_enrichment]\nkey: [Record ID]\n',
  );
  await dir.sluice('run firms');
  dir.write('leads.csv', leads(3, 21));
  const env = { SLUICE_URL: moved.url };
  await dir.sluice('run firms --set pay-anew=true', { env });
  ui = await startUi(dir, '--port 0 --read-only');
});

const textOf = ({ page }: Tab): Promise<string> => page.locator('main').innerText();
const whole = ({ page }: Tab): Promise<void> => page.getByText('Compared at').waitFor();

/** Tab by tab to what is called so. */
async function reach({ page }: Tab, selector: string): Promise<void> {
  for (let n = 0; n < 80; n += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`))
      return;
  }
  throw new Error(`${selector} cannot be reached`);
}

describe.skipIf(isBrowserMissing)('two runs of a job', () => {
  it.each(LOOKS)('can be chosen and compared at $width px, $scheme', async (look) => {
    const tab = await ui.visit(browser, '/jobs/firms/compare', { ...look, ignoresPolicy: true });
    expect([await overflowOf(tab), ...(await faultsByAxe(tab))]).toEqual([0]);
    await tab.page.goto(`${ui.origin}${COMPARED}`);
    await whole(tab);
    expect([await overflowOf(tab), ...(await faultsByAxe(tab))]).toEqual([0]);
  });

  it('are chosen by keyboard from the page of a run, and show what the command says', async () => {
    const tab = await ui.visit(browser, '/runs/2');
    const { page } = tab;
    await reach(tab, 'a[href$="/compare?after=2"]');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Compare two runs of firms' }).waitFor();
    expect(await page.getByLabel('Before').inputValue()).toBe('1');
    expect(await page.getByLabel('After').inputValue()).toBe('2');
    // The key of the job.
    expect(await page.getByLabel('Who is the same person').inputValue()).toBe('Record ID');
    await reach(tab, 'button.main');
    await page.keyboard.press('Enter');
    await whole(tab);
    const told = await dir.sluice([
      'report',
      '--compare',
      '1',
      '2',
      '--key',
      'Record ID',
      '--json',
    ]);
    const {
      company,
      email,
      leads: both,
    } = JSON.parse(told.stdout) as Record<'company' | 'email' | 'leads', Record<string, number>>;
    const text = await textOf(tab);
    const outcomes = ['new', 'changed', 'lost', 'same', 'none', 'not_known'];
    for (const [name, field] of [
      ['E-mail', email],
      ['Company', company],
    ] as const) {
      const numbers = outcomes.map((outcome) => field[outcome]).join('\\s+');
      expect(text).toMatch(new RegExp(`${name}\\s+${numbers}\\s`));
    }
    expect(company['changed']).toBeGreaterThan(0);
    const alone = 'the other run has no lead with this key';
    expect(text).toMatch(
      new RegExp(
        `only before\\s+${both['only_before']}\\s+${alone}\\s+only after\\s+${both['only_after']}`,
      ),
    );
    // No person is on the page.
    expect(text).not.toMatch(/Eve\d|firm\d|0035g/);
    expect(
      tab.requests.filter((url) => !url.startsWith(ui.origin) && !url.startsWith('data:')),
    ).toEqual([]);
  });

  it('give their persons to the browser as the command writes them', async () => {
    const tab = await ui.visit(browser, COMPARED);
    await whole(tab);
    const take = async (name: string) => {
      const link = tab.page.getByRole('link', { name });
      const [download] = await Promise.all([tab.page.waitForEvent('download'), link.click()]);
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    };
    const flags = ['report', '--compare', '1', '2', '--key', 'Record ID'];
    await dir.sluice([...flags, '--changes', 'moved.csv']);
    const table = await take('Download the changes as CSV');
    expect(table.name).toBe('firms-changes-1-2.csv');
    expect(parseRows(table.bytes.toString())).toEqual(dir.rows('moved.csv'));
    const book = await take('Download the changes as XLSX');
    expect(book.bytes.subarray(0, 2).toString()).toBe('PK');
  });
});

it.runIf(isLong && !isBrowserMissing)('text from outside stays text', async () => {
  const hostile = await openHostileRun();
  const how = ['--out', 'out.csv', '--ask', 'find_email', '--set', 'rate=off', '--fresh-for', '1s'];
  const [file = ''] = hostile.files().filter((name) => name.endsWith("'.csv"));
  await hostile.sluice(['enrich', file, ...how, '--limit', '3']);
  const pages = await startUi(hostile);
  const tab = await pages.visit(browser, '/runs/2');
  await tab.page.getByRole('link', { name: 'Compare with another run' }).click();
  let all = await textOf(tab);
  for (const key of HOSTILE_MARKUP.slice(0, 5)) {
    await tab.page.getByLabel('Who is the same person').selectOption(key);
    await tab.page.getByRole('button', { name: 'Compare', exact: true }).click();
    await tab.page.getByText(/Compared at|could not be compared/).waitFor();
    all += await textOf(tab);
    expect(await tab.page.evaluate('typeof isOwned')).toBe('undefined');
    expect(
      await tab.page.locator('main :is(script, iframe, img, math, [onload], [onerror])').count(),
    ).toBe(0);
  }
  expect(all).toContain('<svg onload=isOwned=1>');
  expect(all).toContain('<img src=x onerror=isOwned=1>');
});
