// sluice init: from a file of leads to a job that runs unchanged.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { hasTerminal, talk } from '../helpers/at-terminal.js';
import { MAIN } from '../helpers/command-line.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const HEADERS = 'Vorname,Nachname,Website,Notes';
const LEADS = [HEADERS, 'Eve1,Byron,firm1.com,x', 'Eve2,Byron,firm2.com,', ''].join('\n');

function withLeads(name = 'CRM Export.csv'): Workdir {
  return openWorkdir().write(name, LEADS);
}

function init(dir: Workdir, ...flags: string[]) {
  return dir.sluice(['init', 'CRM Export.csv', ...flags]);
}

describe.concurrent('sluice init --yes', () => {
  test('writes a job that is planned and run as it stands', async () => {
    const dir = withLeads();
    const made = await init(dir, '--yes');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toContain(
      'Columns: firstName = Vorname (guessed), lastName = Nachname (guessed), companyDomain = Website (guessed)',
    );
    expect(made.stdout).toContain('  sluice run crm-export ');
    expect(dir.files()).toEqual(['.env.example', 'CRM Export.csv', 'jobs/crm-export.yaml']);
    const planned = await dir.sluice('plan crm-export --json');
    expect(JSON.parse(planned.stdout)).toMatchObject({ leads: 2, to_pay: 2, credits_max: 10 });
    expect(await dir.sluice('run crm-export --quiet')).toMatchObject({ code: 0, stderr: '' });
    expect(dir.rows('data/out/crm-export.csv').map((row) => row['Notes'])).toEqual(['x', '']);
    expect(await dir.sluice('doctor crm-export')).toMatchObject({ code: 0, stderr: '' });
  });

  test('takes what the flags say, for a platform of its own', async () => {
    const sandbox = await startSandboxProcess();
    const dir = openWorkdir().write('leads.csv', csv(people(3)));
    const flags = `--ask find_email,verify_email --out table.ndjson --budget 100 --map email= --set rate=off --url ${sandbox.url}`;
    const small = await dir.sluice(
      `init leads.csv --yes --name small ${flags.replace('100', '3')}`,
    );
    expect(small.stdout).toContain('budget of 3 is too little for one request, which may cost 6');
    const made = await dir.sluice(`init leads.csv --yes --name nightly ${flags}`);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).not.toContain('too little');
    expect(made.stdout).toContain('verify_email needs email. Only the rest is asked for.');
    const job = dir.text('jobs/nightly.yaml');
    expect(job).toContain('\nask: [find_email, verify_email]\n');
    expect(job).toContain('\nbudget: 100\n');
    expect(job).toContain('\n  email: ""\n');
    expect(await dir.sluice('run nightly --quiet')).toMatchObject({ code: 0, stderr: '' });
    expect(await sandbox.ledger()).toMatchObject({ accepted: 3, doubled: [] });
  });

  test('reads the platform and its credentials from .env, which an own variable overrules', async () => {
    const sandbox = await startSandboxProcess();
    const dir = openWorkdir(undefined, {}).write('leads.csv', csv(people(2)));
    const own = { env: { SLUICE_URL: sandbox.url, SLUICE_USERNAME: 'sandbox' } };
    await dir.sluice('init leads.csv --yes', own);
    const said = 'SLUICE_URL=http://127.0.0.1:9\nSLUICE_USERNAME=nobody\nSLUICE_PASSWORD=sandbox\n';
    dir.write('.env', said);
    dir.write('jobs/other.yaml', 'input: leads.csv\nout: out.csv\nask: [find_email]\nrate: off\n');
    expect(await dir.sluice('run other --quiet', own)).toMatchObject({ code: 0, stderr: '' });
    expect(await sandbox.ledger()).toMatchObject({ accepted: 2 });
    expect((await dir.sluice('run other')).code).toBe(4);
  });

  test('overwrites nothing, and says how to', async () => {
    const dir = withLeads().write('jobs/crm-export.yaml', 'mine').write('.env.example', 'mine too');
    const refused = await init(dir, '--yes');
    expect(refused.code).toBe(2);
    expect(complaintOf(refused)).toMatch(/exists already, and nothing was written.*--force/);
    expect(dir.text('jobs/crm-export.yaml')).toBe('mine');
    const other = await init(dir, '--yes', '--name', 'other');
    expect(other.stdout).toContain('.env.example was there already, and is left as it is');
    expect(dir.text('.env.example')).toBe('mine too');
    expect((await init(dir, '--yes', '--force')).code).toBe(0);
    expect(dir.text('jobs/crm-export.yaml')).toContain('input: CRM Export.csv');
    expect(dir.text('.env.example')).toContain('SLUICE_PASSWORD=');
  });

  test('names the schema for an editor only where it lies in the folder', async () => {
    const dir = withLeads();
    await init(dir, '--yes');
    expect(dir.text('jobs/crm-export.yaml')).not.toContain('$schema');
    mkdirSync(dir.at('node_modules'));
    symlinkSync(fileURLToPath(new URL('../../', import.meta.url)), dir.at('node_modules/sluice'));
    await init(dir, '--yes', '--force');
    const [, place = ''] = /\$schema=(.*)/.exec(dir.text('jobs/crm-export.yaml')) ?? [];
    expect(existsSync(`${dirname(dir.at('jobs/crm-export.yaml'))}/${place}`)).toBe(true);
  });

  test('counts a column with the whole name as both names', async () => {
    const dir = openWorkdir().write('whole.csv', 'Name,Website\nAda Lovelace,e.example\n');
    expect(await dir.sluice('init whole.csv --yes --name whole')).toMatchObject({ code: 0 });
    expect(dir.text('jobs/whole.yaml')).toContain('fullName: Name');
    expect(await dir.sluice('plan whole --url sandbox')).toMatchObject({ code: 0 });
  });

  test.each<[string[], number, RegExp]>([
    [['--yes'], 2, /^Name your file of leads/],
    [['nope.csv', '--yes'], 3, /no input file nope\.csv/],
    [['-', '--yes'], 2, /^Standard input cannot be looked at/],
    [['leads.csv', '--yes', '--name', '../x'], 2, /^--name: /],
    [['leads.csv', '--yes', '--map', 'email=x'], 2, /does not have/],
    [
      ['odd.csv', '--yes'],
      2,
      /^Nothing could be asked: .*--map socialUrl=COLUMN.*Its columns are: Kunde, Ort\.$/,
    ],
    [
      ['names.csv', '--yes'],
      2,
      /^Nothing could be asked: find_email needs.*--map companyDomain=COLUMN.*columns are: Vorname, Nachname\.$/,
    ],
    [['leads.csv', '--yes', '--ask', 'find_emial'], 2, /^--ask: /],
    [['leads.csv', '--yes', '--out', 'leads.csv'], 2, /replace the/],
    [['leads.csv', '--yes', '--out', 'x.xls'], 2, /Sluice writes \.csv/],
    [['leads.csv', '--yes', '--url', 'https://a:b@c.io'], 2, /no place/],
    [['${x}.csv', '--yes'], 2, /^"\$\{x\}\.csv" cannot be used/],
    [['leads.csv'], 2, /^A question cannot be asked here.*Give --yes/],
  ])('refuses %j, and writes nothing', async (args, code, says) => {
    const dir = openWorkdir()
      .write('leads.csv', csv(people(1)))
      .write('${x}.csv', csv(people(1)))
      .write('odd.csv', 'Kunde,Ort\n1,2\n')
      .write('names.csv', 'Vorname,Nachname\nAda,Lovelace\n');
    const before = dir.files();
    const ended = await dir.sluice(['init', ...args]);
    expect(ended.code).toBe(code);
    expect(complaintOf(ended)).toMatch(says);
    expect(dir.files()).toEqual(before);
  });
});

