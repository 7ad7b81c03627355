// The forms of sluice ui and their effects, without a browser: sent twice, late, or beside one another.
import { expect, test } from 'vitest';
import { isLong } from '../helpers/long.js';
import { type SandboxProcess, startSandboxProcess } from '../helpers/sandbox-process.js';
import { startUi, type UiProcess } from '../helpers/ui-process.js';
import { csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';
import { askServer, type Browser, cookieOf, openBrowser, pathOf } from '../ui/server/ui-bench.js';

async function signIn(ui: UiProcess): Promise<Browser> {
  const port = Number(new URL(ui.origin).port);
  return openBrowser(port, cookieOf(await askServer(port, pathOf(await ui.link()))));
}

/** The fields of the page's form as they stand there, and where it is sent. */
async function formAt(browser: Browser, path: string): Promise<{ to: string; body: string }> {
  const { text } = await browser.ask(path);
  const fields = [...text.matchAll(/<input type="(?:hidden|number)"[^>]*>/g)].map(
    ([tag]): [string, string] => {
      const valueOf = (name: string): string =>
        new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
      return [valueOf('name'), valueOf('value')];
    },
  );
  return { to: path, body: new URLSearchParams(fields).toString() };
}

/** Drops a file for which nothing is known yet; resolves with the path of its page. */
async function drop(browser: Browser): Promise<string> {
  const { text } = await browser.ask('/jobs/firms/pause');
  const dropped = await browser.post('/try?name=x.csv', csv(people(2, 20)), {
    'content-type': 'application/octet-stream',
    'x-sluice-token': /name="token" value="([^"]*)"/.exec(text)?.[1],
  });
  return dropped.headers.location ?? '';
}

/** Resolves once what was started there has ended. */
async function ended(browser: Browser, started: string | undefined): Promise<string> {
  let text = '';
  await expect
    .poll(
      async () => {
        ({ text } = await browser.ask(started ?? ''));
        return text;
      },
      { interval: 200 },
    )
    .toMatch(/ended/);
  return text;
}

/** A job that pays for the same leads in each of its runs. */
async function openJob(sandbox: SandboxProcess, input = 'leads.csv'): Promise<Workdir> {
  const dir = openWorkdir(sandbox.url);
  dir.write('leads.csv', csv(people(2)));
  dir.write(
    'jobs/firms.yaml',
    `input: ${input}\nout: out.csv\nask: [find_email]\nfresh-for: 1s\npay-anew: true\n`,
  );
  await dir.sluice('run firms --limit 1');
  return dir;
}

test('a form that starts a job starts one run, however often it is sent', async () => {
  const sandbox = await startSandboxProcess('--latency 0s --sigma 0');
  const dir = await openJob(sandbox);
  const ui = await startUi(dir);
  const browser = await signIn(ui);
  const form = await formAt(browser, '/jobs/firms/start');
  const both = await Promise.all([
    browser.post(form.to, form.body),
    browser.post(form.to, form.body),
  ]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 409]);
  const told = await ended(browser, both.find(({ status }) => status === 303)?.headers.location);
  expect(told).toContain('href="/runs/2" data-goto>Run 2</a>');
  const paid = await sandbox.ledger();
  // As after the back button, or from another tab.
  const late = await browser.post(form.to, form.body);
  expect(late.status).toBe(409);
  expect(late.text).toContain('Nothing was started');
  expect(await sandbox.ledger()).toEqual(paid);
  // What is said anew may be started.
  const anew = await formAt(browser, '/jobs/firms/start');
  expect((await browser.post(anew.to, anew.body)).status).toBe(303);
  await ui.stop();
});

test.runIf(isLong)(
  'a form made for a run that went on elsewhere, and ended, starts no other',
  async () => {
    const sandbox = await startSandboxProcess('--latency 0s --sigma 0');
    const dir = await openJob(sandbox);
    await dir.sluice('pause firms');
    await dir.sluice('run firms');
    await dir.sluice('resume firms');
    const ui = await startUi(dir);
    const browser = await signIn(ui);
    const form = await formAt(browser, '/jobs/firms/start');
    expect(form.body).toContain('seen=2-2');
    expect((await dir.sluice('run firms')).code).toBe(0);
    const paid = await sandbox.ledger();
    expect((await browser.post(form.to, form.body)).status).toBe(409);
    expect(await sandbox.ledger()).toEqual(paid);
    await ui.stop();
  },
);

test('where one start begins a run for each file, its page says so before the click, and proposes no sum for each', async () => {
  const sandbox = await startSandboxProcess('--latency 0s --sigma 0');
  const dir = await openJob(sandbox);
  dir.write('inbox/a.csv', csv(people(1, 5)));
  dir.write('jobs/folder.yaml', 'input: inbox/*.csv\nout: "{input}.csv"\nask: [find_email]\n');
  const ui = await startUi(dir);
  const browser = await signIn(ui);
  const { text } = await browser.ask('/jobs/folder/start');
  expect(text).toContain('Each run may spend at most, in credits');
  expect(text).toContain('makes another run, which may spend this much as well');
  expect(text).not.toContain('files are new');
  const budgetIn = (page: string) => /name="budget"[^>]* value="([^"]*)"/.exec(page)?.[1];
  expect(budgetIn(text)).toBe('5');
  dir.write('inbox/b.csv', csv(people(2, 6)));
  const { text: both } = await browser.ask('/jobs/folder/start');
  expect(both).toContain('2 files are new, and each has a run of its own.');
  expect(both).toContain('all of them together may spend 2 times as much');
  expect(both).toContain('That is for all 2 runs; the budget is for each.');
  expect(budgetIn(both)).toBe('');
  expect((await browser.ask('/jobs/firms/start')).text).not.toContain('Each run may spend');
  await ui.stop();
});

