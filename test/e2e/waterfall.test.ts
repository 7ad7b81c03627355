// Platforms asked in turn: what each of them accepted and charged, against the table.
import { describe, expect, test } from 'vitest';
import { freePort } from '../helpers/free-port.js';
import { isLong } from '../helpers/long.js';
import { type SandboxProcess } from '../helpers/sandbox-process.js';
import {
  type ChainStep,
  jobOf,
  judgeWaterfall,
  openPlace,
  RUN,
  startThree,
} from '../helpers/waterfall.js';
import { csv, people, type Row, type Workdir } from '../helpers/workdir.js';

type Sandboxes = Readonly<Record<string, SandboxProcess>>;

/** Their charges in all; no person was asked about twice at one platform, whatever was asked. */
async function billOf(sandboxes: Sandboxes): Promise<number> {
  let bill = 0;
  for (const sandbox of Object.values(sandboxes)) {
    bill += (await sandbox.ledger()).charged;
    const asked = (await sandbox.entries()).map(({ inputs }) => JSON.stringify(inputs));
    expect(asked).toEqual([...new Set(asked)]);
  }
  return bill;
}

/** Every row as the platforms say, from requests that were needed. */
async function expectRight(dir: Workdir, steps: readonly ChainStep[]): Promise<number> {
  const judged = await judgeWaterfall(steps, dir.rows('out.csv'));
  expect(judged).toMatchObject({ problems: [], unused: [] });
  return judged.credits;
}

/** The leads of the table that still wait, and those of which `name` was asked. */
function waitingIn(dir: Workdir, name: string): { waiting: number; asked: number } {
  const rows = dir.rows('out.csv');
  return {
    waiting: rows.filter((row) => row['sluice_status'] === 'queued').length,
    asked: rows.filter((row) => row['sluice_tried']?.includes(`${name}:`)).length,
  };
}

