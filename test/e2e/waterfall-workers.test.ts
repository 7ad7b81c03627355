// A waterfall that workers make: by the one that holds the accounts of all steps, and by the next one where that dies.
import { chmodSync } from 'node:fs';
import { describe, expect, it, type TestContext } from 'vitest';
import type { Running } from '../helpers/command-line.js';
import { COMMAND_MS } from '../helpers/patience.js';
import { type ChainStep, jobOf, judgeWaterfall, startThree } from '../helpers/waterfall.js';
import { csv, people } from '../helpers/workdir.js';
import { openWorkerPlace, type WorkerPlace } from '../helpers/worker-place.js';

const LEADS = 30;
const CONCURRENCY = 3;
const ALL = '--credentials accounts.yaml';
const until = { timeout: COMMAND_MS };

interface ChainPlace extends WorkerPlace {
  readonly steps: readonly ChainStep[];
  readonly sandboxes: Awaited<ReturnType<typeof startThree>>['sandboxes'];
}

/** A job `chain` of three steps; `accounts.yaml` has all of their accounts, `one.yaml` the first alone. */
async function placeOf(
  context: TestContext,
  { isInFile = true, more = '' }: { readonly isInFile?: boolean; readonly more?: string } = {},
): Promise<ChainPlace> {
  const place = await openWorkerPlace(context, undefined, isInFile);
  const { sandboxes, steps } = await startThree();
  const slow = steps.map((step) => ({
    ...step,
    more: `concurrency: ${CONCURRENCY}\n    credit: 0.01 EUR`,
  }));
  const accounts = steps.map(({ name }) => `  ${name}: {username: sandbox, password: sandbox}\n`);
  place.dir
    .write('leads.csv', csv(people(LEADS)))
    .write('accounts.yaml', `accounts:\n${accounts.join('')}`)
    .write('one.yaml', `accounts:\n${accounts[0]}`)
    .write('jobs/chain.yaml', jobOf(slow, more).replace('state: state.db\n', ''));
  for (const name of ['accounts.yaml', 'one.yaml']) chmodSync(place.dir.at(name), 0o600);
  return { ...place, sandboxes, steps: slow };
}

async function expectRight({ dir, sandboxes, steps }: ChainPlace): Promise<void> {
  const rows = dir.rows('out.csv');
  expect(rows).toHaveLength(LEADS);
  const judged = await judgeWaterfall(steps, rows);
  expect(judged).toMatchObject({ problems: [], unused: [] });
  for (const sandbox of Object.values(sandboxes)) {
    expect(await sandbox.ledger()).toMatchObject({ doubled: [] });
  }
}

async function chargedOf({ sandboxes }: ChainPlace): Promise<number> {
  const ledgers = await Promise.all(Object.values(sandboxes).map((one) => one.ledger()));
  return ledgers.reduce((sum, { charged }) => sum + charged, 0);
}

describe.concurrent.each([
  { store: 'a state file', isInFile: true },
  { store: 'a database', isInFile: false },
])('in $store', ({ isInFile }) => {
  it('two workers are killed with -9, and a third ends the run, with nothing paid twice', async (context) => {
    const place = await placeOf(context, { isInFile });
    const { dir, sandboxes, sluice, states, worker } = place;
    expect(await sluice('enqueue chain')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('30 leads'),
    });
    expect(await chargedOf(place)).toBe(0);
    const kills = [
      ['first', 4],
      ['second', 5],
    ] as const;
    for (const [at, count] of kills) {
      const killed = worker(ALL);
      await sandboxes[at].until(({ accepted }) => accepted >= count, killed);
      killed.child.kill('SIGKILL');
    }
    await worker(ALL).says('Run 1 of chain: finished.');
    await context.expect.poll(states, until).toEqual(['finished']);
    const uncertain = dir.rows('out.csv').filter((row) => row['sluice_status'] === 'uncertain');
    const most = CONCURRENCY * place.steps.length * kills.length;
    expect(uncertain.length).toBeLessThanOrEqual(most);
    await expectRight(place);
  });

  it('is left by a worker that lacks an account, which is named, and given back on SIGTERM', async (context) => {
    const place = await placeOf(context, { isInFile });
    const { sandboxes, sluice, worker } = place;
    await sluice('enqueue chain');
    const lacking = worker('--credentials one.yaml');
    const sentence = /lacks the accounts second and check, and the run of a waterfall goes to a/;
    await lacking.says('Run 1 of chain is left to another worker. The worker on ');
    expect((await sluice('status')).stdout).toMatch(sentence);
    expect((await sluice('runs')).stdout).toMatch(sentence);
    expect(await chargedOf(place)).toBe(0);
    const first = worker(ALL);
    await sandboxes.first.until(({ accepted }) => accepted > 5, first);
    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    await worker(ALL).says('Run 1 of chain: finished.');
    lacking.child.kill('SIGTERM');
    expect((await lacking.ended).stderr.split('is left to another worker')).toHaveLength(2);
    await expectRight(place);
  });
});

