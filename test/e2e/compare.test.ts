// Two runs of a repeated job, and people who changed jobs in between: who moved.
import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readWorkbook } from '../helpers/read-workbook.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import {
  complaintOf,
  finishedRun,
  openPrepared,
  openWorkdir,
  type Workdir,
} from '../helpers/workdir.js';

const [stayed, moved] = [await startSandboxProcess(), await startSandboxProcess('--moved 0.5')];

const COUNT = 20;
const ASK = ['--ask', 'find_email,social_enrichment', '--json'];

function leads(from: number, to: number, domain = 'com'): string {
  const rows = Array.from({ length: to - from + 1 }, (_, i) => {
    const n = from + i;
    return `0035g${n},Eve${n},Byron,firm${n}.${domain}`;
  });
  return ['Record ID,first_name,last_name,domain', ...rows, ''].join('\n');
}

/** Before and after; the second run pays from another account, and reads changed leads. */
async function twoRuns(
  second = leads(2, COUNT) + '0035g32,Eve32,Byron,firm32.com\n',
): Promise<Workdir> {
  const dir = openWorkdir(stayed.url).write('leads.csv', leads(1, COUNT));
  const enrich = ['enrich', 'leads.csv', ...ASK, '--set', 'pay-anew=true'];
  expect(await dir.sluice([...enrich, '--out', 'before.csv'])).toMatchObject({ code: 0 });
  dir.write('leads.csv', second);
  const env = { SLUICE_URL: moved.url };
  expect(await dir.sluice([...enrich, '--out', 'after.csv'], { env })).toMatchObject({ code: 0 });
  return dir;
}

interface Told {
  readonly leads: Readonly<Record<string, number>>;
  readonly [field: string]: unknown;
}

describe('who moved', () => {
  test('is told in numbers, and a table that is the user’s alone', async () => {
    const dir = await twoRuns();
    const ended = await dir.sluice([
      'report',
      '--compare',
      '1',
      '2',
      '--key',
      'Record ID',
      '--changes',
      'moved.csv',
    ]);
    expect(ended).toMatchObject({ code: 0 });
    const rows = dir.rows('moved.csv');
    expect(ended.stdout).toContain(`moved.csv: ${rows.length} rows`);
    expect(statSync(dir.at('moved.csv')).mode & 0o777).toBe(0o600);
    // As the tables of both runs have it.
    const [before, after] = ['before.csv', 'after.csv'].map(
      (name) => new Map(dir.rows(name).map((row) => [row['Record ID'], row])),
    );
    for (const row of rows) {
      const [was, is] = [before?.get(row['Record ID']), after?.get(row['Record ID'])];
      expect(row['email_before']).toBe(was?.['email'] ?? '');
      expect(row['email_after']).toBe(is?.['email'] ?? '');
      expect(row['title_after']).toBe((is?.['position_title'] || is?.['social_occupation']) ?? '');
    }
    const told = (row: (typeof rows)[number]) => row['changes']?.split(',') ?? [];
    const companies = rows.filter((row) => told(row).includes('changed_company'));
    expect(companies.length).toBeGreaterThan(2);
    for (const row of companies) expect(row['company_after']).not.toBe(row['company_before']);
    expect(rows.filter((row) => told(row).includes('only_before'))).toHaveLength(1);
    expect(rows.filter((row) => told(row).includes('only_after'))).toHaveLength(1);
    expect(rows.at(-1)?.['Record ID']).toBe('0035g1');

    for (const person of ['Eve2', 'Byron', 'firm2']) expect(ended.stdout).not.toContain(person);
    const numbers = (await dir.json(
      'report --compare 1 2 --key domain --changes moved.xlsx',
    )) as Told;
    expect(numbers.leads).toMatchObject({ both: COUNT - 1, only_before: 1, only_after: 1 });
    expect(numbers).toMatchObject({
      company: { changed: companies.length },
      one_answer: 0,
      changes: { out: 'moved.xlsx', rows: rows.length },
    });
    const [sheet] = await readWorkbook(readFileSync(dir.at('moved.xlsx')));
    expect(sheet?.rows).toHaveLength(rows.length + 1);
    expect(statSync(dir.at('moved.xlsx')).mode & 0o777).toBe(0o600);

    const piped = await dir.sluice('report --compare 1 2 --changes - --json');
    expect(piped.stdout.split('\n')[0]).toMatch(/^asked_email,asked_social_url,/);
    expect(JSON.parse(piped.stderr) as Told).toMatchObject({ changes: { out: '-' } });
  });
});

