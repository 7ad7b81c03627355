// Caps of an account and of a job, from the command line.
import { describe, expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, csv, openWorkdir, people } from '../helpers/workdir.js';

const STATE = '--state state.db';
const ENRICH = `enrich leads.csv --out out.csv --ask find_email --set rate=off --quiet ${STATE}`;

/** A folder whose state knows the account by one lead. */
async function openShop(flags?: string, count = 12) {
  const sandbox = await startSandboxProcess(flags);
  const dir = openWorkdir(sandbox.url);
  dir.write('leads.csv', csv(people(1)));
  expect((await dir.sluice(ENRICH)).code).toBe(0);
  dir.write('leads.csv', csv(people(count)));
  return {
    sandbox,
    dir,
    json: async (command: string) => JSON.parse((await dir.sluice(command)).stdout),
  };
}

describe.concurrent('a cap of an account', () => {
  test('is never passed, is named wherever the run is told of, and once it is raised the run goes on', async () => {
    const { dir, json, sandbox } = await openShop();
    const set = await dir.sluice(
      `caps set --day 22 --month 1000 --time-zone Europe/Vienna ${STATE}`,
      { env: { SLUICE_URL: '' } },
    );
    expect(set.stdout).toMatch(
      /id-[0-9a-f]{32}, last used by leads\.csv +22 a day \(Europe\/Vienna\) +5 +0 +17 /,
    );
    const plan = await dir.sluice(`plan leads.csv --ask find_email --set rate=off ${STATE}`);
    expect(plan.stdout).toMatch(
      /^cap {13}22 credits a day \(Europe\/Vienna\): 5 spent, 0 reserved, 17 left until .*; may stop the run before the end$/m,
    );
    expect(plan.stdout).toMatch(/^cap {13}1,000 credits a month .*; enough, whatever is found$/m);
    expect(await dir.refusal(ENRICH, { code: 9 })).toMatch(
      /^The cap of 22 credits a day \(Europe\/Vienna\) left /,
    );
    const { charged } = await sandbox.ledger();
    expect(charged).toBeLessThanOrEqual(22);
    expect(charged).toBeGreaterThan(22 - 5);
    expect(dir.rows('out.csv')).toHaveLength(12);
    const status = (await dir.sluice(`status ${STATE}`)).stdout;
    expect(status).toContain('12 leads, stopped at cap\n');
    expect(status).toMatch(/^cap +22 credits a day \(Europe\/Vienna\): 20 spent, /m);
    expect(status).toMatch(
      /Run 2 stopped at the cap of 22 credits a day .*Start it as before.*it continues\.\n$/,
    );
    expect((await dir.sluice(`runs ${STATE}`)).stdout).toMatch(/2 +leads\.csv +stopped at cap /);
    expect(await json(`status --json ${STATE}`)).toMatchObject({
      state: 'stopped_at_cap',
      stopped_why: expect.stringContaining('The cap of 22 credits a day'),
      caps: [{ of: 'account', period: 'day', credits: 22, spent: 20, reserved: 0, left: 2 }, {}],
    });
    await dir.sluice(`caps set --day none ${STATE}`);
    expect(await json(`caps --ndjson ${STATE}`)).toMatchObject({
      last_job: 'leads.csv',
      caps: [{ period: 'month', credits: 1_000, time_zone: 'Europe/Vienna' }],
    });
    expect((await dir.sluice(ENRICH)).code).toBe(0);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 12, doubled: [] });
    expect(await json(`caps remove --json ${STATE}`)).toEqual({ removed: true });
    expect((await dir.sluice(`caps ${STATE}`)).stdout).toBe(
      'No account has a cap. One of a job (its key caps) is not listed here.\n',
    );
  });

  test('holds from the first run on, and is listed by its name, in the money in which it was set', async () => {
    const sandbox = await startSandboxProcess();
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(12)));
    const money = ['--month', '2 EUR', '--credit', '0.1 EUR', '--state', 'state.db'];
    const set = await dir.sluice(['caps', 'set', 'acme', '--day', '500', ...money]);
    expect(set.code).toBe(0);
    expect(set.stderr).toMatch(
      /^No run of this state has used the account acme yet\. The cap holds for jobs that have this account and the address of --url\./,
    );
    expect(set.stdout).toMatch(
      /^acme .* 500 a day \(UTC\) .*\n.*acme .* 2 EUR \(20\) a month \(UTC\) /m,
    );
    const run = await dir.sluice(`${ENRICH} --account acme`);
    expect(run.code).toBe(9);
    expect((await sandbox.ledger()).charged).toBe(20);
    // It is a cap of all jobs: no job's name stands beside it.
    expect(set.stdout).not.toContain('job');
    const again = await dir.sluice(`caps set acme --day none ${STATE}`);
    expect(again.stderr).toBe('');
    expect(JSON.parse((await dir.sluice(`caps --ndjson ${STATE}`)).stdout)).toMatchObject({
      account: expect.stringMatching(/^id-/),
      name: 'acme',
      caps: [{ period: 'month', credits: 20, stated: '2 EUR' }],
    });
  });

  test('counts what other jobs spend', async () => {
    const { dir, sandbox } = await openShop();
    const set = await dir.sluice(`caps set --month 50 ${STATE}`);
    // An account that no flag names is the one of the user name.
    expect(set.stdout).toMatch(/^sandbox +50 a month /m);
    dir.write('other.csv', csv(people(9, 100)));
    const other = 'enrich other.csv --out other-out.csv --ask find_email --set rate=off --quiet';
    await dir.sluice(`${other} ${STATE}`);
    expect((await dir.sluice(ENRICH)).code).toBe(9);
    const { charged } = await sandbox.ledger();
    expect(charged).toBeGreaterThan(45);
    expect(charged).toBeLessThanOrEqual(50);
  });
});

