// Runs that workers make: read here, made by another process, and by the next one where that dies.
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { describe, expect, it, type TestContext } from 'vitest';
import type { Running } from '../helpers/command-line.js';
import { freePort } from '../helpers/free-port.js';
import { COMMAND_MS } from '../helpers/patience.js';
import { csv, openWorkdir, people } from '../helpers/workdir.js';
import { openWorkerPlace, type WorkerPlace } from '../helpers/worker-place.js';

const JOB = 'ask: [find_email]\nrate: off\n';
/** A send that was under way at the kill is not repeated. */
const ENDED: ReadonlySet<string | undefined> = new Set([
  'found',
  'not_found',
  'failed',
  'uncertain',
]);
const until = { timeout: COMMAND_MS };

const ENQUEUE = 'enqueue a --json --report out/{job}-{run}.html';

async function placeOf(context: TestContext): Promise<WorkerPlace> {
  const place = await openWorkerPlace(context);
  place.dir
    .write('leads.csv', csv(people(20)))
    .write('jobs/a.yaml', `input: leads.csv\nout: out/a.csv\n${JOB}`)
    .write('more.csv', csv(people(40, 1_000)))
    .write('jobs/b.yaml', `input: more.csv\nout: out/b.csv\n${JOB}`)
    .write('out/.keep', '');
  return place;
}

describe.concurrent('sluice worker', () => {
  // First, because what it waits for most of its time is the clock.
  it('one of two is killed with -9, and the other ends both runs, with nothing paid twice', async (context) => {
    const { dir, sandbox, sluice, states, worker } = await placeOf(context);
    await sluice('enqueue b --set rate=10/1s');
    await sluice('enqueue a');
    const workers = [worker('--concurrency 1'), worker('--concurrency 1')];
    const first = await Promise.any(
      workers.map((one) => one.says('Run 1 of b: taken up.').then(() => one)),
    );
    const second = workers.find((one) => one !== first) as Running;
    await sandbox.until((ledger) => ledger.accepted > 10, first);
    first.child.kill('SIGKILL');
    await second.says('Run 1 of b: finished.');
    await context.expect.poll(states, until).toEqual(['finished', 'finished']);
    const ledger = await sandbox.ledger();
    expect(ledger.doubled).toEqual([]);
    expect(dir.rows('out/a.csv')).toHaveLength(20);
    const rows = dir.rows('out/b.csv');
    expect(rows).toHaveLength(40);
    const statuses = new Set(rows.map((row) => row['sluice_status']));
    expect([...statuses].filter((status) => !ENDED.has(status))).toEqual([]);
  });

  it('parks a run whose platform is away, and says so in runs and also with --quiet', async (context) => {
    const { sluice, worker } = await placeOf(context);
    await sluice('enqueue a --url http://127.0.0.1:1');
    const started = worker('--quiet --url http://127.0.0.1:1');
    await started.says('Run 1 of a waits for');
    const { stdout } = await sluice('runs');
    expect(stdout).toMatch(/1 +a +parked /);
    expect(stdout).toMatch(/Run 1 is parked until .* \(UTC\)\. The platform/);
    started.child.kill('SIGTERM');
    expect((await started.ended).stderr).toMatch(/^Run 1 of a waits for .*\n$/);
  });

  it('logs a run that it leaves to others, because nothing here states its platform', async (context) => {
    const { sluice, worker } = await placeOf(context);
    await sluice('enqueue a --url http://127.0.0.1:1');
    const started = worker('--log-level warn');
    await started.says('"warning":"worker_trouble"');
    started.child.kill('SIGTERM');
    const lines = (await started.ended).stderr.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { event: 'run.warned', message: expect.stringContaining('It is to ask http://127.0.0.1:1') },
    ]);
  });

  it('sends the notices of the job file beside it: where a run is parked first, and where it is finished', async (context) => {
    const { dir, sluice, worker } = await placeOf(context);
    const notify = 'notify:\n  command: [sh, -c, cat >> told.ndjson]\n';
    dir.write('jobs/a.yaml', `${dir.text('jobs/a.yaml')}${notify}`);
    await sluice('enqueue a');
    await sluice('pause a');
    const started = worker();
    await started.says('Run 1 of a waits for 30 s');
    await sluice('resume a');
    await started.says('Run 1 of a: finished.');
    const told = () => dir.text('told.ndjson').trimEnd().split('\n');
    await context.expect.poll(() => told().length, until).toBe(2);
    expect(told().map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { run: 1, exit_code: 8, error: expect.stringContaining('paused') as string },
      { run: 1, state: 'finished', leads: 20, rows: 20, exit_code: 0, error: null },
    ]);
  });

  it('says in which folder it would write the table', async (context) => {
    const { sandbox, sluice, worker } = await placeOf(context);
    await sluice('enqueue a');
    const elsewhere = openWorkdir(sandbox.url);
    const running = worker('', elsewhere);
    await running.says(`This worker runs in ${elsewhere.path} on ${hostname()}.`);
    expect((await sluice('runs')).stdout).toContain(`in ${elsewhere.path}`);
  });

  it('takes up a new budget while a worker works on the run, and nothing else', async (context) => {
    const { dir, env, sandbox, sluice, states, worker } = await placeOf(context);
    await sluice('enqueue b --set rate=1/1s --budget 190');
    const started = worker();
    await sandbox.until((ledger) => ledger.accepted > 2, started);
    const other = await dir.start('enqueue b --set rate=2/1s --budget 90', { env }).ended;
    expect(other.code).toBe(75);
    expect(other.stderr).toContain('Until then a new budget is taken up, where nothing else is');
    const { stdout } = await sluice('enqueue b --set rate=1/1s --budget 100');
    expect(stdout).toBe(
      'Run 1 of b is being worked on. It has a budget of 100 credits from its next look, in 5 seconds at most; until then it may send by the former one.\n',
    );
    await started.says('The budget of 100 credits left ');
    expect(await states()).toEqual(['parked']);
    expect((await sandbox.ledger()).charged).toBeLessThanOrEqual(100);
    await sluice('enqueue b --set rate=off --budget 300');
    await started.says('Run 1 of b: finished.');
    expect(dir.rows('out/b.csv')).toHaveLength(40);
  });

  it('leaves a run of another account alone', async (context) => {
    const { dir, env, sandbox, sluice, states, worker } = await placeOf(context);
    await sluice('enqueue a --account acme');
    const started = worker();
    await started.says('Taking runs');
    dir.write('accounts.yaml', 'accounts:\n  acme: { username: sandbox, password: sandbox }\n');
    const others = await dir.start('worker --credentials accounts.yaml', { env }).ended;
    expect(others.code).toBe(2);
    expect(others.stderr).toContain('chmod 600');
    await context.expect.poll(states, until).toEqual(['queued']);
    expect((await sandbox.ledger()).accepted).toBe(0);
  });
});

