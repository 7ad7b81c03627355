// Watching a run from beside it.
import { expect, test } from 'vitest';
import { isLong } from '../helpers/long.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, people } from '../helpers/workdir.js';

const ENRICH =
  'enrich leads.csv --out out.csv --ask find_email --state state.db --set rate=off --quiet';

test('status --watch tells how a run goes on, and ends with it', async () => {
  const sandbox = await startSandboxProcess('--latency 10s --sigma 0');
  const dir = openWorkdir(sandbox.url);
  dir.write('leads.csv', csv(people(5)));
  const run = dir.start(ENRICH);
  await sandbox.until(({ accepted }) => accepted >= 5, run);
  const watch = dir.start('status --watch --state state.db');
  const watchJson = dir.start('status --watch --json --state state.db');
  await watch.says('of 5 done');
  expect(await run.ended).toMatchObject({ code: 0 });
  const { code, stdout } = await watch.ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /run 1 of leads\.csv, working: 100 % sent {2}0 of 5 done {2}0 found {2}5 awaited/,
  );
  expect(stdout).toMatch(/Run 1 of leads\.csv: 5 leads, finished\n[^]*\n {2}found +4/);
  const looks = (await watchJson.ended).stdout.trim().split('\n');
  expect(JSON.parse(looks[0] ?? '')).toMatchObject({ state: 'working', may_be_charged: 25 });
  expect(JSON.parse(looks.at(-1) ?? '')).toMatchObject({ state: 'finished', leads: 5 });
});

test.runIf(isLong)(
  'status --watch stops at Ctrl+C, and the run goes on; and where no process works on it',
  async () => {
    const sandbox = await startSandboxProcess('--latency 60s --sigma 0');
    const dir = openWorkdir(sandbox.url);
    dir.write('leads.csv', csv(people(2)));
    const run = dir.start(ENRICH);
    await sandbox.until(({ accepted }) => accepted >= 2, run);
    const watch = dir.start('status 1 --watch --state state.db');
    await watch.says('of 2 done');
    watch.child.kill('SIGINT');
    expect(await watch.ended).toMatchObject({ code: 0, stderr: '' });
    expect(run.child.exitCode).toBeNull();

    const last = dir.start('status --watch --state state.db');
    await last.says('of 2 done');
    run.child.kill('SIGKILL');
    const { code, stdout } = await last.ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(/Run 1 of leads\.csv: 2 leads, cut off\n[^]*\n {2}awaiting +2/);
    expect(stdout).toMatch(/Run 1 was cut off: .*\n$/);
  },
);
