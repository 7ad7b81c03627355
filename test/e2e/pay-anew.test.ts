// Leads that are known under another account of the same address: the user is asked before they are paid for again, and
// told how to keep what is known. And the guesses of earlier runs, which hold.
import { describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { hasTerminal, talk } from '../helpers/at-terminal.js';
import { MAIN } from '../helpers/command-line.js';
import { isLong } from '../helpers/long.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import {
  CREDENTIALS,
  complaintOf,
  csv,
  openWorkdir,
  people,
  type Workdir,
} from '../helpers/workdir.js';

const JOB = 'leads.csv --ask find_email --set rate=off';
const ENRICH = `enrich ${JOB} --out out.csv --quiet`;
const EMAILS = ['firstname,mail', 'Ada,ada@a.example', 'Bob,bob@b.example', ''].join('\n');
/** The same leads, with a heading that is guessed as one more input. */
const PROFILES = [
  'firstname,mail,linkedin',
  'Ada,ada@a.example,https://linkedin.com/in/ada',
  'Bob,bob@b.example,https://linkedin.com/in/bob',
  '',
].join('\n');

async function openShop(leads = csv(people(3)), flags?: string) {
  const sandbox = await startSandboxProcess(flags);
  return { sandbox, dir: openWorkdir(sandbox.url).write('leads.csv', leads) };
}

