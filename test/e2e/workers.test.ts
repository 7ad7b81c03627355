// Runs that workers make: read here, made by another process, and by the next one where that dies.
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDispatcher } from '../../src/app/queue/open-dispatcher.js';
import { NO_ENVIRONMENT } from '../../src/app/settings/environment.js';
import type { Running } from '../helpers/command-line.js';
import { COMMAND_MS } from '../helpers/patience.js';
import { testState } from '../helpers/postgres.js';
import { type SandboxProcess, startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const database = await testState();
const JOB = 'ask: [find_email]\nrate: off\n';
const until = { timeout: COMMAND_MS };
let sandbox: SandboxProcess;
let dir: Workdir;

beforeEach(async () => {
  await database.empty();
  // The queue is that of the test: what another has left in it is of another name.
  count += 1;
  env = {
    SLUICE_STATE: database.address,
    SLUICE_QUEUE: `${database.address}${count}`,
  };
  sandbox = await startSandboxProcess('--latency 300ms');
  dir = openWorkdir(sandbox.url);
  dir.write('leads.csv', csv(people(20)));
  dir.write('jobs/a.yaml', `input: leads.csv\nout: out/a.csv\n${JOB}`);
  dir.write('jobs/b.yaml', `input: more.csv\nout: out/b.csv\n${JOB}`);
  dir.write('more.csv', csv(people(80, 1_000)));
  dir.write('out/.keep', '');
});

let env: Record<string, string> = {};
let count = 0;
const sluice = (words: string) => dir.sluice(words, { env });
const started: Running[] = [];
const worker = (words = ''): Running => {
  const running = dir.start(`worker ${words}`.trim(), { env, isService: true });
  started.push(running);
  return running;
};
// One that is left would take the runs of the next test, whose state is the same.
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
});
const states = async (): Promise<string[]> => {
  const { stdout } = await sluice('runs --json');
  const lines = stdout.trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { state: string }).state);
};

describe('sluice enqueue', () => {
  it('reads the leads and sends nothing, without a password; a worker makes the run and writes its table', async () => {
    const reader = openWorkdir(sandbox.url, { SLUICE_USERNAME: 'sandbox' });
    reader.write('leads.csv', dir.text('leads.csv')).write('jobs/a.yaml', dir.text('jobs/a.yaml'));
    const said = await reader.write('out/.keep', '').sluice('enqueue a --json', { env });
    expect(JSON.parse(said.stdout)).toEqual({ job: 'a', run: 1, leads: 20, queued: true });
    expect((await sandbox.ledger()).accepted).toBe(0);
    const status = (await sluice('status')).stdout;
    expect(status).toContain('20 leads, queued');
    expect(status).toContain('Run 1 of a waits for a worker.');
    const started = worker();
    await started.says('Run 1 of a: finished.');
    expect((await sandbox.ledger()).accepted).toBe(20);
    expect(dir.rows('out/a.csv')).toHaveLength(20);
    started.child.kill('SIGTERM');
    expect((await started.ended).code).toBe(0);
  });

  it('leaves the table to sluice export where the worker writes none', async () => {
    await sluice('enqueue a');
    const started = worker('--no-tables');
    await started.says('Run 1 of a: finished.');
    expect(dir.has('out/a.csv')).toBe(false);
    expect((await sluice('export 1')).code).toBe(0);
    expect(dir.rows('out/a.csv')).toHaveLength(20);
  });

  it('refuses a table on standard output, before anything is read', async () => {
    const { code, stderr } = await sluice('enqueue a --out -');
    expect(code).toBe(2);
    expect(stderr).toContain('A worker has no standard output');
  });
});

