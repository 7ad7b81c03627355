// A copy of the state file while a run writes to it.
import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import {
  complaintOf,
  csv,
  finishedRun,
  openPrepared,
  openWorkdir,
  people,
} from '../helpers/workdir.js';

const ENRICH = 'enrich leads.csv --out out.csv --ask find_email --state state.db --quiet';

test('a backup is made while a run goes on, and can be looked at like any state file', async () => {
  const sandbox = await startSandboxProcess('--latency 300ms');
  const dir = openWorkdir(sandbox.url);
  dir.write('leads.csv', csv(people(30)));
  const run = dir.start(`${ENRICH} --set rate=8/1s`);
  await sandbox.until(({ accepted }) => accepted >= 10, run);
  const made = await dir.sluice('state backup copy.db --state state.db --json');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(run.child.exitCode).toBeNull();
  const { bytes } = JSON.parse(made.stdout) as { bytes: number };
  const copy = statSync(dir.at('copy.db'));
  expect(copy.size).toBe(bytes);
  expect(copy.mode & 0o777).toBe(0o600);
  expect(await dir.json('status --state copy.db')).toMatchObject({ run: 1, leads: 30 });
  expect(await run.ended).toMatchObject({ code: 0 });
  expect(await sandbox.ledger()).toMatchObject({ accepted: 30, doubled: [] });
  expect(dir.files().filter((name) => name.includes('partial'))).toEqual([]);
});

test('a backup overwrites nothing, and says what it cannot do', async () => {
  const dir = await openPrepared(finishedRun);
  const before = dir.text('out.csv');
  const complain = async (file: string, code: number) => {
    const ended = await dir.sluice(['state', 'backup', file, '--state', 'state.db']);
    expect(ended.code).toBe(code);
    return complaintOf(ended);
  };
  expect(await complain('out.csv', 2)).toContain('exists already');
  expect(await complain('state.db', 2)).toContain('would replace the state file state.db.');
  expect(await complain('state.db-wal', 2)).toContain('would replace the state file state.db.');
  expect(await complain('nowhere/copy.db', 5)).toContain('its folder does not exist');
  expect(dir.text('out.csv')).toBe(before);
});