describe.skipIf(!hasTerminal)('sluice init at a terminal', () => {
  const LINE = `'${process.execPath}' '${MAIN}' init 'CRM Export.csv'`;

  test('asks what it cannot know, and again where the answer will not do', async () => {
    const dir = withLeads();
    const { code, said } = await talk(dir.path, LINE, [
      ['[sandbox]: ', 'example.com\r'],
      ['[sandbox]: ', 'https://api.example.com/v1\r'],
      ['if it needs one: ', '\r'],
      ['[find_email]: ', 'social_enrichment, find_email\r'],
      ['[data/out/crm-export.csv]: ', '\r'],
      ['no limit): ', '500\r'],
      ['ask for them): ', 'https://leads.example.com\r'],
    ]);
    expect(code).toBe(0);
    expect(said).toContain('The base address is written like https://host/path');
    const job = dir.text('jobs/crm-export.yaml');
    expect(job).toContain('\nurl: https://api.example.com/v1\n');
    expect(job).toContain('\nask: [social_enrichment, find_email]\n');
    expect(job).toContain('\nbudget: 500\n');
    expect(job).toContain('\npublic-url: https://leads.example.com\n');
  });

  test('asks for columns that no header tells, until there is enough to ask with', async () => {
    const dir = openWorkdir().write('CRM Export.csv', LEADS.replace('Website', 'Kunde im Netz'));
    const { code, said } = await talk(dir.path, LINE, [
      ['[sandbox]: ', '\r'],
      ['[find_email]: ', 'find_email, verify_email\r'],
      ['the company website? (its number or name; Enter: none): ', '9\r'],
      ['the company website? (its number or name; Enter: none): ', '3\r'],
      ['the e-mail address? (its number or name; Enter: none): ', 'notes\r'],
      ['[data/out/crm-export.csv]: ', '\r'],
      ['no limit): ', '\r'],
    ]);
    expect(said).toContain('   3  Kunde im Netz');
    expect(said).toContain('"9", which the input does not have');
    expect(code).toBe(0);
    const job = dir.text('jobs/crm-export.yaml');
    expect(job).toContain('\n  companyDomain: Kunde im Netz\n');
    expect(job).toContain('\n  email: Notes\n');
  });

  test.each([
    ['Ctrl+C', '\u0003'],
    ['Ctrl+D', '\u0004'],
  ])('writes nothing after %s', async (_, key) => {
    const dir = withLeads();
    const { code, said } = await talk(dir.path, LINE, [
      ['[sandbox]: ', '\r'],
      ['[find_email]: ', key],
    ]);
    expect(code).toBe(130);
    expect(said).toContain('Stopped, and nothing was written.');
    expect(dir.files()).toEqual(['CRM Export.csv']);
  });
});