describe('sluice worker', () => {
  it('gives its run back on SIGTERM, and another goes on at once', async () => {
    await sluice('enqueue b --rate 10/1s');
    const first = worker();
    await first.says('Run 1 of b: taken up.');
    await sandbox.until((ledger) => ledger.accepted > 20, first);
    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    const second = worker();
    await second.says('Run 1 of b: finished.');
    expect((await sandbox.ledger()).accepted).toBe(80);
    expect(dir.rows('out/b.csv')).toHaveLength(80);
  });

  it('two make two runs; one is killed with -9, and the other ends its run, with nothing paid twice', async () => {
    await sluice('enqueue b --rate 10/1s');
    const first = worker();
    await first.says('Run 1 of b: taken up.');
    const second = worker();
    await second.says('Taking runs');
    await sluice('enqueue a');
    await sandbox.until((ledger) => ledger.accepted > 30, first);
    first.child.kill('SIGKILL');
    await second.says('Run 1 of b: finished.');
    await expect.poll(states, until).toEqual(['finished', 'finished']);
    const ledger = await sandbox.ledger();
    expect(ledger.doubled).toEqual([]);
    const rows = dir.rows('out/b.csv');
    expect(rows).toHaveLength(80);
    expect(rows.filter((row) => row['status'] === '')).toEqual([]);
  });

  it('parks a run whose platform is away, and says so in runs', async () => {
    await sluice('enqueue a --url http://127.0.0.1:1');
    const started = worker();
    await started.says('Run 1 of a waits for');
    const { stdout } = await sluice('runs');
    expect(stdout).toMatch(/1 +a +parked /);
    expect(stdout).toMatch(/Run 1 of a is parked until .* \(UTC\)\. The platform/);
  });

  it('sends the notices of the job file beside it: where a run is parked first, and where it is finished', async () => {
    const notify = 'notify:\n  command: [sh, -c, cat >> told.ndjson]\n';
    dir.write('jobs/a.yaml', `${dir.text('jobs/a.yaml')}${notify}`);
    await sluice('enqueue a');
    await sluice('pause a');
    const started = worker();
    await started.says('Run 1 of a waits for 30 s');
    await sluice('resume a');
    await started.says('Run 1 of a: finished.');
    const told = () => dir.text('told.ndjson').trimEnd().split('\n');
    await expect.poll(() => told().length, until).toBe(2);
    expect(told().map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { run: 1, exit_code: 8, error: expect.stringContaining('paused') as string },
      { run: 1, state: 'finished', leads: 20, rows: 20, exit_code: 0, error: null },
    ]);
  });

  it('says in which folder it would write the table', async () => {
    await sluice('enqueue a');
    const elsewhere = openWorkdir(sandbox.url);
    const running = elsewhere.start('worker', { env, isService: true });
    started.push(running);
    await running.says(`This worker writes out/a.csv in ${elsewhere.path} on ${hostname()}.`);
    expect((await sluice('runs')).stdout).toContain(`in ${elsewhere.path}`);
  });

  it('parks a paused run, which resume wakes', async () => {
    await sluice('enqueue a');
    await sluice('pause a');
    const started = worker();
    await started.says('Run 1 of a waits for 30 s');
    expect(await states()).toEqual(['parked']);
    expect((await sluice('resume a')).stdout).toContain('A worker goes on with it.');
    await started.says('Run 1 of a: finished.');
  });

  it('leaves a job that is due to a worker that has its file, and says so once', async () => {
    const first = worker('--folder elsewhere');
    await first.says('Taking runs');
    const queue = await openDispatcher(env['SLUICE_QUEUE'] as string, NO_ENVIRONMENT);
    await queue.enqueue({ job: 'a', isFromFile: true });
    await queue.close();
    await first.says('The job a is due, and its file is not here');
    const second = worker();
    await second.says('Run 1 of a: finished.');
    first.child.kill('SIGTERM');
    const { stderr } = await first.ended;
    expect(stderr.split('its file is not here')).toHaveLength(2);
    expect(stderr).not.toContain('trouble');
  });

  it('leaves a run of another account alone', async () => {
    await sluice('enqueue a --account acme');
    const started = worker();
    await started.says('Taking runs');
    dir.write('accounts.yaml', 'accounts:\n  acme: { username: sandbox, password: sandbox }\n');
    const others = await dir.sluice('worker --credentials accounts.yaml', { env });
    expect(others.code).toBe(2);
    expect(others.stderr).toContain('chmod 600');
    await expect.poll(states, until).toEqual(['queued']);
    expect((await sandbox.ledger()).accepted).toBe(0);
  });
});

it('sluice schedule keeps what the jobs state, and writes it only where it has changed', async () => {
  const when = 'schedule: "0 2 * * *"\ntimezone: Europe/Vienna\n';
  dir.write('jobs/a.yaml', `input: leads.csv\nout: out/a.csv\n${JOB}${when}`);
  expect((await sluice('schedule')).stdout).toMatch(/^a is run at 0 2 \* \* \* \(Europe\/Vienna\)/);
  const again = await sluice('schedule --json');
  expect(JSON.parse(again.stdout)).toMatchObject({
    job: 'a',
    pattern: '0 2 * * *',
    timezone: 'Europe/Vienna',
    catch_up: 'one',
  });
  dir.write('jobs/a.yaml', `input: leads.csv\nout: out/a.csv\n${JOB}`);
  expect((await sluice('schedule')).stdout).toContain('a has no schedule any more');
  expect((await sluice('schedule --remove a')).code).toBe(2);
});