describe.concurrent('a waterfall', () => {
  test('fills each row from the steps that it names, and asks for nothing else', async () => {
    const { sandboxes, steps } = await startThree();
    const dir = openPlace(steps, people(20, 30));
    expect(await dir.sluice(RUN)).toMatchObject({ code: 0 });
    expect(await expectRight(dir, steps)).toBe(await billOf(sandboxes));
    // The chain is worth a test: each step found what the ones before it had not, or judged it.
    const tried = dir.rows('out.csv').map((row) => row['sluice_tried']);
    for (const way of ['first:found', 'first:not_found second:found']) expect(tried).toContain(way);
    for (const verdict of ['accepted', 'rejected']) {
      expect(tried.join()).toContain(`check:${verdict}`);
    }
  });

  test('verifies behind each finder, where a platform is named twice for that', async () => {
    const { sandboxes, steps } = await startThree();
    const [first, second, check] = steps as [ChainStep, ChainStep, ChainStep];
    const both = { ...second, ask: first.ask };
    const chain = [first, check, both, { ...check, name: 'again', account: 'check' }];
    const dir = openPlace(steps, people(20, 30));
    dir.write('job.yaml', jobOf(chain));
    expect(await dir.sluice(RUN)).toMatchObject({ code: 0 });
    const rows = dir.rows('out.csv');
    const judged = await judgeWaterfall(chain, rows);
    expect(judged).toMatchObject({ problems: [], credits: await billOf(sandboxes) });
    expect(await sandboxes.check.ledger()).toMatchObject({ doubled: [] });
    const verified = new Set(rows.map((row) => row['email_verified_by']));
    for (const step of ['check', 'again']) expect(verified).toContain(step);
    // Of many leads the second was asked a part: nothing of them is expected to be paid for again.
    const plan = await dir.json('plan job.yaml --credentials accounts.yaml');
    expect(plan).toMatchObject({ steps: chain.map(() => ({ to_pay_expected: 0 })) });
  });

  test('works by webhook and in bulk', async () => {
    const { sandboxes, steps } = await startThree();
    const dir = openPlace(steps, people(20));
    const hooked = await Promise.all(
      steps.map(async (step) => ({
        ...step,
        more: `collect: webhook\n    listen: ${await freePort()}\n    submit: bulk`,
      })),
    );
    dir.write('job.yaml', jobOf(hooked));
    expect(await dir.sluice(RUN)).toMatchObject({ code: 0 });
    expect(await expectRight(dir, steps)).toBe(await billOf(sandboxes));
  });

  test('asks a step only for the leads that its where chooses', async () => {
    const { sandboxes, steps } = await startThree();
    const [first, second, check] = steps as [ChainStep, ChainStep, ChainStep];
    const dir = openPlace(steps, []);
    const regions = people(40).map((line, i) => `${line},${i % 2 === 0 ? 'DE' : 'FR'}`);
    dir.write('leads.csv', ['first_name,last_name,domain,region', ...regions, ''].join('\n'));
    const chain = [
      { ...first, more: 'where: region = DE' },
      { ...second, more: 'where: region = FR or phone is not empty' },
      { ...check, more: 'where: email_status = risky' },
    ];
    dir.write('job.yaml', jobOf(chain));
    const plan = JSON.parse(
      (await dir.sluice('plan job.yaml --credentials accounts.yaml --json')).stdout,
    );
    expect(plan.steps.slice(0, 2)).toMatchObject([{ to_pay_max: 20 }, { to_pay_max: 40 }]);
    await dir.sluice(RUN);
    const rows = dir.rows('out.csv');
    const tried = (row: Row) => row['sluice_tried'] ?? '';
    for (const row of rows) {
      const isGerman = row['region'] === 'DE';
      expect(tried(row)).toMatch(isGerman ? /^first:(?!not_asked)/ : /^first:not_asked/);
      if (isGerman && row['phone'] === '') expect(tried(row)).not.toMatch(/second:(?!not_asked)/);
      if (tried(row).includes('check:risky')) expect(row['email_status']).toBe('risky');
    }
    for (const way of ['second:not_asked', 'second:found', 'check:risky']) {
      expect(rows.map(tried).join()).toContain(way);
    }
    const asked = (name: string) =>
      rows.filter((row) => new RegExp(`${name}:(?!not_asked)`).test(tried(row))).length;
    for (const name of ['first', 'second', 'check'] as const) {
      expect((await sandboxes[name].entries()).length).toBe(asked(name));
    }
    dir.write('job.yaml', jobOf([{ ...first, more: 'where: regio = DE' }, second, check]));
    expect(await dir.refusal(RUN)).toContain(
      'there is no column regio in the output. Did you mean "region"?',
    );
  });

  test('plans only the new files of a drop folder, also where there is none', async () => {
    const { steps } = await startThree();
    const [first, second, check] = steps as [ChainStep, ChainStep, ChainStep];
    const dir = openPlace(steps, []).write('in/.keep', '');
    const chain = [first, { ...second, more: 'where: region = DE' }, check];
    dir.write('job.yaml', jobOf(chain, 'fresh-for: 1ms\n').replace('leads.csv', 'in/*.csv'));
    const planned = () => dir.json('plan job.yaml --credentials accounts.yaml');
    const nothing = { leads: 0, steps: [0, 0, 0].map((n) => ({ to_pay_max: n })) };
    expect(await planned()).toMatchObject(nothing);
    const rows = people(2).map((line) => `${line},DE`);
    dir.write('in/a.csv', ['first_name,last_name,domain,region', ...rows, ''].join('\n'));
    expect(await planned()).toMatchObject({ leads: 2 });
    expect([0, 1]).toContain((await dir.sluice(RUN)).code);
    expect(await planned()).toMatchObject(nothing);
  });

  test.runIf(isLong)('asks two accounts of one platform in turn, without a question', async () => {
    const { steps } = await startThree();
    const [first, second] = steps as [ChainStep, ChainStep];
    const dir = openPlace([first, { ...second, url: first.url }], people(10));
    expect(await dir.sluice(RUN)).toMatchObject({ code: 0, stderr: '' });
  });

  test.runIf(isLong).each(['check', 'first'])(
    'asks before it pays anew for another account of %s',
    async (name) => {
      const { sandboxes, steps } = await startThree();
      const dir = openPlace(steps, people(20));
      expect(await dir.sluice(RUN)).toMatchObject({ code: 0 });
      const bill = await billOf(sandboxes);
      for (const file of ['job.yaml', 'accounts.yaml']) {
        const renamed = file === 'job.yaml' ? `account: ${name}` : `  ${name}:`;
        dir.write(file, dir.text(file).replace(renamed, renamed.replace(name, 'other')));
      }
      expect(await dir.refusal(RUN)).toMatch(
        new RegExp(
          `^Step ${name}: .* known under another account of this address, and would be paid for again: --set pay-anew=true, `,
        ),
      );
      expect(await billOf(sandboxes)).toBe(bill);
      expect(await dir.sluice(`${RUN} --set pay-anew=true`)).toMatchObject({ code: 0 });
      const judged = await judgeWaterfall(steps, dir.rows('out.csv'));
      expect(judged.problems).toEqual([]);
      expect(judged.credits).toBeGreaterThan(0);
    },
  );

  test.runIf(isLong)('takes each file of a drop folder once', async () => {
    const { sandboxes, steps } = await startThree();
    const dir = openPlace(steps, []);
    dir.write(
      'job.yaml',
      jobOf(steps).replace('leads.csv', 'inbox/*.csv').replace('out.csv', '"{input}-out.csv"'),
    );
    dir.write('inbox/a.csv', csv(people(5))).write('inbox/b.csv', csv(people(5, 16)));
    expect(await dir.sluice(RUN)).toMatchObject({ code: 0 });
    const rows = [...dir.rows('a-out.csv'), ...dir.rows('b-out.csv')];
    const judged = await judgeWaterfall(steps, rows);
    expect(judged).toMatchObject({ problems: [], unused: [] });
    expect(judged.credits).toBe(await billOf(sandboxes));

    const runs = async () =>
      (await dir.sluice('runs --ndjson --state state.db')).stdout.trim().split('\n');
    expect(await runs()).toHaveLength(2);
    expect(await dir.sluice(RUN)).toMatchObject({ code: 0 });
    expect(await runs()).toHaveLength(2);
    dir.write('inbox/c.csv', csv(people(2, 31)));
    expect([0, 1]).toContain((await dir.sluice(RUN)).code);
    expect(await runs()).toHaveLength(3);
    expect(dir.rows('c-out.csv')).toHaveLength(2);
  });

  test('waits at a platform without credits, and goes on when there are some', async () => {
    const { sandboxes, steps } = await startThree({ second: '--credits 10' });
    const dir = openPlace(steps, people(20));
    expect(await dir.refusal(RUN, { code: 4 })).toMatch(
      /^Step second: The platform's account is out of credits /,
    );
    expect(waitingIn(dir, 'second').waiting).toBeGreaterThan(0);
    expect((await sandboxes.second.ledger()).charged).toBeLessThanOrEqual(10);

    await sandboxes.second.giveCredits(1_000);
    expect(await dir.sluice(RUN)).toMatchObject({ code: 0 });
    expect(await expectRight(dir, steps)).toBe(await billOf(sandboxes));
  });

  test('never spends more at a step than its budget', async () => {
    const { sandboxes, steps } = await startThree();
    const dir = openPlace(steps, people(20));
    const budgeted = (budget: number): string =>
      jobOf(
        steps.map((step) =>
          step.name === 'second' ? { ...step, more: `budget: ${budget}` } : step,
        ),
      );
    dir.write('job.yaml', budgeted(12));
    expect(await dir.refusal(RUN, { code: 6 })).toMatch(
      /^Step second: The budget of 12 credits left .* Whoever set the budget of the step decides whether it is raised: with a higher one, the same command continues\.$/,
    );
    expect((await sandboxes.second.ledger()).charged).toBeLessThanOrEqual(12);
    // The other steps have spent what they had to.
    expect(waitingIn(dir, 'first')).toMatchObject({ asked: 20 });

    // Twice is no way to spend it twice.
    expect((await dir.sluice(RUN)).code).toBe(6);
    expect((await sandboxes.second.ledger()).charged).toBeLessThanOrEqual(12);
    dir.write('job.yaml', budgeted(1_000));
    expect(await dir.sluice(RUN)).toMatchObject({ code: 0 });
    expect(await expectRight(dir, steps)).toBe(await billOf(sandboxes));
  });
});
