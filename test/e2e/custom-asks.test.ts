// Asks that a dialect brings along, from the job file to the table: the sandbox sells them, and is the judge.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadDialect } from '../../src/config/load-dialect.js';
import { offeredAsks } from '../../src/dialect/forms.js';
import { freePort } from '../helpers/free-port.js';
import { inBrief } from '../helpers/long.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { RUN as CHAIN, type ChainStep, jobOf, openPlace } from '../helpers/waterfall.js';
import { csv, openWorkdir, people } from '../helpers/workdir.js';

const DIALECT = fileURLToPath(new URL('dialects/with-asks.yaml', import.meta.url));
const LEADS = Array.from({ length: 12 }, (_, n) => {
  const firm = n % 4;
  return `Eve${n},https://social.example/in/eve-${n},firm${firm}.example`;
});
const RUN =
  'enrich leads.csv --out out.csv --state state.db --quiet --set rate=off --set sandbox=true'.split(
    ' ',
  );

async function openShop() {
  const sandbox = await startSandboxProcess(`--latency 20ms --dialect ${DIALECT}`, 'off');
  const dir = openWorkdir(sandbox.url);
  dir.write('leads.csv', ['first,profile_url,Domain', ...LEADS, ''].join('\n'));
  const enrich = async (...flags: readonly string[]) => {
    const job = [...RUN, '--dialect', DIALECT, '--map', 'companyDomain=Domain', ...flags];
    const { stderr } = await dir.sluice(job, { env: { SLUICE_API_KEY: 'sandbox' } });
    expect(stderr.replace(/^sluice: Run .* got no answer .*\n/, '')).toBe('');
    return dir.rows('out.csv');
  };
  return { dir, enrich, sandbox };
}

