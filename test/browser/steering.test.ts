// Runs steered from the pages: what it would cost is said first, and nothing is done by one click.
import { chmodSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { browserOfFile, hasEnded, isBrowserMissing, type Tab } from '../helpers/browser.js';
import { type SandboxProcess, startSandboxProcess } from '../helpers/sandbox-process.js';
import { startUi } from '../helpers/ui-process.js';
import { csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const browser = browserOfFile();
let sandbox: SandboxProcess;

beforeAll(async () => {
  sandbox = await startSandboxProcess();
});

/** A folder with a job of so many leads, from the `from`-th on, of which the first was asked for. */
async function openJob(count: number, from: number, url = sandbox.url): Promise<Workdir> {
  const dir = openWorkdir(url);
  dir.write('leads.csv', csv(people(count, from)));
  dir.write('jobs/firms.yaml', 'input: leads.csv\nout: out.csv\nask: [find_email]\n');
  await dir.sluice('run firms --limit 1');
  return dir;
}

const textOf = ({ page }: Tab): Promise<string> => page.locator('main').innerText();
const press = ({ page }: Tab, name: string): Promise<void> =>
  page.getByRole('button', { name }).click();

describe.skipIf(isBrowserMissing)('a job', () => {
  it('is started once its plan was seen, and spends no more than was said there', async () => {
    const dir = await openJob(4, 1);
    const ui = await startUi(dir);
    const before = await sandbox.ledger();
    const tab = await ui.visit(browser, '/jobs/firms/start');
    expect(await textOf(tab)).toMatch(/to pay\s+3 enrichments/);
    expect(await textOf(tab)).toMatch(/0 \(nothing found\) to 15 \(everything found\)/);
    expect(await tab.page.getByLabel('Spend at most').inputValue()).toBe('15');
    expect(await sandbox.ledger()).toEqual(before);
    await press(tab, 'Start firms');
    await hasEnded(tab);
    expect(dir.rows('out.csv')).toHaveLength(4);
  });

  it('says on its page why it could not be run', async () => {
    const dir = await openJob(2, 5);
    const ui = await startUi(dir);
    const tab = await ui.visit(browser, '/jobs/firms/start');
    dir.write('leads.csv', 'nothing,of,use\n1,2,3\n');
    await press(tab, 'Start firms');
    await tab.page.getByText('ended with exit code').waitFor();
    expect(await textOf(tab)).toContain('sluice: ');
  });

  it('is paused and resumed where its run is shown, and sends nothing between', async () => {
    const dir = await openJob(3, 8);
    const ui = await startUi(dir);
    const tab = await ui.visit(browser, '/jobs/firms/pause');
    await press(tab, 'Pause firms');
    await tab.page.getByRole('heading', { name: 'firms is paused' }).waitFor();
    expect((await dir.sluice('run firms')).code).toBe(8);
    await tab.page.goto(`${ui.origin}/runs/2`);
    // Two that were queued when the job was paused.
    expect(await textOf(tab)).toContain('2 leads to send: 10 credits at most');
    await press(tab, 'Resume');
    await tab.page.waitForURL(`${ui.origin}/runs/2?waited=2`);
    expect(await textOf(tab)).not.toMatch(/stopped|told to stop/);
    await tab.page.getByText('It goes on: ').or(tab.page.getByText('Resumed: ')).waitFor();
    await tab.page.locator('main .badge').getByText('finished').first().waitFor();
    expect(await textOf(tab)).toContain('Resumed: 2 of 2 leads are sent.');
    expect(dir.rows('out.csv')).toHaveLength(3);
  });

  it('that was resumed is stopped by Undo, which says how many were sent, and goes on by the same process', async () => {
    const slow = await startSandboxProcess('--latency 3s --sigma 0');
    const dir = await openJob(20, 30, slow.url);
    dir.write('jobs/firms.yaml', `${dir.text('jobs/firms.yaml')}rate: 2/1s\n`);
    const ui = await startUi(dir);
    await dir.sluice('pause firms');
    expect((await dir.sluice('run firms')).code).toBe(8);
    const tab = await ui.visit(browser, '/runs/2');
    await press(tab, 'Resume');
    await slow.until(({ accepted }) => accepted >= 3, { ended: new Promise(() => undefined) });
    await press(tab, 'Undo');
    await tab.page.getByText('Paused. ').waitFor();
    expect(await textOf(tab)).toMatch(/Paused\. \d+ of 19 leads had been sent\. \d+ leads wait/);
    const { accepted } = await slow.ledger();
    expect(accepted).toBeLessThan(20);
    await press(tab, 'Resume');
    await tab.page.locator('main .badge').getByText('finished').first().waitFor();
    expect(await slow.ledger()).toMatchObject({ accepted: 20, distinct: 20 });
  });

  it('that is a waterfall is started with its accounts, for as much money as was said', async () => {
    const dir = openWorkdir(sandbox.url);
    dir.write('leads.csv', csv(people(3, 60)));
    dir.write('accounts.yaml', 'accounts:\n  a: {username: sandbox, password: sandbox}\n');
    chmodSync(dir.at('accounts.yaml'), 0o600);
    const steps = `waterfall:\n  - {name: first, url: "${sandbox.url}", account: a}\n`;
    dir.write(
      'jobs/chain.yaml',
      `input: leads.csv\nout: chain.csv\nask: [find_email]\ncredit: 0.02 EUR\naccounts: accounts.yaml\n${steps}`,
    );
    const ui = await startUi(dir);
    const tab = await ui.visit(browser, '/jobs/chain/start');
    expect(await tab.page.getByLabel('All steps may spend').inputValue()).toBe('0.30 EUR');
    await press(tab, 'Start chain');
    await hasEnded(tab);
    expect(dir.rows('chain.csv')).toHaveLength(3);
  });

  it('goes on where the pages end, however they end', async () => {
    const slow = await startSandboxProcess('--latency 2s');
    const dir = await openJob(3, 11, slow.url);
    const ui = await startUi(dir);
    const tab = await ui.visit(browser, '/jobs/firms/start');
    await press(tab, 'Start firms');
    await slow.until(({ accepted }) => accepted === 3, { ended: new Promise(() => undefined) });
    await tab.page.close();
    ui.running.child.kill('SIGKILL');
    await ui.running.ended;
    const isAnswered = (): boolean =>
      dir.rows('out.csv').every((row) => /^(not_)?found$/.test(row['sluice_status'] ?? ''));
    await expect.poll(() => dir.rows('out.csv').length === 3 && isAnswered()).toBe(true);
    expect(await slow.ledger()).toMatchObject({ accepted: 3, distinct: 3 });
  });
});

describe.skipIf(isBrowserMissing)('nothing is done', () => {
  it('for a job whose state is another', async () => {
    const dir = await openJob(1, 24);
    dir.write(
      'jobs/else.yaml',
      'input: leads.csv\nout: else.csv\nask: [find_email]\nstate: else.db\n',
    );
    const ui = await startUi(dir);
    const tab = await ui.visit(browser, '/jobs/else/start');
    expect(await textOf(tab)).toContain('has its state in the state file else.db');
    tab.troubles.length = 0;
  });
});
