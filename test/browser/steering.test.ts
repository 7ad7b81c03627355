// Runs steered from the pages: what it would cost is said first, and nothing is done by one click.
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

  it('is paused and resumed, and sends nothing between', async () => {
    const dir = await openJob(3, 8);
    const ui = await startUi(dir);
    const tab = await ui.visit(browser, '/jobs/firms/pause');
    await press(tab, 'Pause firms');
    await tab.page.getByRole('heading', { name: 'firms is paused' }).waitFor();
    expect((await dir.sluice('run firms')).code).toBe(8);
    await tab.page.getByRole('link', { name: 'Resume it' }).click();
    expect(await textOf(tab)).toContain('Cost: nothing now.');
    await press(tab, 'Resume firms');
    await tab.page.getByRole('link', { name: 'Start firms' }).click();
    // Two that were queued when the job was paused, and what the first one cost.
    expect(await tab.page.getByLabel('Spend at most').inputValue()).toBe('10');
    await press(tab, 'Start firms');
    await hasEnded(tab);
    expect(dir.rows('out.csv')).toHaveLength(3);
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