test.runIf(isLong)(
  'a start proposes a sum with which its run goes on, and says that the sandbox costs nothing',
  async () => {
    const sandbox = await startSandboxProcess('--latency 0s --sigma 0');
    const dir = await openJob(sandbox);
    const job = 'input: more.csv\nout: more-out.csv\nask: [find_email]\n';
    dir.write('more.csv', csv(people(6, 30)));
    dir.write('jobs/left.yaml', `${job}budget: 5\n`);
    dir.write('jobs/made-up.yaml', `${job}url: sandbox\n`);
    expect((await dir.sluice('run left')).code).toBe(6);
    // It is told to stop by something else now, and its own budget is spent.
    await dir.sluice('pause left');
    expect((await dir.sluice('run left --budget 50')).code).toBe(8);
    await dir.sluice('resume left');
    const ui = await startUi(dir);
    const browser = await signIn(ui);
    const { body } = await formAt(browser, '/jobs/left/start');
    expect(Number(new URLSearchParams(body).get('budget'))).toBeGreaterThan(5);
    const { text } = await browser.ask('/jobs/made-up/start');
    expect(text).toContain('the credits of the sandbox are made up');
    expect(text).toContain('Spend at most, in made-up credits');
    await ui.stop();
  },
);

test.runIf(isLong)(
  'a dropped file that is at work keeps the job it was started with, and is not paid for anew',
  async () => {
    const sandbox = await startSandboxProcess('--latency 1s --sigma 0');
    const dir = await openJob(sandbox);
    const ui = await startUi(dir);
    const browser = await signIn(ui);
    const path = await drop(browser);
    const [, id = ''] = /^\/try\/(.*)$/.exec(path) ?? [];
    const form = await formAt(browser, `${path}/plan?ask=find_email&place=platform`);
    const fields = (budget: string): string => {
      const all = new URLSearchParams(form.body);
      all.set('budget', budget);
      return all.toString();
    };
    const first = await browser.post(form.to, fields('10'));
    expect(first.status).toBe(303);
    expect((await browser.post(form.to, fields('999'))).status).toBe(409);
    expect(dir.text(`data/dropped/${id}/try-${id}.yaml`)).toMatch(/^budget: 10$/m);
    await ended(browser, first.headers.location);
    await ui.stop();
  },
);

test.runIf(isLong)(
  'the form of a dropped file starts one run, also when it is sent again later',
  async () => {
    const sandbox = await startSandboxProcess('--latency 0s --sigma 0');
    const dir = await openJob(sandbox);
    const ui = await startUi(dir);
    const browser = await signIn(ui);
    const path = await drop(browser);
    const plan = `${path}/plan?ask=find_email&place=platform`;
    const form = await formAt(browser, plan);
    await ended(browser, (await browser.post(form.to, form.body)).headers.location);
    const { accepted } = await sandbox.ledger();
    // As after the back button, or from another tab.
    const late = await browser.post(form.to, form.body);
    expect(late.status).toBe(409);
    expect(late.text).toContain('Nothing was started: a run of x.csv has begun or ended');
    expect((await sandbox.ledger()).accepted).toBe(accepted);
    const anew = await formAt(browser, plan);
    expect((await browser.post(anew.to, anew.body)).status).toBe(303);
    await ui.stop();
  },
);

test('the forms of a run write its table again, open its failed lead, and cancel it', async () => {
  const sandbox = await startSandboxProcess('--latency 0s --sigma 0');
  const dir = openWorkdir(sandbox.url);
  // The 31st of these people fails in the sandbox.
  dir.write('leads.csv', csv(people(1, 31)));
  dir.write('jobs/firms.yaml', 'input: leads.csv\nout: out.csv\nask: [find_email]\n');
  dir.write('other.yaml', 'input: leads.csv\nout: out.csv\nask: [find_email]\n');
  await dir.sluice('run firms');
  const ui = await startUi(dir);
  const browser = await signIn(ui);
  const send = async (path: string, more = ''): Promise<string> => {
    const form = await formAt(browser, path);
    const done = await browser.post(form.to, form.body + more);
    return (await browser.ask(String(done.headers['location']))).text;
  };
  expect(await send('/runs/1/export')).toContain('out.csv: 1 row');
  const opened = await send('/runs/1/retry', '&failed=yes&ask-anew=yes');
  expect(opened).toContain('1 enrichment to ask for, which costs 5 credits at most');
  expect((await dir.sluice('status 1 --json')).stdout).toContain('"queued":1');
  expect(await send('/runs/1/cancel')).toContain('Run 1 of firms is cancelled');
  const { text } = await browser.ask('/runs/1/cancel');
  expect(text).toContain('Run 1 is cancelled: there is nothing to cancel.');
  // The name of a job is no path.
  for (const job of ['..%2Fother', '%2E%2E%2Fother', 'firms.yaml', '--help']) {
    expect((await browser.ask(`/jobs/${job}/start`)).text).toContain('There is no file of the job');
  }
  expect(await sandbox.ledger()).toMatchObject({ accepted: 1 });
  await ui.stop();
});
