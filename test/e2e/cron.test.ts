// The samples of a nightly job, tried as cron and systemd would: their lines, their few variables, and no terminal.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { MAIN } from '../helpers/command-line.js';
import { COMMAND_MS } from '../helpers/patience.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string): string => readFileSync(`${ROOT}${name}`, 'utf8');

const sandbox = await startSandboxProcess();
const kills: (() => void)[] = [];
afterAll(() => {
  for (const kill of kills) kill();
});

/** The folder that the samples call /srv/leads, as docs/cron.md sets it up. */
function setUp(): Workdir {
  const dir = openWorkdir()
    .write('bin/sluice', `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`)
    .write('jobs/nightly.yaml', read('jobs/nightly.yaml'))
    .write('secrets/username', 'sandbox\n')
    .write('secrets/password', 'sandbox\n')
    .write('inbox/.keep', '')
    .write('out/.keep', '');
  chmodSync(dir.at('bin/sluice'), 0o755);
  return dir;
}

/** The text of a sample with the places and the platform of a test in it. */
const placed = (text: string, dir: Workdir, url: string): string =>
  text
    .replaceAll('/srv/leads', dir.path)
    .replaceAll('/usr/local/bin/sluice', dir.at('bin/sluice'))
    .replaceAll('/usr/local/bin', dir.at('bin'))
    .replaceAll('https://platform.example.com', url);

