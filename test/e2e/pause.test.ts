// Pausing a job: nothing new is sent, whoever starts it, and what is paid for comes in.
import { expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, csv, openWorkdir, people } from '../helpers/workdir.js';

const ENRICH = 'enrich leads.csv --out out.csv --ask find_email --state state.db --quiet';

test('a run whose job is paused sends nothing new, collects what is paid for, and says why it ends', async () => {
  const sandbox = await startSandboxProcess('--latency 1s --sigma 0');
  const dir = openWorkdir(sandbox.url);
  dir.write('leads.csv', csv(people(30)));
  const run = dir.start(`${ENRICH} --set rate=3/1s --set concurrency=2`);
  await sandbox.until(({ accepted }) => accepted >= 3, run);
  const paused = await dir.sluice('pause leads.csv --state state.db');
  expect(paused).toMatchObject({ code: 0, stderr: '' });
  expect(paused.stdout).toContain('Go on with: sluice resume leads.csv --state state.db\n');
  const { accepted } = await sandbox.ledger();
  const ended = await run.ended;
  expect(ended.code).toBe(8);
  expect(complaintOf(ended)).toMatch(/leads\.csv is paused .*\(sluice resume leads\.csv/);
  const stopped = await sandbox.ledger();
  // Two could be under way when it was paused.
  expect(stopped.accepted).toBeLessThanOrEqual(accepted + 2);
  expect(stopped.accepted).toBeLessThan(30);
  const statuses = dir.rows('out.csv').map((row) => row['sluice_status']);
  expect(statuses).toHaveLength(30);
  expect(new Set(statuses)).not.toContain('awaiting');
  expect(statuses.filter((status) => status === 'queued')).toHaveLength(30 - stopped.accepted);

  const status = await dir.sluice('status --state state.db --json');
  expect(JSON.parse(status.stdout)).toMatchObject({
    state: 'paused',
    paused_at: expect.any(String),
  });
  expect((await dir.sluice('status --state state.db')).stdout).toContain('sluice resume leads.csv');

  // Neither a restart nor another input gets around it.
  expect((await dir.sluice(`${ENRICH} --set rate=off`)).code).toBe(8);
  dir.write('leads.csv', csv(people(30, 0)));
  expect((await dir.sluice(`${ENRICH} --set rate=off`)).code).toBe(8);
  expect((await sandbox.ledger()).accepted).toBe(stopped.accepted);

  expect((await dir.sluice('resume 1 --state state.db')).stdout).toContain('may send again');
  expect((await dir.sluice('resume 1 --state state.db')).stdout).toMatch(
    /There is nothing to resume\. Run 2 is not finished\. Start it as before/,
  );
  expect((await dir.sluice(`${ENRICH} --set rate=off`)).code).toBe(0);
  expect(await sandbox.ledger()).toMatchObject({ doubled: [] });
});

test('a paused job with a blank in its name is resumed by what is told', async () => {
  const dir = openWorkdir((await startSandboxProcess()).url).write('my leads.csv', csv(people(1)));
  const line = ['enrich', 'my leads.csv', ...ENRICH.split(' ').slice(2)];
  await dir.sluice([...line, '--limit', '1']);
  const resume = "sluice resume 'my leads.csv'";
  expect((await dir.sluice('pause 1 --state state.db')).stdout).toContain(resume);
  expect((await dir.sluice('status --state state.db')).stdout).toContain(resume);
  dir.write('my leads.csv', csv(people(2)));
  expect(complaintOf(await dir.sluice(line))).toContain(resume);
});

test('a paused job that has nothing to send ends as ever; an unknown one cannot be paused', async () => {
  const dir = openWorkdir((await startSandboxProcess()).url);
  dir.write('leads.csv', csv(people(3)));
  await dir.sluice(ENRICH);
  expect((await dir.sluice('pause 1 --state state.db')).code).toBe(0);
  expect((await dir.sluice('pause 1 --state state.db')).stdout).toContain('already');
  expect((await dir.sluice(ENRICH)).code).toBe(0);
  const unknown = await dir.sluice('pause nightly --state state.db');
  expect(unknown.code).toBe(2);
  expect(complaintOf(unknown)).toContain('No job nightly has run');
  const resumed = await dir.sluice('resume leads.csv --json --state state.db');
  expect(JSON.parse(resumed.stdout)).toEqual({ job: 'leads.csv', paused: false, changed: true });
  expect((await dir.sluice('resume 1 --state state.db')).stdout).toMatch(
    /is not paused\. There is nothing to resume: it has no unfinished run\./,
  );
});
