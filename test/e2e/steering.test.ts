// What a person decides about a run: how much it may cost, to stop it, to try again what failed.
import { describe, expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import {
  complaintOf,
  csv,
  finishedRun,
  openPrepared,
  openWorkdir,
  people,
  type Workdir,
} from '../helpers/workdir.js';

const ENRICH = 'enrich leads.csv --out out.csv --ask find_email --set rate=off --state state.db';

async function openShop(flags?: string, count = 15) {
  const sandbox = await startSandboxProcess(flags);
  const dir = openWorkdir(sandbox.url);
  dir.write('leads.csv', csv(people(count)));
  return { sandbox, dir };
}

function statuses(dir: Workdir): Set<string | undefined> {
  return new Set(dir.rows('out.csv').map((row) => row['sluice_status']));
}

describe.concurrent('a budget', () => {
  test.each([['single'], ['bulk']])(
    'is never passed; with a higher one the run goes on (%s)',
    async (submit) => {
      const { dir, sandbox } = await openShop();
      const flags = `--submit ${submit} --quiet`;
      const stopped = await dir.sluice(`${ENRICH} ${flags} --budget 22`);
      expect(stopped.code).toBe(6);
      expect(complaintOf(stopped)).toMatch(
        /budget of 22 credits .* Whoever set the budget decides/,
      );
      const { charged } = await sandbox.ledger();
      expect(charged).toBeLessThanOrEqual(22);
      // Room for one more find there is not.
      expect(charged).toBeGreaterThan(22 - 5);
      expect(dir.rows('out.csv')).toHaveLength(15);
      expect(statuses(dir)).toContain('queued');
      expect((await dir.sluice(`${ENRICH} ${flags} --budget 1000`)).code).toBe(0);
      expect(await sandbox.ledger()).toMatchObject({ accepted: 15, doubled: [] });
    },
  );

  test('that stopped a run is named wherever the run is told of, with what is left of it', async () => {
    // The 31st person fails in the sandbox: that is not why the run stopped.
    const { dir } = await openShop('--latency 20ms', 40);
    dir.write('leads.csv', csv(people(8, 30)));
    const stopped = await dir.sluice(`${ENRICH} --budget 12`);
    expect(stopped.code).toBe(6);
    expect(stopped.stderr).toMatch(/^budget +10 of 12 credits spent, 2 left$/m);
    const { stdout } = await dir.sluice('status --state state.db');
    expect(stdout).toContain('8 leads, stopped at budget\n');
    expect(stdout).toMatch(
      /budget: 10 of 12 credits spent, 2 left, and \d requests? (is|are) still to send, for \d+ credits at most\. Whoever set it decides whether it is raised: with a higher one, the command that started leads\.csv continues\.\n$/,
    );
    const runs = (await dir.sluice('runs --state state.db')).stdout;
    expect(runs).toMatch(/1 +leads\.csv +stopped at budget .*\n\n?Run 1 stopped at its budget: /);
    const told = JSON.parse((await dir.sluice('status --json --state state.db')).stdout);
    expect(told).toMatchObject({
      state: 'stopped_at_budget',
      stopped_why: expect.stringContaining('budget of 12 credits left '),
      budget: 12,
      budget_spent: 10,
      budget_left: 2,
    });
    const again = await dir.sluice(`${ENRICH} --budget 100 --quiet`);
    expect(again.code).toBeLessThanOrEqual(1);
    expect(JSON.parse((await dir.sluice('status --json --state state.db')).stdout)).toMatchObject({
      run: 1,
      state: 'finished',
      stopped_why: null,
      budget: 100,
    });
  });

  test('that stopped a run leaves a plan of what the run has yet to pay', async () => {
    const { dir, sandbox } = await openShop('--latency 20ms', 12);
    const stale = '--fresh-for 1ms';
    expect((await dir.sluice(`${ENRICH} ${stale} --budget 9 --quiet`)).code).toBe(6);
    const { accepted } = await sandbox.ledger();
    const plan = 'plan leads.csv --ask find_email --set rate=off --state state.db --json';
    // What is answered since is older than a millisecond, and is this run's all the same.
    const told = JSON.parse((await dir.sluice(`${plan} ${stale} --budget 9`)).stdout);
    const { charged } = await sandbox.ledger();
    expect(told).toMatchObject({ to_pay: 12 - accepted, budget: 9, budget_spent: charged });
    expect(told.budget_left).toBe(9 - charged);
    const text = await dir.sluice(`${plan.replace(' --json', '')} ${stale} --budget 9`);
    expect(text.stdout).toMatch(/^budget .* of 9: too little for one request, so nothing is sent/m);
    const without = await dir.sluice(`${plan.replace(' --json', '')} ${stale}`);
    expect(without.stdout).toMatch(/^budget +none: the unfinished run had one of 9,/m);
    const { stderr } = await dir.sluice(`${ENRICH} ${stale}`);
    expect(stderr).toContain('goes on without a limit. Before, it had a budget of 9 credits.');
    expect(await sandbox.ledger()).toMatchObject({ accepted: 12, doubled: [] });
  });

  test('of nothing sends nothing', async () => {
    const { dir, sandbox } = await openShop();
    expect((await dir.sluice(`${ENRICH} --budget 0 --quiet`)).code).toBe(6);
    expect((await sandbox.ledger()).accepted).toBe(0);
    // What it has left is not forgotten in silence when another ask takes its place.
    const other = await dir.sluice(ENRICH.replace('find_email', 'find_phone'));
    expect(other.stderr).toMatch(
      /replaces run 1 \(find_email\).*: 15 leads were not asked for there\./,
    );
  });
});

describe.concurrent('cancel', () => {
  test('stops a run that another process works on; what is paid for serves the next one', async () => {
    const { dir, sandbox } = await openShop('--latency 3s --sigma 0', 60);
    const run = dir.start(`${ENRICH.replace('off', '10/1s')} --set concurrency=1 --quiet`);
    await sandbox.until(({ accepted }) => accepted >= 3, run);
    const cancelled = await dir.sluice('cancel 1 --state state.db');
    expect(cancelled).toMatchObject({ code: 0, stdout: expect.stringContaining('is cancelled') });
    expect(await run.ended).toMatchObject({ code: 7 });
    const { accepted } = await sandbox.ledger();
    expect(accepted).toBeLessThan(60);
    expect((await dir.sluice('cancel 1 --state state.db')).code).toBe(2);
    dir.write('leads.csv', csv(people(20)));
    expect((await dir.sluice(`${ENRICH} --quiet`)).code).toBe(0);
    expect((await sandbox.ledger()).doubled).toEqual([]);
  });

  test('a run that has ended cannot be cancelled, and one that is not there neither', async () => {
    const dir = await openPrepared(finishedRun);
    expect(complaintOf(await dir.sluice('cancel 1 --state state.db'))).toContain('finished');
    expect(complaintOf(await dir.sluice('cancel 9 --state state.db'))).toContain('no run 9');
  });
});

describe.concurrent('retry', () => {
  test('asks anew for what failed, and for nothing else', async () => {
    // The 31st person fails in the sandbox.
    const { dir, sandbox } = await openShop('--latency 20ms', 32);
    expect((await dir.sluice(`${ENRICH} --quiet`)).code).toBe(0);
    expect((await dir.sluice(`${ENRICH} --quiet`)).code).toBe(0);
    expect((await sandbox.ledger()).accepted).toBe(32);
    // Its ticket first, which costs nothing and says the same.
    const read = await dir.sluice('retry 2 --state state.db --json');
    expect(JSON.parse(read.stdout)).toMatchObject({ queued: 0, awaiting: 1, credits_max: 0 });
    const early = await dir.sluice('retry 2 --ask-anew --state state.db');
    expect(early.stdout).toMatch(/^Nothing was changed: .* An earlier retry has opened it/);
    expect((await dir.sluice(`${ENRICH} --quiet`)).code).toBe(0);
    expect((await sandbox.ledger()).accepted).toBe(32);
    const retried = await dir.sluice('retry 2 --ask-anew --state state.db --json');
    expect(JSON.parse(retried.stdout)).toMatchObject({ queued: 1, awaiting: 0, credits_max: 5 });
    await dir.sluice(`${ENRICH} --quiet`);
    const ledger = await sandbox.ledger();
    expect(ledger).toMatchObject({ accepted: 33, distinct: 32 });
    expect(ledger.doubled).toHaveLength(1);
  });

  test('is named by the summary and by status, for what failed, with its highest price', async () => {
    const { dir } = await openShop('--latency 20ms', 32);
    const way = (start: string) =>
      `for nothing: sluice retry 1 --only failed --state state.db, then ${start}. To ask again, which costs 5 credits at most, prices assumed: the same with --ask-anew.`;
    expect((await dir.sluice(ENRICH)).stderr).toContain(way('the same command'));
    const { stdout } = await dir.sluice('status 1 --state state.db');
    expect(stdout).toContain(way('the command that started leads.csv'));
    const rows = /Those not found, as a table: sluice (export 1 --where) '(.*)' (.*)\n/.exec(
      stdout,
    );
    const [, words = '', where = '', flags = ''] = rows ?? [];
    const table = await dir.sluice([...words.split(' '), where, ...flags.split(' ')]);
    expect(table.stdout.match(/,not_found,/g)?.length).toBeGreaterThan(5);
  });

  test('asks on, for nothing, for what came too late', async () => {
    const { dir, sandbox } = await openShop('--latency 8s --sigma 0', 5);
    expect((await dir.sluice(`${ENRICH} --set deadline=1s --quiet`)).code).toBe(1);
    expect(statuses(dir)).toEqual(new Set(['timed_out']));
    await sandbox.ready();
    const retried = await dir.sluice('retry 1 --only timed_out --state state.db --json');
    expect(JSON.parse(retried.stdout)).toMatchObject({ queued: 0, awaiting: 5 });
    expect((await dir.sluice(`${ENRICH} --quiet`)).code).toBe(0);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 5, doubled: [] });
  });

  test('starts the job of the folder jobs/ as well, where it is told to', async () => {
    const { dir, sandbox } = await openShop('--latency 8s --sigma 0', 5);
    const job = `input: leads.csv\nout: out.csv\nask: [find_email]\nurl: ${sandbox.url}\n`;
    dir.write('jobs/late.yaml', job);
    const started = await dir.sluice('run late --state state.db --set deadline=1s --quiet');
    expect(started.code).toBe(1);
    await sandbox.ready();
    const gone = await dir.sluice('retry 1 --go --state state.db');
    expect(gone.stdout).toContain('Run 1 of late is open again. 5 answers to read again');
    expect(gone.stderr).toContain('Continuing run 1 of late');
    expect(gone.code).toBe(0);
    expect(statuses(dir)).not.toContain('timed_out');
    const none = await dir.sluice('retry 1 --go --state state.db --only failed --json');
    expect(JSON.parse(none.stdout)).toMatchObject({ queued: 0, awaiting: 0 });
    expect(await sandbox.ledger()).toMatchObject({ accepted: 5, doubled: [] });
  });

  test('says what it cannot do', async () => {
    const dir = await openPrepared(finishedRun);
    const none = complaintOf(await dir.sluice('retry 1 --go --state state.db'));
    expect(none).toContain('there is no jobs/leads.csv.yaml: retry without --go');
    const wrong = await dir.sluice('retry 1 --only lost --state state.db');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('timed_out') });
    expect((await dir.sluice('retry 8 --state state.db')).code).toBe(2);
  });
});