/** Does what cron does at the time: `/bin/sh -c`, from the home folder, and what it says would be mailed. */
function night(dir: Workdir, url: string) {
  const lines = placed(read('samples/cron/crontab'), dir, url)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const variables = lines.flatMap((line) => {
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  const [entry = ''] = lines.slice(variables.length);
  const [, command = ''] = /^30 4 \* \* \* (.*)$/.exec(entry) ?? [];
  expect(lines).toHaveLength(variables.length + 1);
  // To cron a percent sign is the end of a line.
  expect(command).toMatch(/^[^%]+$/);
  const child = spawn('/bin/sh', ['-c', command], {
    cwd: '/',
    env: { HOME: '/', LOGNAME: 'leads', SHELL: '/bin/sh', ...Object.fromEntries(variables) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let mail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      mail += text.toString();
    });
  }
  const ended = new Promise<{ code: number | null; mail: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, mail }));
  });
  let isEnded = false;
  child.on('exit', () => {
    isEnded = true;
  });
  const kill = () => {
    if (!isEnded && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  kills.push(kill);
  return { ended, kill };
}

describe.concurrent('the nights of the sample crontab', () => {
  test('are silent while all is well, and each file is done in one of them', async () => {
    const dir = setUp();
    dir.write('inbox/monday.csv', csv(people(2)));
    expect(await night(dir, sandbox.url).ended).toEqual({ code: 0, mail: '' });
    dir.write('inbox/tuesday.csv', csv(people(1, 3)));
    expect(await night(dir, sandbox.url).ended).toEqual({ code: 0, mail: '' });
    expect(await night(dir, sandbox.url).ended).toEqual({ code: 0, mail: '' });
    const date = new Date().toLocaleDateString('sv');
    const tables = dir.files().filter((path) => /^out\/[^.]/.test(path));
    expect(tables.map((path) => path.replace(/\d{4}-\d\d-\d\d/, 'DATE'))).toEqual([
      'out/monday-DATE-1.csv',
      'out/tuesday-DATE-2.csv',
    ]);
    expect(tables.every((path) => path.includes(date))).toBe(true);
    const told = dir.text('runs.ndjson').trimEnd().split('\n');
    expect(told.map((line): unknown => JSON.parse(line))).toMatchObject([
      { run: 1, exit_code: 0, leads: 2 },
      { run: 2, exit_code: 0, leads: 1 },
    ]);
  });

  test('mail one sentence where something is wrong, and what is wrong is the exit code', async () => {
    const dir = setUp().write('inbox/a.csv', csv(people(1, 31)));
    expect(await night(dir, sandbox.url).ended).toEqual({
      code: 1,
      mail: 'sluice: Run 1 of nightly: 1 of 1 lead got no answer (1 failed). "sluice status 1" says why.\n',
    });
    dir.write('inbox/b.csv', csv(people(1))).write('secrets/password', 'wrong');
    const refused = await night(dir, sandbox.url).ended;
    expect(refused).toMatchObject({ code: 4, mail: expect.stringMatching(/^sluice: .+\n$/) });
    // Found out, mended, and the next night goes on with the same run.
    dir.write('secrets/password', 'sandbox');
    expect(await night(dir, sandbox.url).ended).toEqual({ code: 0, mail: '' });
    expect(dir.files().filter((path) => /^out\/b-.*-2\.csv$/.test(path))).toHaveLength(1);
  });
});

describe('the sample units', () => {
  const analyze = (...args: string[]) =>
    spawnSync('systemd-analyze', args, { encoding: 'utf8', timeout: COMMAND_MS });
  const isThere = analyze('--version').status === 0;

  test.skipIf(!isThere)('are what systemd takes, without a complaint', () => {
    const dir = setUp();
    const names = [
      'sluice-nightly.service',
      'sluice-nightly.timer',
      'sluice-worker.service',
      'sluice-listen.service',
    ];
    for (const name of names) {
      dir.write(name, placed(read(`samples/systemd/${name}`), dir, sandbox.url));
    }
    const verified = analyze('verify', '--man=no', ...names.map((name) => dir.at(name)));
    const complaints = (verified.stdout + verified.stderr)
      .split('\n')
      .filter((line) => line.includes('sluice-'));
    expect(complaints).toEqual([]);
    expect(verified.status).toBe(0);
    const calendar =
      /^OnCalendar=(.*)$/m.exec(read('samples/systemd/sluice-nightly.timer'))?.[1] ?? '';
    expect(analyze('calendar', calendar).stdout).toContain('Next elapse');
  });

  test('name the user, the folders and the credentials of the crontab and of docs/cron.md', () => {
    const guide = read('docs/cron.md');
    const [unit, crontab] = ['systemd/sluice-nightly.service', 'cron/crontab'].map((name) =>
      read(`samples/${name}`),
    );
    const foldersOf = (text = ''): string[] =>
      [...new Set(text.match(/(?:\/srv|\/etc|\/var)\/[\w/.-]*\w/g))].toSorted();
    const folders = ['/srv/leads', '/srv/leads/secrets/password', '/srv/leads/secrets/username'];
    expect(foldersOf(unit)).toEqual(folders);
    expect(foldersOf(crontab)).toEqual(folders);
    const user = /^User=(.*)$/m.exec(unit ?? '')?.[1] ?? '';
    expect(crontab).toContain(`"crontab -u ${user} -e"`);
    expect(guide).toMatch(new RegExp(`^useradd .* ${user}$`, 'm'));
    const made = guide.split('\n').filter((line) => line.startsWith(`install -d -o ${user} `));
    expect(foldersOf(made.join('\n'))).toEqual(
      expect.arrayContaining(['/srv/leads', '/srv/leads/secrets']),
    );
  });

  test('start what cron starts', () => {
    const start = /^ExecStart=\S+\/(.*)$/m.exec(
      read('samples/systemd/sluice-nightly.service'),
    )?.[1];
    expect(read('samples/cron/crontab').trimEnd().endsWith(`&& ${start}`)).toBe(true);
  });
});

test.each(['nightly', 'worker', 'listen'])(
  'the unit of systemd for %s lets the state be written where docs/cron.md puts it',
  (name) => {
    const unit = read(`samples/systemd/sluice-${name}.service`);
    expect(unit).toContain('ProtectSystem=strict\n');
    expect(unit).toMatch(/^ReadWritePaths=\/srv\/leads$/m);
  },
);
