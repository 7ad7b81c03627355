// One column with the whole name: split for a platform that wants two names, whole for one that takes it whole.
import { describe, expect, test } from 'vitest';
import { startServer } from '../helpers/counting-server.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { openWorkdir } from '../helpers/workdir.js';

const WHOLE = `Name,Website
Ada Lovelace,engines.example
"van Beethoven, Ludwig",music.example
Prof. Dr. Jane Goodall PhD,apes.example
Madonna,songs.example
,nobody.example
`;
const APART = `first_name,last_name,domain
Ada,Lovelace,engines.example
Ludwig,van Beethoven,music.example
Dr. Jane,"Goodall, PhD",apes.example
`;
const ASK = '--ask find_email --set rate=off --state state.db';

async function openShop() {
  const sandbox = await startSandboxProcess('--latency 50ms');
  const dir = openWorkdir(sandbox.url).write('whole.csv', WHOLE).write('apart.csv', APART);
  return { sandbox, dir, asked: ASK };
}

describe.concurrent('a column with the whole name', () => {
  test('is split where the platform wants two names, and is the same lead as in two columns', async () => {
    const { asked, dir, sandbox } = await openShop();
    const ended = await dir.sluice(`enrich whole.csv --out whole-out.csv ${asked}`);
    expect(ended.stderr).toContain('companyDomain = Website (guessed), fullName = Name (guessed)');
    const rows = dir.rows('whole-out.csv');
    expect(rows.map((row) => row['sluice_status'] === 'skipped')).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(rows[3]?.['sluice_reason']).toContain('fullName is left out: it could not be split');
    expect(rows[4]?.['sluice_reason']).not.toContain('fullName');
    expect(await sandbox.ledger()).toMatchObject({ accepted: 3 });

    const again = await dir.sluice(`enrich apart.csv --out apart-out.csv ${asked}`);
    expect(again.code).toBe(ended.code);
    const answers = (name: string) =>
      dir.rows(name).map((row) => [row['email'], row['sluice_status']]);
    expect(answers('apart-out.csv')).toEqual(answers('whole-out.csv').slice(0, 3));
    expect(await sandbox.ledger()).toMatchObject({ accepted: 3, doubled: [] });
  });

  test('is sent whole where the platform takes it alone, also a name of one word', async () => {
    const names: (string | null)[] = [];
    const server = await startServer((request, response) => {
      names.push(new URL(request.url ?? '', 'http://a').searchParams.get('name'));
      response.end('{"data": [{"data": {"find_email": {"email": "a@b.example"}}}]}');
    });
    const dir = openWorkdir(server.url).write('whole.csv', WHOLE).write('apart.csv', APART);
    const inputs = '{ firstName: null, lastName: null, fullName: name }';
    const atOnce = 'ticket: [], result: always, webhookUrl: null';
    const dialect = `enrich: { inputs: ${inputs}, ${atOnce} }\nresult: null\npeopleSchema: null\n`;
    dir.write('whole.yaml', dialect);
    const asked = `${ASK} --dialect whole.yaml`;
    await dir.sluice(`enrich whole.csv --out whole-out.csv ${asked} --map fullName=Name`);
    expect(dir.rows('whole-out.csv').map((row) => row['sluice_status'])).toEqual([
      ...Array.from({ length: 4 }, () => 'found'),
      'skipped',
    ]);
    expect(names).toHaveLength(4);
    expect(names).toContain('Madonna');
    await dir.sluice(`enrich apart.csv --out apart-out.csv ${asked}`);
    expect(names).toHaveLength(4);
  });

  test('is counted as both names by init, which writes it into the job', async () => {
    const { dir } = await openShop();
    const ended = await dir.sluice('init whole.csv --yes --name whole');
    expect(ended).toMatchObject({ code: 0 });
    expect(dir.text('jobs/whole.yaml')).toContain('fullName: Name');
    const plan = await dir.sluice('plan whole --state state.db');
    expect(plan.code).toBe(0);
  });
});