test('a cap of a job stops that job, and no other', async () => {
  const { dir, json, sandbox } = await openShop();
  dir.write(
    'jobs/nightly.yaml',
    'input: leads.csv\nout: nightly.csv\nask: [find_email]\nrate: off\ncaps: {day: 12, timezone: Asia/Tokyo}\n',
  );
  const stopped = await dir.sluice(`run nightly --quiet ${STATE}`);
  expect(stopped.code).toBe(9);
  expect(complaintOf(stopped)).toContain('12 credits a day (Asia/Tokyo)');
  expect(complaintOf(stopped)).toContain('raise caps in the job');
  expect((await sandbox.ledger()).charged).toBe(10);
  expect(await json(`status --json ${STATE}`)).toMatchObject({
    state: 'stopped_at_cap',
    caps: [{ of: 'job', period: 'day', credits: 12 }],
  });
  expect((await dir.sluice(ENRICH)).code).toBe(0);
  expect((await sandbox.ledger()).accepted).toBe(12);
});

test('caps in money hold by the price of a credit, which plan and summary tell', async () => {
  const { dir, json, sandbox } = await openShop();
  const args = ['caps', 'set', '--month', '2 EUR', '--credit', '0.09 EUR', '--state', 'state.db'];
  expect((await dir.sluice(args)).code).toBe(0);
  const { caps } = await json(`caps --ndjson ${STATE}`);
  expect(caps).toMatchObject([{ period: 'month', credits: 22.222, spent: 5 }]);
  dir.write(
    'jobs/nightly.yaml',
    'input: leads.csv\nout: nightly.csv\nask: [find_email]\nrate: off\ncredit: 0.09 EUR\ncaps: {day: 1 EUR}\n',
  );
  const plan = (await dir.sluice(`plan nightly ${STATE}`)).stdout;
  expect(plan).toMatch(/^money {11}4\.95 EUR at most$/m);
  expect(plan).toMatch(
    /^cap {13}2\.00 EUR a month \(UTC\): 0\.45 EUR spent, 0\.00 EUR reserved, 1\.55 EUR left /m,
  );
  expect(plan).toMatch(/^cap {13}1\.00 EUR a day/m);
  expect(await json(`plan nightly --json ${STATE}`)).toMatchObject({ money_max: '4.95 EUR' });
  const capped = await dir.refusal(`run nightly --quiet ${STATE}`, { code: 9 });
  expect(capped).toContain(
    'The cap of 1.00 EUR a day (UTC) left 0.10 EUR for a request that may cost 0.45 EUR',
  );
  expect((await dir.sluice(`runs ${STATE}`)).stdout).toMatch(/ 0\.45 EUR /);
  expect((await sandbox.ledger()).charged).toBe(10);
  expect((await dir.sluice(`status ${STATE}`)).stdout).toMatch(/^credits +5 {2}0\.45 EUR/m);
  expect(await json(`status --json ${STATE}`)).toMatchObject({ credits: 5, money: '0.45 EUR' });
});

