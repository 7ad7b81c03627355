// What a person asks about one line: why it is what it is, and what it cost.
import { describe, expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const FLAGS = '--ask find_email --set rate=off --state state.db --quiet';
const ENRICH = `enrich leads.csv --out out.csv ${FLAGS}`;

async function told(dir: Workdir, args: string) {
  const ended = await dir.sluice(`explain ${args} --state state.db --json`);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout) as Record<string, unknown>;
}

test('explain tells the whole story of a line, and who shares it', async () => {
  const dir = openWorkdir((await startSandboxProcess()).url);
  dir.write('leads.csv', csv([...people(2), 'EVE1,Byron,www.firm1.com']));
  await dir.sluice(ENRICH);
  const story = await told(dir, '1 2');
  expect(story).toMatchObject({
    status: 'found',
    cells: { first_name: 'Eve1', last_name: 'Byron', domain: 'firm1.com' },
    enrichment: {
      ask: ['find_email'],
      inputs: { firstName: 'Eve1', lastName: 'Byron', companyDomain: 'firm1.com' },
      sends: 1,
      lost_sends: 0,
      credits: 5,
      paid_for_this_line: true,
      shared_with: [{ run: 1, source: 'leads.csv', line: 4 }],
    },
  });
  expect(story['mapping']).toContainEqual({
    input: 'companyDomain',
    column: 'domain',
    guessed: true,
  });
  const text = (await dir.sluice('explain 1 4 --state state.db')).stdout;
  expect(text).toMatch(/^Line 4 of leads\.csv, in run 1 of leads\.csv: lead 3$/m);
  expect(text).toMatch(/Paid +nothing here: another line of this run paid 5 credits/);
  expect(text).toMatch(/lines +line 2/);
});

test('explain names the deliveries that brought the answer', async () => {
  const dir = openWorkdir((await startSandboxProcess()).url);
  dir.write('leads.csv', csv(people(2)));
  await dir.sluice(`${ENRICH} --collect webhook --set listen=0`);
  const stories = [await told(dir, '1 2'), await told(dir, '1 3')];
  const ids = stories.map(({ deliveries }) => deliveries as { delivery: number }[]);
  expect(ids.map((all) => all.length)).toEqual([1, 1]);
  expect(ids[0]?.[0]?.delivery).not.toBe(ids[1]?.[0]?.delivery);
});

describe('explain tells why', () => {
  test('a line was skipped, and why one became no lead', async () => {
    const dir = openWorkdir((await startSandboxProcess()).url);
    dir.write('leads.ndjson', '{"first_name":"Eve"}\nno json\n');
    await dir.sluice(`enrich leads.ndjson --out out.csv ${FLAGS}`);
    expect(await told(dir, '1 1')).toMatchObject({
      status: 'skipped',
      reason: expect.stringContaining('insufficient inputs'),
      enrichment: null,
    });
    const rejected = await told(dir, '1 2');
    expect(rejected).toMatchObject({ status: 'rejected', raw: 'no json', cells: null });
    expect(rejected['reason']).not.toBeNull();
  });

  test('it cannot tell: no such run, no such line, a line of several files', async () => {
    const dir = openWorkdir((await startSandboxProcess()).url);
    dir.write('part-a.csv', csv(people(1)));
    dir.write('part-b.csv', csv(people(1, 2)));
    await dir.sluice(`enrich part-*.csv --out out.csv ${FLAGS}`);
    const complain = (args: string) => dir.refusal(`explain ${args} --state state.db`);
    expect(await complain('9 2')).toContain('no run 9');
    const behind = await complain('1 7');
    expect(behind).toContain('part of the lead before it or past the end of the file. The lead');
    expect(behind).toContain('begins on line 2');
    expect(await complain('1 0')).toContain('counted from 1');
    expect(await complain('1 2')).toMatch(/--source, one of part-a\.csv, part-b\.csv/);
    expect(await complain('1 2 --source c.csv')).toContain('It read: part-a.csv, part-b.csv');
    expect(await told(dir, '1 2 --source part-b.csv')).toMatchObject({
      source: 'part-b.csv',
      lead: 2,
    });
  });
});
