// Job files, what is said about runs, and two processes at once.
import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const sandbox = await startSandboxProcess();
const slow = await startSandboxProcess('--latency 60s');

const JOB = 'input: leads.csv\nout: out.csv\nask: [find_email]\n';
const ENRICH = 'enrich leads.csv --out out.csv --ask find_email';

function withJob(url = sandbox.url): Workdir {
  return openWorkdir(url)
    .write('leads.csv', csv(people(4)))
    .write('jobs/nightly.yaml', JOB);
}

describe.concurrent('a job', () => {
  test('runs by its name and by its path, as one job', async () => {
    // A folder of its name does not hide it.
    const dir = withJob().write('nightly/kept.txt', '');
    expect(await dir.sluice('run nightly')).toMatchObject({ code: 0 });
    expect(await dir.sluice('run jobs/nightly.yaml')).toMatchObject({ code: 0 });
    const runs = (await dir.sluice('runs --ndjson')).stdout.trimEnd().split('\n');
    expect(runs.map((line): unknown => JSON.parse(line))).toMatchObject([
      { run: 2, job: 'nightly', state: 'finished', credits: 0, from_cache: 4 },
      { run: 1, job: 'nightly', state: 'finished', credits: 20, from_cache: 0 },
    ]);
  });

  test('flags override its keys, and its keys the environment', async () => {
    const dir = withJob('http://127.0.0.1:1');
    dir.write('jobs/nightly.yaml', `${JOB}url: ${sandbox.url}\nlimit: 1\nstate: job.db\n`);
    const ended = await dir.sluice('run nightly --out other.ndjson --limit 2', {
      env: { SLUICE_STATE: 'environment.db' },
    });
    expect(ended.code).toBe(0);
    expect(dir.text('other.ndjson').trimEnd().split('\n')).toHaveLength(2);
    expect(dir.has('out.csv')).toBe(false);
    expect(dir.has('job.db')).toBe(true);
    expect(dir.has('environment.db')).toBe(false);
  });

  test('--quiet says nothing where all is well, and the one sentence where it is not', async () => {
    const dir = withJob();
    expect(await dir.sluice('run nightly --quiet')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const ended = await dir.sluice('run nightly -q --fresh-for 1ms', {
      env: { SLUICE_PASSWORD: 'guess' },
    });
    expect(ended.code).toBe(4);
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(complaintOf(ended)).toContain('refused the credentials');
  });

  test('the embedded sandbox needs no credentials and no server', async () => {
    const dir = openWorkdir().write('leads.csv', csv(people(2)));
    const env = { SLUICE_USERNAME: '', SLUICE_PASSWORD: '' };
    const line = `${ENRICH} --url sandbox --json`;
    const first = await dir.sluice(line, { env });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(first.stdout)).toMatchObject({ leads: 2, credits: 10 });
    expect(JSON.parse((await dir.sluice(line, { env })).stdout)).toMatchObject({ credits: 0 });
  });
});

describe.concurrent('what is said about runs', () => {
  test('a second process on a job is exit 75 with the pid of the first, and looking is free', async () => {
    const dir = withJob(slow.url);
    const first = dir.start('run nightly');
    await slow.until(({ accepted }) => accepted >= 4, first);

    const second = await dir.sluice('run nightly');
    expect(complaintOf(second)).toMatch(
      new RegExp(
        `^Process ${first.child.pid} on \\S+, since .+ is working on the job nightly with`,
      ),
    );
    expect(second).toMatchObject({ code: 75, stdout: '' });
    symlinkSync('data/sluice.db', dir.at('same.db'));
    expect(await dir.sluice('run nightly --state same.db')).toMatchObject({ code: 75 });

    // A run that works can be looked at, and its table written as far as it is known.
    const status = await dir.sluice('status --json');
    expect(JSON.parse(status.stdout)).toMatchObject({ state: 'working', leads: 4 });
    expect((await dir.sluice('runs')).stdout).toMatch(/1 +nightly +working/);
    expect(await dir.sluice('export 1 --out part.csv')).toMatchObject({
      code: 0,
      stdout: 'part.csv: 4 rows\n',
    });
    expect(dir.rows('part.csv').map((row) => row['sluice_status'])).toEqual(
      Array(4).fill('awaiting'),
    );

    // Another job with the same state file is not kept waiting.
    expect(await dir.sluice('plan leads.csv --ask find_email --json')).toMatchObject({ code: 0 });

    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(143);
  });

  test('a table can be written again after it was lost', async () => {
    const dir = withJob();
    await dir.sluice('run nightly');
    const table = dir.text('out.csv');
    dir.write('out.csv', 'no table of ours');
    expect(await dir.sluice('export 1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--force'),
    });
    dir.write('out.csv', '');
    expect(await dir.sluice('export 1')).toMatchObject({ code: 0, stdout: 'out.csv: 4 rows\n' });
    expect(dir.text('out.csv')).toBe(table);
    const report = await dir.sluice('export 1 --out again.csv --json');
    expect(JSON.parse(report.stdout)).toMatchObject({ out: 'again.csv', rows: 4, rejects: null });
  });
});