test('a plan that has nothing to pay fears no cap, even one that is passed', async () => {
  const { dir } = await openShop(undefined, 1);
  await dir.sluice(`caps set --day 1 ${STATE}`);
  const { stdout } = await dir.sluice(`plan leads.csv --ask find_email ${STATE}`);
  expect(stdout).toMatch(/^credits {9}0, whatever is found$/m);
  expect(stdout).toMatch(
    /^cap {13}1 credit.* 5 spent, 0 reserved, 0 left .*; enough, whatever is found$/m,
  );
});

test('a command that cannot tell the account makes no state', async () => {
  const dir = openWorkdir();
  dir.write('old.csv', csv(people(1)));
  for (const command of ['caps set acme --day 5', 'known import old.csv']) {
    expect(await dir.refusal(command)).toMatch(
      /^No platform is named, and an account belongs to one: give --url/,
    );
  }
  expect(dir.files()).toEqual(['old.csv']);
});

describe('what is wrong is told in one sentence', async () => {
  const { dir } = await openShop(undefined, 2);

  test.each([
    [
      'caps set --day 0',
      /^--day wants a number of credits above 0, with three decimals at most, money like "6 EUR", or none\.$/,
    ],
    ['caps set --month -3', /^--month wants a number of credits above 0/],
    ['caps set --day 1.2345', /^--day wants a number of credits above 0/],
    ['caps set --day 5 --time-zone Mars/Base', /^--time-zone wants a name like UTC/],
    ['caps set', /^Say how much: --day CREDITS, --month CREDITS, or both\.$/],
    ['caps set --credit cheap --day 5', /^--credit wants money like "0\.012 EUR"\.$/],
    ['caps rise', /"sluice caps" does not know what to do with "rise"/],
  ])('%s', async (command, sentence) => {
    expect(await dir.refusal(`${command} ${STATE}`)).toMatch(sentence);
  });

  test.each([
    ['{day: 0}', /"caps\.day": a cap is a number of credits above 0/],
    ['{day: -1}', /"caps\.day": a cap is a number of credits above 0/],
    ['{day: 5, timezone: Mars}', /"caps\.timezone": a time zone is written like/],
    ['{}', /caps are \{day: CREDITS, month: CREDITS\}, or one of them/],
    ['{week: 5}', /week/],
    [
      '{day: 6 EUR}',
      /^A cap of 6 EUR is money, and what a credit costs is not stated: state the key credit/,
    ],
    ['{day: 6 EUR}\ncredit: 0.1 USD', /is in EUR, and a credit is priced in USD/],
    ['{day: 0.00001 EUR}\ncredit: 9 EUR', /buys no credit/],
  ])('caps: %s', async (caps, sentence) => {
    dir.write('jobs/bad.yaml', `input: leads.csv\nout: o.csv\nask: [find_email]\ncaps: ${caps}\n`);
    expect(await dir.refusal(`run bad ${STATE}`)).toMatch(sentence);
  });
});