describe.concurrent('webhooks of runs that workers make', () => {
  const webhooksAt = (port: number, more = ''): string =>
    `input: leads.csv\nout: out/a.csv\n${JOB}collect: webhook\nlisten: 127.0.0.1:${port}\n${more}`;

  it('a listener that was killed comes back, whatever workers do meanwhile, and no result is lost', async (context) => {
    const { dir, env, sandbox, sluice, worker } = await placeOf(context);
    const port = await freePort();
    dir.write('jobs/a.yaml', webhooksAt(port));
    await sluice('enqueue a --set rate=10/1s');
    const listen = (): Running => {
      const listener = dir.start(`listen --listen ${port}`, { env, isService: true });
      context.onTestFinished(() => void listener.child.kill('SIGKILL'));
      return listener;
    };
    const first = listen();
    await first.says('Ctrl+C stops it');
    const running = worker();
    await sandbox.until((ledger) => ledger.accepted >= 5, running);
    first.child.kill('SIGKILL');
    await first.ended;
    // A worker that takes the port does so within seconds.
    const others = worker('--concurrency 1');
    await sandbox.until((ledger) => ledger.accepted >= 20, others);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
    await listen().says('Ctrl+C stops it');
    await running.says('Run 1 of a: finished.');
    const statuses = new Set(dir.rows('out/a.csv').map((row) => row['sluice_status']));
    expect([...statuses].filter((status) => status !== 'found' && status !== 'not_found')).toEqual(
      [],
    );
    expect(await sandbox.ledger()).toMatchObject({ accepted: 20, doubled: [] });
  });

  it('a port that another process has parks no run whose results come elsewhere', async (context) => {
    const { dir, env, sluice, worker } = await placeOf(context);
    const held = createServer(() => undefined);
    const taken = await freePort();
    held.listen(taken, '127.0.0.1');
    context.onTestFinished(() => void held.close());
    const port = await freePort();
    const listener = dir.start(`listen --listen ${port}`, { env, isService: true });
    context.onTestFinished(() => void listener.child.kill('SIGKILL'));
    await listener.says('Ctrl+C stops it');
    dir.write('jobs/a.yaml', webhooksAt(taken, `public-url: http://127.0.0.1:${port}\n`));
    await sluice('enqueue a');
    await worker().says('Run 1 of a: finished.');
    expect(dir.rows('out/a.csv')).toHaveLength(20);
  });

  it.for([
    ['a platform elsewhere', '--url https://platform.example.com', 'public-url'],
    ['any free port', '--set listen=0', 'listen:'],
  ] as const)(
    'are refused by enqueue, before anything is read: %s',
    async ([, flags, named], context) => {
      const { sluice } = await placeOf(context);
      const { code, stderr } = await sluice(`enqueue a --collect webhook ${flags}`);
      expect(code, stderr).toBe(2);
      expect(stderr).toContain(named);
      expect((await sluice('runs --ndjson')).stdout).toBe('');
    },
  );

  it('says where no listener is', async (context) => {
    const { sluice, worker } = await placeOf(context);
    const port = await freePort();
    await sluice(`enqueue a --collect hybrid --set deadline=2s --set listen=${port}`);
    const running = worker();
    await running.says(`start "sluice listen --listen 127.0.0.1:${port}" on this machine`);
    await running.says('Run 1 of a: finished.');
  });
});