describe.concurrent('an ask of a dialect', () => {
  test.each(inBrief(['single'], ['bulk']))(
    'is asked once for a company, sent %s',
    async (submit) => {
      const { dir, enrich, sandbox } = await openShop();
      const rows = await enrich('--ask', 'firm', '--submit', submit, '--collect', 'poll');
      const { accepted, charged, doubled } = await sandbox.ledger();
      expect({ accepted, doubled }).toEqual({ accepted: 4, doubled: [] });
      expect(rows.reduce((sum, row) => sum + Number(row['credits']), 0)).toBe(charged);
      const found = rows.filter((row) => row['sluice_status'] === 'found');
      expect(found.length).toBeGreaterThan(0);
      for (const row of found) {
        expect(row['firm_name']).not.toBe('');
        expect(row['firm_staff']).toMatch(/^\d+$/);
        expect(row['firm_share']).toMatch(/^\d+(\.\d+)?$/);
        expect(row['firm_listed']).toMatch(/^(true|false)$/);
      }
      const header = Object.keys(rows[0] ?? {});
      expect(header.filter((name) => /^(firm|job_change|email|social)_?/.test(name))).toEqual([
        'firm_name',
        'firm_staff',
        'firm_share',
        'firm_listed',
      ]);
      const { stdout } = await dir.sluice(['explain', '1', '2', '--state', 'state.db']);
      expect(stdout).toMatch(/Asked +firm\n/);
      expect(stdout).toMatch(/inputs +companyDomain = firm0.example\n/);
      // The same question again, in another table.
      const again = await enrich('--ask', 'firm', '--force');
      expect(again.map(({ credits }) => credits)).toEqual(again.map(() => '0'));
      expect(await sandbox.ledger()).toMatchObject({ accepted: 4 });
    },
  );

  test('goes with the standard asks, by webhook; its part of the answer is known to a narrower job', async () => {
    const { enrich, sandbox } = await openShop();
    const webhook = ['--collect', 'webhook', '--set', `listen=${await freePort()}`];
    const rows = await enrich('--ask', 'find_email,job_change', '--submit', 'single', ...webhook);
    expect(rows.some((row) => row['email'] !== '' && row['job_change_title'] !== '')).toBe(true);
    expect(rows.some((row) => row['email'] === '' && row['job_change_title'] !== '')).toBe(true);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 12, doubled: [] });
    const mails = await enrich('--ask', 'find_email', '--force');
    expect(await sandbox.ledger()).toMatchObject({ accepted: 12 });
    expect(mails.map(({ email }) => email)).toEqual(rows.map(({ email }) => email));
    expect(Object.keys(mails[0] ?? {})).not.toContain('job_change_title');
  });

  test('shows in plan, report and JSON, and stops at a budget', async () => {
    const { dir, enrich } = await openShop();
    const flags = ['--dialect', DIALECT, '--map', 'companyDomain=Domain', '--state', 'state.db'];
    const job = ['leads.csv', '--out', 'out.csv', '--ask', 'firm', ...flags];
    const plan = await dir.sluice(['plan', ...job], { env: { SLUICE_API_KEY: 'sandbox' } });
    expect(plan.stdout).toMatch(/to pay +4 {2}enrichments/);
    expect(plan.stdout).toMatch(/0 \(nothing found\) to 8 \(everything found\)/);
    await enrich('--ask', 'firm', '--report', 'report.html');
    expect(readFileSync(dir.at('report.html'), 'utf8')).toContain('firm_staff');
    const result = await dir.sluice(
      [...RUN, '--force', '--ask', 'job_change', '--budget', '1', ...flags.slice(0, 2)],
      { env: { SLUICE_API_KEY: 'sandbox' } },
    );
    expect(result.code).toBe(6);
  });

  test('is asked for alone if it is about a company, and forgotten with no person of it', async () => {
    const { dir, enrich, sandbox } = await openShop();
    const both = await dir.sluice([...RUN, '--dialect', DIALECT, '--ask', 'firm,find_email']);
    expect(both.stderr).toContain(
      'firm goes by the company alone, and together with find_email it would be paid for once for each person. Make one job for each.',
    );
    const rows = await enrich('--ask', 'firm');
    const person = ['socialUrl=https://social.example/in/eve-0', '--state', 'state.db', '--yes'];
    const forgotten = await dir.sluice(['state', 'forget', ...person]);
    expect(forgotten.stdout).toContain('1 lead');
    const again = await enrich('--ask', 'firm', '--force');
    expect(again.map((row) => row['firm_name'])).toEqual(rows.map((row) => row['firm_name']));
    expect(await sandbox.ledger()).toMatchObject({ accepted: 4 });
  });

  test.each(inBrief(['icypeas'], ['peopledatalabs-company', 'apollo', 'enrow', 'lemlist']))(
    'and every other one of %s is sold by the sandbox in the process, at the price of the dialect',
    async (name) => {
      const dialect = await loadDialect(name);
      const [ask = ''] = [...Object.keys(dialect.asks), ...offeredAsks(dialect)];
      const dir = openWorkdir('sandbox').write('leads.csv', csv(people(8)));
      const flags = ['--ask', ask, '--dialect', name, '--map', 'companyDomain=domain'];
      const line = ['enrich', 'leads.csv', '--out', 'out.csv', '--state', 'state.db', ...flags];
      await dir.sluice([...line, '--set', 'rate=off', '--quiet']);
      const found = dir.rows('out.csv').filter((row) => row['sluice_status'] === 'found');
      expect(found.length).toBeGreaterThan(0);
      expect(Number(found[0]?.['credits'])).toBe(dialect.prices[ask]);
    },
  );

  test('is refused where the dialect does not know it, before anything is sent', async () => {
    const { dir, sandbox } = await openShop();
    dir.write('job.yaml', 'input: leads.csv\nout: out.csv\nask: [firm]\n');
    const without = await dir.sluice(['run', 'job.yaml']);
    expect(without).toMatchObject({ code: 2 });
    expect(without.stderr).toContain(
      'job.yaml, line 3: "ask.0": "firm" is not known. Without a dialect that offers more',
    );
    const wrong = await dir.sluice([...RUN, '--dialect', DIALECT, '--ask', 'firms']);
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain(
      'ask: "firms" is none of find_email, verify_email, social_enrichment, find_phone, firm, job_change, which this dialect knows. Did you mean "firm"?',
    );
    expect(await sandbox.ledger()).toMatchObject({ accepted: 0 });
  });

  test('has columns for the where of a later step of a waterfall, whose dialect does not know it', async () => {
    const [first, second, third] = await Promise.all([
      startSandboxProcess('--latency 20ms', 'off'),
      startSandboxProcess(`--latency 20ms --dialect ${DIALECT}`, 'off'),
      startSandboxProcess('--latency 20ms', 'off'),
    ]);
    const steps: readonly ChainStep[] = [
      { name: 'first', url: first.url, ask: ['find_email'], more: 'dialect: plain.yaml' },
      { name: 'second', url: second.url, ask: ['firm'] },
      { name: 'third', url: third.url, ask: ['find_phone'], more: 'where: firm_staff > 0' },
    ];
    const dir = openPlace(steps, people(8)).write('plain.yaml', 'prices: {find_email: 5}\n');
    const job = jobOf(steps, `dialect: ${DIALECT}\nsandbox: true\n`);
    dir.write('job.yaml', job.replace('find_email, find_phone]', 'find_email, firm, find_phone]'));
    const planned = await dir.sluice('plan job.yaml --credentials accounts.yaml');
    expect(planned).toMatchObject({ code: 0, stderr: '' });
    expect(await dir.sluice(CHAIN)).toMatchObject({ code: 0, stderr: '' });
    const rows = dir.rows('out.csv');
    const known = rows.filter((row) => row['firm_staff'] !== '');
    expect(known.length).toBeGreaterThan(0);
    expect((await third.entries()).length).toBe(known.length);
  });
});
