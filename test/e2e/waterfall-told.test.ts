// Sentences, checks and logs about a waterfall: each names the step that it is about, and where that is stated.
import { describe, expect, test } from 'vitest';
import { type ChainStep, jobOf, openPlace, RUN, startThree } from '../helpers/waterfall.js';
import { complaintOf, people, type Workdir } from '../helpers/workdir.js';

const { steps } = await startThree();
const [first, second] = steps as [ChainStep, ChainStep];
const NOWHERE = 'http://127.0.0.1:9';

/** Gives an account other secrets. */
function withSecrets(dir: Workdir, name: string, secrets: string): Workdir {
  const line = `${name}: {username: sandbox, password: sandbox}`;
  return dir.write('accounts.yaml', dir.text('accounts.yaml').replace(line, `${name}: ${secrets}`));
}

describe.concurrent('credentials of a step', () => {
  test('that are refused are those in the file of accounts', async () => {
    const dir = openPlace(steps, people(3));
    const ended = await withSecrets(dir, 'first', '{username: sandbox, password: no}').sluice(RUN);
    expect(complaintOf(ended)).toMatch(
      /^Step first: .* refused the credentials .* Check the account first in accounts\.yaml\./,
    );
  });

  test.each([
    [RUN, 2],
    ['doctor job.yaml --credentials accounts.yaml', 1],
  ])('go to no address but the one that the file states: %s', async (command, code) => {
    const dir = openPlace(steps, people(3));
    const elsewhere = `{url: "${NOWHERE}", username: sandbox, password: sandbox}`;
    const ended = await withSecrets(dir, 'first', elsewhere).sluice(command);
    const sentence = `The step first asks ${first.url}, and the account first in accounts.yaml is for ${NOWHERE}: name the account of its platform.`;
    expect(ended.stdout + ended.stderr).toContain(sentence);
    expect(ended.code).toBe(code);
  });

  test('that are of another kind are told by the keys of that file', async () => {
    const dir = openPlace(steps, people(3));
    const ended = await withSecrets(dir, 'first', '{api-key: k}').sluice(RUN);
    expect(complaintOf(ended)).toMatch(
      /^Step first: The account first in accounts\.yaml does not give the username and password that its platform asks for: write it there\.$/,
    );
    expect(ended.code).toBe(2);
  });
});

describe.concurrent('doctor', () => {
  const DOCTOR = 'doctor job.yaml --json';
  const checksOf = async (dir: Workdir, flags = '--credentials accounts.yaml') => {
    const { stdout } = await dir.sluice(`${DOCTOR} ${flags}`.trim());
    return (
      JSON.parse(stdout) as {
        checks: { check: string; step?: string; verdict: string; says: string }[];
      }
    ).checks;
  };

  test('looks at the platform of each step, and at everything else once', async () => {
    const checks = await checksOf(openPlace(steps, people(3)));
    expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    for (const check of ['dialect', 'credentials', 'platform']) {
      const found = checks.filter((one) => one.check === check);
      expect(found.map(({ step }) => step)).toEqual(['first', 'second', 'check']);
      for (const { says, step } of found) expect(says).toContain(`Step ${step}: `);
    }
    expect(checks.filter(({ check }) => check === 'input')).toHaveLength(1);
  });

  test('says which step cannot be asked', async () => {
    const dir = withSecrets(openPlace(steps, people(3)), 'second', '{username: a, password: b}');
    const failed = (await checksOf(dir)).filter(({ verdict }) => verdict === 'fail');
    expect(failed).toMatchObject([
      { check: 'platform', step: 'second', says: expect.stringContaining('the account second in') },
    ]);
  });

  test('asks for the file of accounts', async () => {
    const [failed] = (await checksOf(openPlace(steps, people(3)), '')).filter(
      ({ verdict }) => verdict === 'fail',
    );
    expect(failed).toMatchObject({ check: 'job', says: expect.stringContaining('--credentials') });
  });
});

test.concurrent('another dialect of a step is another run', async () => {
  const down = [{ ...first, url: NOWHERE }, second];
  const dir = openPlace(down, people(3)).write('job.yaml', jobOf(down));
  const runs = async () =>
    (await dir.sluice('runs --ndjson --state state.db')).stdout.trim().split('\n').length;
  expect((await dir.sluice(RUN)).code).toBe(4);
  expect((await dir.sluice(RUN)).code).toBe(4);
  expect(await runs()).toBe(1);
  dir.write('other.yaml', 'headers: {x-client: sluice}\n');
  dir.write('job.yaml', jobOf([{ ...first, url: NOWHERE, more: 'dialect: other.yaml' }, second]));
  expect((await dir.sluice(RUN)).code).toBe(4);
  expect(await runs()).toBe(2);
});

test.concurrent('cancel says how many leads are not asked for', async () => {
  const down = [{ ...first, url: NOWHERE }, second];
  const dir = openPlace(down, people(7)).write('job.yaml', jobOf(down));
  expect((await dir.sluice(RUN)).code).toBe(4);
  expect((await dir.sluice('cancel 1 --state state.db')).stdout).toMatch(
    /^Run 1 of job is cancelled\. 7 leads will not be asked for\.$/m,
  );
});

test.concurrent('each line of the log about a step names it', async () => {
  const dir = openPlace(steps, people(20));
  const { stderr } = await dir.start(`${RUN} --log-level debug`).ended;
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const of = (event: string) => lines.filter((line) => line['event'] === event);
  for (const event of ['leads.passed', 'request.answered', 'enrichments.settled']) {
    const named = new Set(of(event).map(({ step }) => step));
    expect(named).not.toContain(undefined);
    expect(named).toContain('first');
    expect(named).toContain('second');
  }
  for (const event of ['run.started', 'leads.read', 'run.ended']) {
    expect(of(event).length).toBeGreaterThan(0);
    for (const line of of(event)) expect(line).not.toHaveProperty('step');
  }
});