/** The flags that the complaint of an unattended command, or a plan, says keep what is known. */
function keptBy(said: string): string {
  const [, flags = ''] = /(?:paid with|for them with) (--[^(\n]*[^( \n])/.exec(said) ?? [];
  return flags;
}

async function runsIn(dir: Workdir): Promise<number> {
  return (await dir.sluice('runs --ndjson')).stdout.trimEnd().split('\n').length;
}

describe.concurrent('leads that are known under another account of the address', () => {
  test('are told by a plan, and not paid for while no user watches, until the advice is taken', async () => {
    const { dir, sandbox } = await openShop();
    expect(await dir.sluice(ENRICH)).toMatchObject({ code: 0, stderr: '' });
    const { charged } = await sandbox.ledger();
    const planned = await dir.sluice(`plan ${JOB} --account acme`);
    expect(planned.stdout).toMatch(
      /paid again +3 +leads among them that are known under another account; a run asks/,
    );
    expect(planned.stdout).toMatch(/ 3 as in run 1: nothing is paid with --account id-\w{32}\n/);
    const json = await dir.sluice(`plan ${JOB} --account acme --json`);
    const keep = keptBy(planned.stdout);
    expect(JSON.parse(json.stdout)).toMatchObject({
      to_pay: 3,
      paid_anew: [{ leads: 3, run: 1, keep }],
    });
    const refused = await dir.sluice(`${ENRICH} --account acme`);
    expect(refused.code).toBe(2);
    expect(complaintOf(refused)).toMatch(
      /^3 leads are known under another account of this address, and would be paid for again: --set pay-anew=true, .* says yes to that\. Nothing is paid for them with --account id-\w{32} \(3 as in run 1\)\.$/,
    );
    expect(keptBy(complaintOf(refused))).toBe(keep);
    const more = await dir.sluice(
      `${ENRICH.replace('--ask ', '--ask find_phone,')} --account acme`,
    );
    expect(complaintOf(more)).toMatch(/^3 leads are known under another account/);
    expect(await runsIn(dir)).toBe(1);
    expect(await dir.sluice(`${ENRICH} ${keep}`)).toMatchObject({ code: 0, stderr: '' });
    expect(await sandbox.ledger()).toMatchObject({ accepted: 3, charged, doubled: [] });
  });

  test('are not paid for with another user name or key either, before anything is sent', async () => {
    const { dir, sandbox } = await openShop();
    await dir.sluice(ENRICH);
    const { requests } = await sandbox.ledger();
    const other = await dir.sluice(ENRICH, { env: { ...CREDENTIALS, SLUICE_USERNAME: 'bob' } });
    expect(other.code).toBe(2);
    expect(complaintOf(other)).toContain('--account id-');
    const key = await dir.sluice(ENRICH, { env: { SLUICE_USERNAME: '', SLUICE_PASSWORD: 'key' } });
    expect(complaintOf(key)).toBe(complaintOf(other));
    expect((await sandbox.ledger()).requests).toEqual(requests);
  });

  test('are paid for where the job says so, once and without a question from then on', async () => {
    const { dir, sandbox } = await openShop();
    await dir.sluice(ENRICH);
    expect(await dir.sluice(`${ENRICH} --account acme --set pay-anew=true`)).toMatchObject({
      code: 0,
    });
    expect(await sandbox.ledger()).toMatchObject({ accepted: 6 });
    // Both accounts have them now.
    for (const account of ['', ' --account acme']) {
      expect(await dir.sluice(`${ENRICH}${account}`)).toMatchObject({ code: 0, stderr: '' });
    }
    expect(await sandbox.ledger()).toMatchObject({ accepted: 6 });
  });

  test.runIf(isLong)(
    'count alone: the new ones of a second account are asked for without a question',
    async () => {
      const { dir, sandbox } = await openShop();
      await dir.sluice(ENRICH);
      dir.write('theirs.csv', csv(people(2, 10)));
      const theirs =
        'enrich theirs.csv --ask find_email --set rate=off --out theirs-out.csv --account acme';
      expect(await dir.sluice(`${theirs} --quiet`)).toMatchObject({ code: 0, stderr: '' });
      dir.write('theirs.csv', csv([...people(2, 10), ...people(1)]));
      const refused = await dir.sluice(`${theirs} --quiet`);
      expect(complaintOf(refused)).toMatch(/^1 lead is known under another account/);
      expect(await sandbox.ledger()).toMatchObject({ accepted: 5 });
      // Another address is another platform.
      const { url } = await startSandboxProcess();
      const there = await dir.sluice(`${theirs} --quiet --url ${url}`);
      expect(there).toMatchObject({ code: 0, stderr: '' });
    },
  );

  test('are found in an input that can be read only once, and by a lookup', async () => {
    const { dir, sandbox } = await openShop();
    await dir.sluice(ENRICH);
    const piped = 'enrich - --ask find_email --set rate=off --out piped.csv --quiet --account acme';
    const refused = await dir.sluice(piped, { stdin: csv([...people(1, 20), ...people(3)]) });
    expect(refused.code).toBe(2);
    expect(complaintOf(refused)).toMatch(/^3 leads are known under another account/);
    // Few of those before are paid for, so that they take no time.
    const marked = people(500, 100).map((one, i) => `${one},${i < 5 ? 'yes' : 'no'}`);
    const long = [...marked, ...people(3).map((one) => `${one},yes`)];
    const late = await dir.sluice(
      [...piped.replace('acme', 'late').split(' '), '--where', 'ours = yes'],
      {
        stdin: csv(long).replace('domain', 'domain,ours'),
      },
    );
    expect(complaintOf(late)).toMatch(/^3 leads are known under another account/);
    await sandbox.ready();
    const { accepted } = await sandbox.ledger();
    const ada = 'lookup firstName=Eve1 lastName=Byron companyDomain=firm1.com --ask find_email';
    const asked = await dir.sluice(`${ada} --set rate=off --account acme`);
    expect(asked.code).toBe(2);
    expect(complaintOf(asked)).toMatch(/^1 lead is known under another account/);
    expect(await runsIn(dir)).toBe(2);
    const kept = await dir.sluice(`${ada} --set rate=off ${keptBy(complaintOf(asked))} --json`);
    expect(JSON.parse(kept.stdout)).toMatchObject({ source: 'cache', credits: 0 });
    expect(await sandbox.ledger()).toMatchObject({ accepted, doubled: [] });
  });

  test.skipIf(!hasTerminal)('are a question at a terminal', async () => {
    const { dir, sandbox } = await openShop();
    await dir.sluice(ENRICH);
    const env = `SLUICE_URL=${sandbox.url} SLUICE_USERNAME=sandbox SLUICE_PASSWORD=sandbox`;
    const line = `${env} '${process.execPath}' '${MAIN}' ${ENRICH} --account acme`;
    const no = await talk(dir.path, line, [['Pay for that? [y/N]', 'n\r']]);
    expect(no).toMatchObject({ code: 2 });
    expect(no.said).toContain('Nothing is paid for again, since the answer was no.');
    expect(await sandbox.ledger()).toMatchObject({ accepted: 3 });
    const yes = await talk(dir.path, line, [['Pay for that? [y/N]', 'y\r']]);
    expect(yes).toMatchObject({ code: 0 });
    expect(await sandbox.ledger()).toMatchObject({ accepted: 6 });
  });
});

describe.concurrent('a run that was cut off', () => {
  const SLOW = '--latency 3s --sigma 0';

  async function cutOff(flags = '') {
    const { dir, sandbox } = await openShop(csv(people(3)), SLOW);
    if (flags !== '') await dir.sluice(`${ENRICH} --limit 1`);
    const { accepted } = await sandbox.ledger();
    const run = dir.start(`${ENRICH}${flags}`);
    await sandbox.until((ledger) => ledger.accepted === accepted + 3, run);
    run.child.kill('SIGKILL');
    await run.ended;
    return { dir, sandbox };
  }

  test('is not begun anew under another account, and goes on by the advice', async () => {
    const { dir, sandbox } = await cutOff();
    const refused = await dir.sluice(`${ENRICH} --account acme`);
    expect(complaintOf(refused)).toMatch(/^3 leads are known under another account/);
    const more = await dir.sluice(`${ENRICH} ${keptBy(complaintOf(refused))}`);
    expect(more.stderr).not.toContain('known under');
    expect(await runsIn(dir)).toBe(1);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 3, doubled: [] });
  });

  test.runIf(isLong)('goes on under the answer that it began with', async () => {
    const { dir, sandbox } = await cutOff(' --account acme --set pay-anew=true');
    const store = openSqliteStore(dir.at('data/sluice.db'));
    expect(await store.findRun(2)).toMatchObject({ paysAnew: true });
    await store.close();
    const more = await dir.sluice(`${ENRICH} --account acme`);
    expect(more.stderr).not.toContain('known under');
    expect(await sandbox.ledger()).toMatchObject({ accepted: 4 });
  });
});

