// A database that is full in the middle of a run, one that swallows every packet, and one that is not there.
import { afterAll, expect, it } from 'vitest';
import { openCutter } from '../helpers/connection-cutter.js';
import { freePort } from '../helpers/free-port.js';
import { newState, type TestState } from '../helpers/postgres.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { fillDisk } from '../helpers/state.js';
import { complaintOf, csv, openWorkdir, people } from '../helpers/workdir.js';

const states: TestState[] = [];
afterAll(() => Promise.all(states.map((state) => state.drop())));

async function stateOf(): Promise<TestState> {
  const state = await newState();
  states.push(state);
  return state;
}

it('a run whose database is full ends with a sentence, and goes on with nothing paid twice', async () => {
  const { address, pool } = await stateOf();
  const sandbox = await startSandboxProcess('--latency 300ms');
  const env = { SLUICE_STATE: address };
  const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(30)));
  const run = (rate: string) =>
    dir.start(`enrich leads.csv --ask find_email --out out.csv --set rate=${rate}`, { env });
  const first = run('5/500ms');
  await sandbox.until(({ accepted }) => accepted >= 6, first);
  const free = await fillDisk(pool);
  const ended = await first.ended;
  expect(complaintOf(ended)).toMatch(
    /^The database .* cannot be used: its disk is full\. Fix that/,
  );
  expect(ended.code).toBe(5);
  await free();
  const second = await run('off').ended;
  expect(second.stderr).toContain('Continuing run 1');
  const { accepted, doubled } = await sandbox.ledger();
  expect(doubled).toEqual([]);
  const rows = dir.rows('out.csv');
  expect(rows).toHaveLength(30);
  const uncertain = rows.filter((row) => row['sluice_status'] === 'uncertain');
  expect(accepted + uncertain.length).toBeGreaterThanOrEqual(30);
});

it('a command whose packets are swallowed ends with a sentence', async () => {
  const { address } = await stateOf();
  const url = new URL(address);
  const cutter = await openCutter(Number(url.port));
  url.port = String(cutter.port);
  cutter.swallow(true);
  const ended = await openWorkdir().sluice(['status', '--state', url.href]);
  cutter.close();
  expect(complaintOf(ended)).toMatch(/cannot be used: the connection failed \(.*time/);
  expect(ended.code).toBe(5);
});

it('enqueue ends with a sentence where nothing answers', async () => {
  const dir = openWorkdir('sandbox').write('leads.csv', csv(people(1)));
  const state = `postgres://ada@127.0.0.1:${await freePort()}/leads`;
  const line = [
    'enqueue',
    'leads.csv',
    '--ask',
    'find_email',
    '--out',
    'out.csv',
    '--state',
    state,
  ];
  expect(await dir.refusal(line, { code: 5 })).toMatch(
    /^The queue in postgres:.* cannot be opened: nothing answers there\. Fix that/,
  );
  expect(dir.files()).toEqual(['leads.csv']);
});

it('a worker says that its database has gone, and that it is back', async () => {
  const { address } = await stateOf();
  const sandbox = await startSandboxProcess('--latency 300ms');
  const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(20)));
  const queue = { SLUICE_QUEUE: address };
  const line = 'enqueue leads.csv --ask find_email --out out.csv --set rate=5/1s';
  expect((await dir.sluice(line, { env: { SLUICE_STATE: address, ...queue } })).code).toBe(0);
  const url = new URL(address);
  const port = await freePort();
  const serverPort = Number(url.port);
  url.port = String(port);
  let cutter = await openCutter(serverPort, undefined, port);
  const env = { SLUICE_STATE: url.href, ...queue };
  const worker = dir.start('worker', { env, isService: true });
  await sandbox.until(({ accepted }) => accepted >= 5, worker);
  cutter.close();
  await worker.says('The database has gone: nothing answers there.');
  cutter = await openCutter(serverPort, undefined, port);
  await worker.says('The database answers again');
  await worker.says('Run 1 of leads.csv: finished.');
  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(0);
  cutter.close();
  expect(await sandbox.ledger()).toMatchObject({ accepted: 20, doubled: [] });
});
