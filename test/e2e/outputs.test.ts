// Whatever a command writes replaces what Sluice itself wrote for that purpose, or what is not there, and nothing else.
import { spawnSync } from 'node:child_process';
import { chmodSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { canBeUnprivileged, MAIN } from '../helpers/command-line.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import {
  complaintOf,
  csv,
  openPrepared,
  openWorkdir,
  people,
  type Workdir,
} from '../helpers/workdir.js';

const sandbox = await startSandboxProcess();

const HEADER = 'first_name,last_name,domain';
const A = csv(people(2));
const B = csv(people(2, 3));
const ASK = '--ask find_email --set rate=off --quiet';

function open(): Workdir {
  return openWorkdir(sandbox.url).write('a.csv', A).write('b.csv', B);
}

/** To be prepared: a run over each file. */
async function runBoth(dir: Workdir): Promise<void> {
  dir.write('a.csv', A).write('b.csv', B);
  for (const name of ['a', 'b']) {
    await done(dir, `enrich ${name}.csv --out ${name}-out.csv --url ${sandbox.url} ${ASK}`);
  }
}

async function done(dir: Workdir, line: string): Promise<void> {
  expect(await dir.sluice(line), line).toMatchObject({ code: 0, stderr: '' });
}

/** Exit 2, one sentence, and every file as it was. */
async function refused(dir: Workdir, line: string, sentence: string): Promise<void> {
  const own = () =>
    dir
      .files()
      .filter((name) => !name.startsWith('data/'))
      .map((name) => [name, dir.text(name)]);
  const before = own();
  const ended = await dir.sluice(line);
  expect(complaintOf(ended), line).toContain(sentence);
  expect(ended.code, line).toBe(2);
  expect(own(), line).toEqual(before);
}

describe.concurrent('never replaced, not even with --force', () => {
  test('an input of the state file by the table of events', async () => {
    const dir = await openPrepared(runBoth);
    await refused(
      dir,
      'events --out a.csv --force',
      'The table of events a.csv would replace the input file a.csv of run 1. Name another file with --out',
    );
  });

  test('the input of another job by a table or an export', async () => {
    const dir = await openPrepared(runBoth, sandbox.url);
    const sentence = 'b.csv would replace the input file b.csv of run 2.';
    await refused(dir, `enrich a.csv --out b.csv ${ASK} --force`, sentence);
    await refused(dir, 'export 1 --out b.csv --force', sentence);
  });

  test('the job itself, another job, a dialect, and .env', async () => {
    const dir = open()
      .write('j.yaml', 'input: a.csv\nask: [find_email]\nout: j.yaml\n')
      .write('d.yaml', 'name: own\n')
      .write('jobs/other.yaml', 'input: a.csv\n')
      .write('.env', 'SLUICE_API_KEY=k\n');
    await refused(dir, 'run j.yaml', 'The table j.yaml would replace the job file j.yaml.');
    await refused(dir, 'run j.yaml --out jobs/other.yaml --force', 'the job file jobs/other.yaml.');
    await refused(dir, 'run j.yaml --out .env --force', 'the file of variables .env.');
    symlinkSync('d.yaml', dir.at('d.prom'));
    const other = `run j.yaml --out a-out.csv --set metrics-file=d.prom --dialect d.yaml --force`;
    await refused(dir, other, 'The metrics d.prom would replace the dialect file d.yaml.');
    expect(dir.has('data/sluice.db')).toBe(false);
  });

  test('the table of the files of a drop folder that are done', async () => {
    const dir = open().write('in/c.csv', csv(people(1, 5)));
    await done(dir, `enrich in/*.csv --out done.csv ${ASK}`);
    await done(dir, `enrich b.csv --out b-out.csv ${ASK}`);
    const sentence =
      'done.csv is the table of run 1, whose files are done and would not be in the new one. Move it away, or name another file with --out.';
    await refused(dir, `enrich b.csv --out done.csv ${ASK} --force`, sentence);
    await refused(dir, 'export 2 --out done.csv --force', sentence);
    await refused(dir, 'events --out done.csv --force', sentence);
    expect((await dir.sluice('export 1')).code).toBe(0);
  });
});

test.skipIf(process.platform === 'win32')(
  'a table that cannot be written to its end leaves the one that is there, and nothing beside it',
  async () => {
    const line = `,Byron,,${'x'.repeat(2_000)}`;
    const dir = open().write('long.csv', `${HEADER},note\n${`${line}\n`.repeat(230)}`);
    await dir.sluice(`enrich long.csv --out out.csv ${ASK}`);
    const [files, table] = [dir.files(), dir.text('out.csv')];
    expect(dir.rows('out.csv')).toHaveLength(230);
    // As on a full disk: no file may become longer.
    const words = ['-c', 'ulimit -f 128; exec "$@"', 'sh', process.execPath, MAIN, 'export', '1'];
    const { status, stderr } = spawnSync('sh', words, { cwd: dir.path, encoding: 'utf8' });
    expect(stderr).toContain('Writing out.csv failed');
    expect(status).toBe(5);
    expect(dir.text('out.csv')).toBe(table);
    expect(dir.files()).toEqual(files);
  },
);

test('a new job takes no place of what it lives on', async () => {
  const dir = open().write('jobs/.keep', '');
  const line = 'init a.csv --name n --url sandbox --yes';
  await refused(dir, `${line} --out jobs/n.yaml`, 'The table and the job would both be written');
  await refused(dir, `${line} --out a.csv --force`, 'would replace the input file a.csv.');
});

test.skipIf(!canBeUnprivileged)(
  'a folder that becomes read-only before the table is written is exit 5; the next command brings it, for nothing',
  async () => {
    const platform = await startSandboxProcess('--latency 1s');
    const dir = openWorkdir(platform.url).write('a.csv', A).write('out/.keep', '');
    chmodSync(dir.at('out'), 0o777);
    const asNobody = { isUnprivileged: true };
    const line = `enrich a.csv --out out/a.csv --state state.db ${ASK}`;
    const running = dir.start(line, asNobody);
    await platform.until(({ accepted }) => accepted >= 2, running);
    chmodSync(dir.at('out'), 0o555);
    const ended = await running.ended;
    expect(ended.code).toBe(5);
    expect(complaintOf(ended)).toMatch(
      /^The table cannot be written to "out\/a\.csv": no file can be made in the folder .*: it is not allowed\. .* All results are safe in the state: run the same command again when that is fixed, or write the table elsewhere with "sluice export 1 --out FILE"\.$/,
    );
    const shown = await dir.sluice('export 1 --out a-out.csv --state state.db', asNobody);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(dir.rows('a-out.csv')).toHaveLength(2);
    chmodSync(dir.at('out'), 0o777);
    expect(await dir.sluice(line, asNobody)).toMatchObject({ code: 0, stderr: '' });
    expect(dir.text('out/a.csv')).toBe(dir.text('a-out.csv'));
    expect(await platform.ledger()).toMatchObject({ accepted: 2, doubled: [] });
  },
);