test('a job that another account ran, and one over a folder, leave out what is known alone', async () => {
  const { dir, sandbox } = await openShop();
  await dir.sluice(ENRICH);
  const keys = 'ask: [find_email]\nrate: off\naccount: acme\nstate: data/sluice.db\n';
  dir.write('jobs/nightly.yaml', `input: leads.csv\nout: nightly.csv\n${keys}`);
  const refused = await dir.sluice('run nightly --quiet');
  expect(refused.code).toBe(2);
  expect(complaintOf(refused)).toMatch(/^3 leads are known under another account/);
  dir.write('jobs/folder.yaml', `input: in/*.csv\nout: '{input}-out.csv'\n${keys}`);
  dir.write('in/a.csv', csv(people(3))).write('in/b.csv', csv(people(2, 10)));
  const planned = await dir.sluice('plan folder --json');
  expect(JSON.parse(planned.stdout)).toMatchObject({ to_pay: 5, paid_anew: [{ leads: 3 }] });
  const left = await dir.sluice('run folder --quiet');
  expect(left.code).toBe(2);
  expect(complaintOf(left)).toMatch(/^3 leads are known under another account/);
  expect(dir.rows('b-out.csv')).toHaveLength(2);
  expect(dir.has('a-out.csv')).toBe(false);
  expect(await sandbox.ledger()).toMatchObject({ accepted: 5, doubled: [] });
  dir.write('jobs/nightly.yaml', `input: leads.csv\nout: nightly.csv\npay-anew: true\n${keys}`);
  expect(await dir.sluice('run nightly --quiet')).toMatchObject({ code: 0, stderr: '' });
});

describe.concurrent('leads that are known under inputs that were guessed otherwise', () => {
  test('are known all the same, whatever further column is guessed or stated', async () => {
    const { dir, sandbox } = await openShop(EMAILS);
    const verify = 'leads.csv --ask verify_email --set rate=off';
    const job = `enrich ${verify} --out out.csv --quiet`;
    await dir.sluice(job);
    const { accepted } = await sandbox.ledger();
    dir.write('leads.csv', PROFILES);
    for (const map of ['', ' --map socialUrl=linkedin', ' --map socialUrl=']) {
      expect(await dir.sluice(job + map)).toMatchObject({ code: 0, stderr: '' });
    }
    expect(await sandbox.ledger()).toMatchObject({ accepted });
  });

  test('cost nothing where the earlier guess still holds: it stays', async () => {
    const { dir, sandbox } = await openShop('first_name,last_name,website\nAda,Byron,a.example\n');
    await dir.sluice(ENRICH);
    const both = 'first_name,last_name,website,domain';
    dir.write(
      'leads.csv',
      `${both}\nAda,Byron,a.example,b.example\nBob,Byron,b.example,c.example\n`,
    );
    const planned = await dir.sluice(`plan ${JOB}`);
    expect(planned.stdout).toContain('companyDomain = website (guessed)');
    expect(await dir.sluice(ENRICH)).toMatchObject({ code: 0, stderr: '' });
    expect(await sandbox.ledger()).toMatchObject({ accepted: 2, doubled: [] });
    // Another ask is paid for anyway: it is guessed for as in a new job.
    const other = await dir.sluice('plan leads.csv --ask social_enrichment');
    expect(other.stdout).toContain('companyDomain = domain (guessed)');
    // Of what includes it, the part that is known is not.
    const more = await dir.sluice(`plan ${JOB.replace('--ask ', '--ask find_phone,')}`);
    expect(more.stdout).toContain('companyDomain = website (guessed)');
    // What the user says holds.
    await dir.sluice(`${ENRICH} --map companyDomain=domain`);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 4 });
  });

  test('are known where a column comes late', async () => {
    const line = (i: number, more = {}) =>
      JSON.stringify({ firstName: `Eve${i}`, lastName: 'Byron', domain: `firm${i}.com`, ...more });
    const known = Array.from({ length: 3 }, (_, i) => line(i + 1));
    const { dir, sandbox } = await openShop('');
    dir.write('leads.ndjson', known.join('\n'));
    const words = 'enrich leads.ndjson --ask find_email --set rate=off --out out.csv --quiet';
    await dir.sluice(words);
    // Few of those before are paid for, so that they take no time.
    const fresh = Array.from({ length: 600 }, (_, i) => line(i + 100, { ours: i % 100 === 0 }));
    const last = line(1, { ours: true, linkedin: 'linkedin.com/in/eve1' });
    dir.write('leads.ndjson', [...fresh, last].join('\n'));
    const ended = await dir.sluice([...words.split(' '), '--where', 'ours']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(await sandbox.ledger()).toMatchObject({ accepted: 9, doubled: [] });
  });
});