test('who moved since the run before is told after each run of a job', async () => {
  const dir = openWorkdir(stayed.url)
    .write('leads.csv', leads(1, COUNT))
    .write(
      'jobs/people.yaml',
      [
        'input: leads.csv',
        'out: out.csv',
        'ask: [find_email, social_enrichment]',
        'pay-anew: true',
        'key: Record ID',
        'changes: changes-{run}.csv',
        'notify: {command: [sh, -c, cat >> told.ndjson], on: [moved]}',
      ].join('\n'),
    );
  const run = (url: string) => dir.sluice('run people --json', { env: { SLUICE_URL: url } });
  expect(JSON.parse((await run(stayed.url)).stdout)).toMatchObject({ changes: null });
  expect(dir.has('changes-1.csv')).toBe(false);

  dir.write('leads.csv', `${leads(2, COUNT)}0035g32,Eve32,Byron,firm32.com\n`);
  const second = JSON.parse((await run(moved.url)).stdout) as object;
  const rows = dir.rows('changes-2.csv');
  const kinds = rows.map((row) => row['changes'] ?? '');
  const company = kinds.filter((kind) => kind === 'changed_company').length;
  expect(second).toMatchObject({
    changes: { out: 'changes-2.csv', rows: rows.length, moved: company, since: 1 },
  });
  expect(company).toBeGreaterThan(2);
  // Each change has a line, those to another company first, and who is in one run alone last.
  expect(kinds.slice(0, company)).toEqual(kinds.filter((kind) => kind === 'changed_company'));
  expect(kinds.filter((kind) => kind.includes(','))).toEqual([]);
  expect(kinds.at(-1)).toBe('only_before');
  // As the comparison of both runs has them.
  await dir.sluice(['report', '--compare', '1', '2', '--key', 'Record ID', '--changes', 'all.csv']);
  const told = dir
    .rows('all.csv')
    .flatMap((row) => (row['changes'] ?? '').split(',').map((kind) => [row['Record ID'], kind]));
  const listed = rows.map((row) => [row['Record ID'], row['changes']]);
  const inOrder = (some: readonly unknown[]) => some.map(String).toSorted();
  expect(inOrder(listed)).toEqual(inOrder(told));
  expect(statSync(dir.at('changes-2.csv')).mode & 0o777).toBe(0o600);

  // All is known now.
  expect(JSON.parse((await run(moved.url)).stdout)).toMatchObject({
    changes: { out: 'changes-3.csv', rows: 0, moved: 0, since: 2 },
  });
  const notices = dir.text('told.ndjson').trimEnd().split('\n');
  expect(notices.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ run: 2 }]);
});

test('flags that do not go together are refused', async () => {
  const dir = await openPrepared(finishedRun);
  const said = async (args: string) =>
    complaintOf(await dir.sluice(args, { env: { SLUICE_STATE: 'state.db' } }));
  expect(await said('report 1 --key domain')).toContain('--key needs --compare');
  expect(await said('report 1 --changes x.csv')).toContain('--changes needs --compare');
  expect(await said('report 1 --compare 1 2')).toContain('two runs and no other');
  expect(await said('report --compare 1 1')).toContain('cannot be compared with itself');
  expect(await said('report --compare 1 7')).toContain('no run 7');
  expect(await said('report --compare 1 2 --out x.html')).toContain('leave out --out');
});
