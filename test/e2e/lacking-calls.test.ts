// A dialect without hooks, lists, drafts and people schema, from the command line: nothing pretends that there are any.
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { answering, startServer } from '../helpers/counting-server.js';
import { csv, openWorkdir, people } from '../helpers/workdir.js';

const FILE = fileURLToPath(new URL('dialects/bare.yaml', import.meta.url));
const DIALECT = ['--dialect', FILE];
const RATE = ['--set', 'rate=off'];

/** A platform that must not be asked. */
async function untouched() {
  const server = await startServer(answering({}));
  const dir = openWorkdir(server.url).write('leads.csv', csv(people(3)));
  return { asked: server.asked, dir };
}

describe.concurrent('a dialect without a call', () => {
  test.each([
    ['hooks list', 'no hooks'],
    ['hooks add https://host.example/x', 'no hooks'],
    ['hooks remove hoo_1', 'no hooks'],
    ['lists create Warm', 'no contact lists'],
    ['lists add clt_1 leads.csv', 'no contact lists'],
    ['draft ctc_1 drf_1 --owner usr_1', 'no drafts'],
    ['schema people', 'no people schema'],
    ['schema people --check', 'no people schema'],
  ])('ends sluice %s before anything is sent', async (words, message) => {
    const { asked, dir } = await untouched();
    expect(await dir.refusal([...words.split(' '), ...DIALECT])).toContain(
      `This platform's dialect has ${message}`,
    );
    expect(asked).toEqual([]);
  });

  test('has no credits to show where it describes no account', async () => {
    const { asked, dir } = await untouched();
    expect(await dir.refusal('credits')).toContain('no account to ask for its credits');
    expect(asked).toEqual([]);
  });

  test.each([
    ['a list', ['--set', 'list.name=Warm'], 'no contact lists'],
    [
      'a registered webhook',
      [
        '--collect',
        'webhook',
        '--set',
        'callback=hook',
        '--set',
        'public-url=https://host.example',
      ],
      'no hooks',
    ],
  ])(
    'ends a job that wants %s, its plan too, before anything is sent',
    async (_, flags, message) => {
      const { asked, dir } = await untouched();
      const job = ['leads.csv', '--ask', 'find_email', ...DIALECT, ...flags];
      for (const line of [
        ['enrich', ...job, '--out', 'out.csv'],
        ['plan', ...job],
      ]) {
        expect(await dir.refusal(line)).toContain(`This platform's dialect has ${message}`);
      }
      expect(asked).toEqual([]);
      expect(dir.files()).toEqual(['leads.csv']);
    },
  );
});

test('a dialect that reads nothing by ticket is told of misses that no second look can confirm', async () => {
  const server = await startServer(answering({ data: { data: {} } }));
  const dir = openWorkdir(server.url).write('leads.csv', csv(people(3)));
  const enrich = { ticket: [], result: 'always', webhookUrl: null };
  const atOnce = { enrich, result: null, peopleSchema: null };
  const run = async (name: string, dialect: object) => {
    dir.write(`${name}.yaml`, JSON.stringify({ ...atOnce, ...dialect }));
    const line = `enrich leads.csv --out ${name}.csv --state ${name}.db --ask find_email --dialect ${name}.yaml`;
    const ended = await dir.sluice(line);
    expect(dir.rows(`${name}.csv`).map((row) => row['sluice_status'])).toEqual(
      people(3).map(() => 'not_found'),
    );
    expect(ended.code).toBe(0);
    return ended.stderr;
  };
  expect(await run('silent', {})).toContain('3 empty answers count at the only look');
  expect(await run('stated', { 'second-look': 'never' })).not.toContain('only look');
});

test('the account is the free question of doctor and run, and shows the balance', async () => {
  const server = await startServer(({ method }, response) => {
    const find_email = { email: 'a@b.example', status: 'deliverable' };
    const read = { credits_left: 500, data: [{ id: 'e-1', data: { find_email } }] };
    response.end(JSON.stringify(method === 'POST' ? { id: 'e-1' } : read));
  });
  const dir = openWorkdir(server.url).write('leads.csv', csv(people(1)));
  const credits = await dir.sluice(['credits', ...DIALECT, '--rate', 'off']);
  expect(credits).toMatchObject({ code: 0, stdout: 'The account has 500 credits left.\n' });
  const doctor = await dir.sluice(['doctor', ...DIALECT, '--json', '--rate', 'off']);
  expect(doctor.stdout).toMatch(/"check":"platform","verdict":"ok"/);
  const job = ['--ask', 'find_email', '--out', 'out.csv', '--quiet', ...DIALECT, ...RATE];
  expect(await dir.sluice(['enrich', 'leads.csv', ...job])).toMatchObject({ stderr: '' });
  expect(await dir.json(['credits', ...DIALECT, '--rate', 'off'])).toEqual({ credits: 500 });
  expect(server.asked).not.toContain('GET /v1/schema/people');
});

test('without a free question the doctor asks nothing, and says so', async () => {
  const { asked, dir } = await untouched();
  dir.write('none.yaml', 'peopleSchema: null\n');
  const { stdout } = await dir.sluice('doctor --dialect none.yaml --json');
  expect(stdout).toMatch(/"check":"platform","verdict":"skipped","says":"The dialect has no free/);
  expect(asked).toEqual([]);
});