describe.concurrent('sluice enqueue', () => {
  it('reads the leads and sends nothing, without a password; a worker makes the run and writes its table and its report', async (context) => {
    const { dir, env, sandbox, sluice, worker } = await placeOf(context);
    const reader = openWorkdir(sandbox.url, { SLUICE_USERNAME: 'sandbox' });
    reader.write('leads.csv', dir.text('leads.csv')).write('jobs/a.yaml', dir.text('jobs/a.yaml'));
    // It has no folder out: the worker has it.
    const said = await reader.start(ENQUEUE, { env }).ended;
    expect(JSON.parse(said.stdout)).toEqual({ job: 'a', run: 1, leads: 20, queued: true });
    expect((await sandbox.ledger()).accepted).toBe(0);
    const status = (await sluice('status')).stdout;
    expect(status).toContain('20 leads, queued');
    expect(status).toContain('Run 1 waits for a worker.');
    const started = worker();
    await started.says('Run 1 of a: finished.');
    expect((await sandbox.ledger()).accepted).toBe(20);
    expect(dir.rows('out/a.csv')).toHaveLength(20);
    expect(dir.text('out/a-1.html')).toContain('finished');
    started.child.kill('SIGTERM');
    expect((await started.ended).code).toBe(0);
  });

  it('leaves the table to sluice export where the worker writes none', async (context) => {
    const { dir, sluice, worker } = await placeOf(context);
    await sluice('enqueue a');
    const started = worker('--no-tables');
    await started.says('Run 1 of a: finished.');
    expect(dir.has('out/a.csv')).toBe(false);
    expect((await sluice('export 1')).code).toBe(0);
    expect(dir.rows('out/a.csv')).toHaveLength(20);
  });

  it('refuses a table on standard output, before anything is read', async (context) => {
    const { sluice } = await placeOf(context);
    const { code, stderr } = await sluice('enqueue a --out -');
    expect(code).toBe(2);
    expect(stderr).toContain('A worker has no standard output');
  });
});

it.concurrent('sluice schedule lists, and changes only by apply and remove, where there is a change', async (context) => {
  const { dir, sluice } = await placeOf(context);
  const when = 'schedule: "0 2 * * *"\ntimezone: Europe/Vienna\n';
  dir.write('jobs/a.yaml', `input: leads.csv\nout: out/a.csv\n${JOB}${when}`);
  const none = 'No job has a schedule.';
  expect((await sluice('schedule')).stdout).toContain(none);
  expect((await sluice('schedule apply')).stdout).toMatch(
    /^a is run at 0 2 \* \* \* \(Europe\/Vienna\)/,
  );
  expect((await sluice('schedule apply a')).stdout).not.toContain('is run at');
  const listed = await sluice('schedule --ndjson');
  expect(JSON.parse(listed.stdout)).toMatchObject({
    job: 'a',
    pattern: '0 2 * * *',
    timezone: 'Europe/Vienna',
    catch_up: 'one',
  });
  expect((await sluice('schedule remove a')).stdout).toContain('a has no schedule any more');
  expect((await sluice('schedule')).stdout).toContain(none);
  const again = await sluice('schedule remove a');
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('a has no schedule') });
  dir.write('jobs/a.yaml', `input: leads.csv\nout: out/a.csv\n${JOB}`);
  expect((await sluice('schedule a')).code).toBe(2);
});
