// The state in a database: every command with postgres://… in the place of a state file.
import { afterAll, describe, expect, test } from 'vitest';
import { freePort } from '../helpers/free-port.js';
import { newState, type TestState } from '../helpers/postgres.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const FLAGS = '--ask find_email --out out.csv --set rate=off';

const states: TestState[] = [];
afterAll(() => Promise.all(states.map((state) => state.drop())));

async function stateOf(): Promise<TestState> {
  const state = await newState();
  states.push(state);
  return state;
}

interface Place {
  readonly dir: Workdir;
  /** `sluice LINE`, with the state in SLUICE_STATE. */
  readonly sluice: (line: string) => ReturnType<Workdir['sluice']>;
  readonly json: (line: string) => Promise<Record<string, unknown>>;
  readonly env: { readonly SLUICE_STATE: string };
}

async function placeOf(url: string, leads: number): Promise<Place> {
  const { address } = await stateOf();
  const env = { SLUICE_STATE: address };
  const dir = openWorkdir(url).write('leads.csv', csv(people(leads)));
  const sluice = (line: string) => dir.sluice(line, { env });
  return {
    dir,
    sluice,
    env,
    json: async (line) => {
      const { stdout, stderr } = await sluice(`${line} --json`);
      expect(stderr).toBe('');
      return JSON.parse(stdout) as Record<string, unknown>;
    },
  };
}

describe.concurrent('with its state in a database', () => {
  test('a file is planned, enriched, looked at, written again, and paid for once', async () => {
    const sandbox = await startSandboxProcess();
    const { dir, json, sluice } = await placeOf(sandbox.url, 31);
    expect(await json('plan leads.csv --ask find_email')).toMatchObject({ leads: 31, to_pay: 31 });
    const first = await sluice(`enrich leads.csv ${FLAGS}`);
    expect(first.stderr).toContain('The state in the database postgres://');
    expect(first.code).toBe(0);
    const table = dir.text('out.csv');
    expect(dir.rows('out.csv')).toHaveLength(31);
    expect(dir.files()).toEqual(['leads.csv', 'out.csv']);
    expect(await json('status')).toMatchObject({ run: 1, state: 'finished', leads: 31 });
    expect((await sluice('runs')).stdout).toMatch(/1 +leads\.csv +finished/);
    expect((await sluice('explain 1 2')).stdout).toContain('Eve1');
    await sluice('export 1 --out again.csv');
    expect(dir.text('again.csv')).toBe(table);
    expect(await json('plan leads.csv --ask find_email')).toMatchObject({ to_pay: 0 });
    expect((await sluice('retry 1 --only failed --ask-anew')).code).toBe(0);
    expect((await sluice(`enrich leads.csv ${FLAGS}`)).stderr).toContain('Continuing run 1');
    expect(await sandbox.ledger()).toMatchObject({ distinct: 31 });
    expect((await sluice('state prune --older-than 1d --yes')).code).toBe(0);
    expect((await sluice('state forget email=nobody@example.com --yes')).stdout).toContain(
      'nothing',
    );
  });

  test('a job file names it, doctor looks at it, and the sandbox in the process has a ledger', async () => {
    const { address } = await stateOf();
    const dir = openWorkdir(undefined, {}).write('leads.csv', csv(people(3)));
    const job = `input: leads.csv\nout: out.csv\nask: [find_email]\nurl: sandbox\nstate: "${address}"\n`;
    dir.write('jobs/night.yaml', job);
    expect((await dir.sluice('run night')).code).toBe(0);
    expect(dir.files()).toEqual([
      expect.stringMatching(/^data\/[0-9a-f]{12}-sandbox\.ndjson$/),
      'jobs/night.yaml',
      'leads.csv',
      'out.csv',
    ]);
    const doctor = await dir.sluice('doctor night');
    expect(doctor.stdout).toMatch(/ok +state_folder +The database .* answers \(PostgreSQL \d+/);
    expect(doctor.stdout).toMatch(/ok +state +postgres:.*, schema \d+\./);
    expect(doctor.stdout).toMatch(/ok +lock /);
    expect(doctor.stdout).toContain('Everything is ready for a run.');
    const ledger = dir.files()[0] ?? '';
    const onto = await dir.sluice(`export 1 --out ${ledger} --force --state ${address}`);
    expect(complaintOf(onto)).toContain("would replace the sandbox's ledger");
  });
});

describe.concurrent('a database that cannot be used is one sentence', () => {
  test('there is no state in it: what makes one, and once more does nothing', async () => {
    const { address } = await stateOf();
    const other = address.replace('schema=', 'schema=x');
    const dir = openWorkdir();
    const missing = await dir.sluice(['runs', '--state', other]);
    expect(missing.code).toBe(5);
    expect(complaintOf(missing)).toContain(`sluice state migrate --state '${other}'`);
    const again = await dir.sluice(['state', 'migrate', '--json', '--state', address]);
    expect(JSON.parse(again.stdout)).toEqual({ state: address, steps: 0, queue: true });
    const file = await dir.sluice('state migrate');
    expect(file.stdout).toContain('data/sluice.db is a file');
    expect(dir.files()).toEqual([]);
  });

  test.each([
    ['flag', 'plan leads.csv --ask find_email --state', undefined],
    ['variable', 'plan leads.csv --ask find_email', 'SLUICE_STATE'],
    ['job', 'run night', undefined],
    ['doctor', 'doctor --state', undefined],
    ['a new job', 'init leads.csv --yes --url sandbox --ask find_email --state', undefined],
  ])('a password in a %s is refused, and shown nowhere', async (_, line, variable) => {
    const address = 'postgres://ada:geheim@127.0.0.1:1/leads';
    const dir = openWorkdir('sandbox').write('leads.csv', csv(people(1)));
    dir.write('jobs/night.yaml', `input: leads.csv\nask: [find_email]\nstate: ${address}\n`);
    const words = line.split(' ');
    const { code, stdout, stderr } = await dir.sluice(
      line.endsWith('--state') ? [...words, address] : words,
      variable === undefined ? {} : { env: { [variable]: address } },
    );
    expect(code).not.toBe(0);
    expect(`${stdout}${stderr}`).toContain('contains a password');
    expect(`${stdout}${stderr}`).not.toContain('geheim');
    expect(dir.files()).toEqual(['jobs/night.yaml', 'leads.csv']);
  });

  test('nothing answers there', async () => {
    const dir = openWorkdir('sandbox').write('leads.csv', csv(people(1)));
    const address = `postgres://ada@127.0.0.1:${await freePort()}/leads`;
    const ended = await dir.sluice(`enrich leads.csv ${FLAGS} --state ${address}`);
    expect(ended).toMatchObject({ code: 5, stdout: '' });
    expect(complaintOf(ended)).toMatch(/cannot be used: nothing answers there\./);
    expect(dir.files()).toEqual(['leads.csv']);
  });
});