describe.concurrent('a waterfall of the queue', () => {
  it('keeps its budget over a worker that is killed, and goes on with a higher one', async (context) => {
    const place = await placeOf(context, { more: 'budget: 1.5 EUR\n' });
    const { dir, sandboxes, sluice, worker } = place;
    await sluice('enqueue chain');
    const first = worker(ALL);
    await sandboxes.first.until(({ accepted }) => accepted > 5, first);
    first.child.kill('SIGKILL');
    const second = worker(ALL);
    await second.says('The budget of 1.50 EUR over all steps left ');
    expect(await chargedOf(place)).toBeLessThanOrEqual(150);
    expect((await sluice('runs')).stdout).toMatch(/1 +chain +parked /);
    dir.write('jobs/chain.yaml', dir.text('jobs/chain.yaml').replace('1.5 EUR', '100 EUR'));
    expect(await sluice('enqueue chain')).toMatchObject({ code: 0 });
    await second.says('Run 1 of chain: finished.');
    await expectRight(place);
  });

  it('is parked while it is paused, and cancelled for good', async (context) => {
    const place = await placeOf(context);
    const { sandboxes, sluice, states, worker } = place;
    await sluice('enqueue chain');
    await sluice('pause chain');
    const started = worker(ALL);
    await started.says('Run 1 of chain waits for 30 s');
    expect(await states()).toEqual(['parked']);
    expect((await sluice('resume chain')).stdout).toContain('A worker goes on with it.');
    await sandboxes.first.until(({ accepted }) => accepted > 2, started);
    await sluice('cancel 1');
    await context.expect.poll(states, until).toEqual(['cancelled']);
    await sluice('enqueue chain');
    await started.says('Run 5 of chain: finished.');
    await expectRight(place);
  });

  it('shares the limit of an account with another run of the same worker', async (context) => {
    const place = await placeOf(context);
    const { dir, sandboxes, sluice, worker } = place;
    const limited = dir.text('jobs/chain.yaml').replaceAll('rate: off', 'rate: 5/1s');
    dir.write('jobs/chain.yaml', limited);
    dir.write('more.csv', csv(people(LEADS, 1_000)));
    dir.write(
      'jobs/other.yaml',
      `input: more.csv\nout: other.csv\nask: [find_email]\nurl: ${sandboxes.first.url}\naccount: first\nrate: 5/1s\n`,
    );
    await sluice('enqueue chain');
    await sluice('enqueue other');
    const started: Running = worker(ALL);
    await started.says('Run 1 of chain: finished.');
    await started.says('Run 2 of other: finished.');
    const at = (await sandboxes.first.entries())
      .map(({ acceptedAt }) => acceptedAt)
      .toSorted((a, b) => a - b);
    expect(at).toHaveLength(2 * LEADS);
    const spans = at.slice(5).map((later, i) => later - (at[i] ?? 0));
    expect(Math.min(...spans)).toBeGreaterThanOrEqual(950);
  });

  it('needs no credentials where it is read, and no file of a dialect where it is made', async (context) => {
    const place = await placeOf(context);
    const { dir, sluice, worker } = place;
    dir.write('mine.yaml', 'headers: {x-client: sluice}\n');
    dir.write(
      'jobs/chain.yaml',
      dir
        .text('jobs/chain.yaml')
        .replace('account: second', 'account: second\n    dialect: mine.yaml'),
    );
    await dir.start('enqueue chain', {
      env: { ...place.env, SLUICE_USERNAME: '', SLUICE_PASSWORD: '' },
    }).ended;
    dir.write('jobs/chain.yaml', dir.text('jobs/chain.yaml').replace('dialect: mine.yaml', ''));
    const started = worker(ALL);
    await started.says(
      'Step second: Its dialect is none of those that come with Sluice, and a worker',
    );
    dir.write(
      'accounts.yaml',
      dir.text('accounts.yaml').replace('second: {', 'second: {dialect: mine.yaml, '),
    );
    expect((await sluice('runs')).stdout).toContain('Step second: Its dialect');
    await worker(ALL).says('Run 1 of chain: finished.');
    await expectRight(place);
  });
});
