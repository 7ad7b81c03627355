// Tables that other programs take up: narrow ones to merge back, and several that belong together.
import { readFileSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { openWorkdir, type Row } from '../helpers/workdir.js';

const sandbox = await startSandboxProcess();

const CRM = `first_name,last_name,domain,Record ID
Eve1,Byron,firm1.com,17
Eve2,Byron,firm2.com,18
Eve3,Byron,firm3.com,
Eve4,Byron,firm4.com,17
`;

describe.concurrent('a table to merge back', () => {
  test('can be written at any time; a run keeps its key', async () => {
    const dir = openWorkdir(sandbox.url).write('crm.csv', CRM);
    await dir.sluice('enrich crm.csv --ask find_email --out out.csv --key domain');
    expect(await dir.json('export 1 --out again.csv')).toMatchObject({
      rows: 4,
      key: { columns: ['domain'], empty: 0, repeated: 0 },
    });
    expect(dir.text('again.csv')).toBe(dir.text('out.csv'));
    const two = '--out two.csv --key last_name --key domain --columns email';
    expect((await dir.sluice(`export 1 ${two}`)).stdout).not.toContain('did not ask');
    const { stdout } = await dir.sluice('export 1 --out phones.csv --columns email,phone');
    expect(stdout).toContain('Run 1 did not ask for phone (find_phone): the column is probably');
    expect(dir.header('two.csv')).toEqual(['last_name', 'domain', 'email']);
  });

  test('is refused before anything is paid for where the input has no such column', async () => {
    const dir = openWorkdir(sandbox.url).write('crm.csv', CRM);
    const job = ['crm.csv', '--ask', 'find_email', '--out', 'out.csv', '--key', 'RecordId'];
    for (const command of ['plan', 'enrich']) {
      expect(await dir.refusal([command, ...job])).toContain(
        'key: the input has no column "RecordId". Did you mean "Record ID"?',
      );
    }
    expect(dir.files()).toEqual(['crm.csv']);
  });
});

const SOCIAL = ['--ask', 'find_email,social_enrichment', '--map', 'socialUrl=url'];
const OUT = [
  ['--out', 'people.csv'],
  ['--set', 'out.positions=positions.csv'],
  ['--set', 'out.companies=companies.csv'],
].flat();

/** Leads with a profile; the last one has neither name nor profile. */
function profiles(count: number): string {
  const rows = Array.from(
    { length: count },
    (_, n) =>
      `${n + 1},Eve${n + 1},Byron,firm${n + 1}.com,https://www.social.example/in/eve-${n + 1}`,
  );
  return ['id,first_name,last_name,domain,url', ...rows, `${count + 1},,,,`, ''].join('\n');
}

describe.concurrent('people, positions and companies', () => {
  test('are written together, and each refers to rows that are there', async () => {
    const dir = openWorkdir(sandbox.url).write('leads.csv', profiles(12));
    const ended = await dir.sluice(['enrich', 'leads.csv', ...SOCIAL, ...OUT, '--key', 'id']);
    expect(ended.code).toBe(0);
    const [people, positions, companies] = ['people', 'positions', 'companies'].map((name) =>
      dir.rows(`${name}.csv`),
    ) as [Row[], Row[], Row[]];
    expect(ended.stderr).toContain(`positions.csv (${positions.length} rows)`);
    expect(ended.stderr).toContain(`companies.csv (${companies.length} rows)`);
    expect(people.map((row) => row['lead_number'])).toEqual(
      Array.from({ length: 13 }, (_, n) => String(n + 1)),
    );
    const keys = companies.map((row) => row['company_key'] ?? '');
    expect(new Set(keys).size).toBe(keys.length);
    const known = new Set([...keys, '']);
    expect(positions.length).toBeGreaterThan(12);
    for (const row of positions) {
      const person = people[Number(row['lead_number']) - 1];
      expect(person).toMatchObject({ id: row['id'], enrichment_id: row['enrichment_id'] });
      expect(row['source_line']).toBe(String(Number(row['id']) + 1));
      expect(known).toContain(row['company_key']);
    }
    for (const row of people) expect(known).toContain(row['company_key']);
    // The latest position of a person, also beside the person.
    for (const row of positions.filter(({ position_number: at }) => at === '1')) {
      const person = people[Number(row['lead_number']) - 1];
      if (row['is_current'] === 'true') {
        expect(person?.['position_title']).toBe(row['position_title']);
      }
    }
    expect(dir.header('positions.csv')).not.toContain('credits');
    expect(dir.header('companies.csv')).not.toContain('credits');
  });

  test('are written again at any time, all or one, with the same bytes', async () => {
    const dir = openWorkdir(sandbox.url).write('leads.csv', profiles(5));
    const job = `input: leads.csv
out:
  people: out/p-{run}.csv
  positions: out/positions-{run}.csv
  companies: out/companies.ndjson.gz
ask: [social_enrichment]
map: {socialUrl: url}
`;
    dir.write('jobs/all.yaml', job).write('out/.keep', '');
    expect(await dir.sluice('run all')).toMatchObject({ code: 0 });
    const names = dir.files().filter((name) => name.startsWith('out/'));
    expect(names).toEqual([
      'out/.keep',
      'out/companies.ndjson.gz',
      'out/p-1.csv',
      'out/positions-1.csv',
    ]);
    const bytes = new Map(names.map((name) => [name, readFileSync(dir.at(name))]));
    for (const name of names) rmSync(dir.at(name));
    expect(await dir.json('export 1')).toMatchObject({
      out: 'out/p-1.csv',
      rows: 6,
      further: { positions: { out: 'out/positions-1.csv' } },
    });
    for (const [name, before] of bytes) {
      if (!name.endsWith('.keep')) expect(readFileSync(dir.at(name)), name).toEqual(before);
    }
    const one = await dir.sluice('export 1 --set out.companies=only.csv');
    // The sandbox makes up texts that turn their direction.
    const [said] = one.stdout.split('\n');
    expect(said).toBe(`only.csv: ${dir.rows('only.csv').length} rows`);
    expect(dir.files().filter((name) => !name.includes('/') && !name.startsWith('data'))).toEqual([
      'leads.csv',
      'only.csv',
    ]);
    expect(await dir.sluice('export 1 --out people.csv')).toMatchObject({ code: 0 });
    expect(readFileSync(dir.at('people.csv'))).toEqual(bytes.get('out/p-1.csv'));
  });
});
