// Several workers make the runs of several jobs and accounts, their state in one database, with a listener beside them.
// Workers are killed, or stand still for longer than a lease and go on; the server is stopped hard. In the end each run
// has finished once, every lead has its answer, nothing was paid for twice, and no window ever held more than the limit.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Running } from '../helpers/command-line.js';
import { freePort } from '../helpers/free-port.js';
import { newState } from '../helpers/postgres.js';
import { openServer, stopServer } from '../helpers/postgres-server.js';
import { type SandboxProcess, startSandboxProcess } from '../helpers/sandbox-process.js';
import { databaseSeriesGaps } from '../helpers/series-gaps.js';
import { csv, openWorkdir, people } from '../helpers/workdir.js';
import { createChance, IS_WHOLE, openSweep, PATIENCE_MS, sized, tick } from './sweep.js';

const WORKERS = sized(2, 4);
const LEADS = sized(15, 150);
const ROUNDS = sized(1, 5);
const RATE = '20/1s';
const LIMIT = 20;
/** Longer than a lease. */
const FROZEN_MS = 45_000;
const DOWN_MS = 5_000;
/** Between two blows. */
const CALM_MS = sized(1_000, 6_000);
/** Sends of one worker that can be under way at its death. */
const UNDER_WAY = 20;

type Blow = 'killed' | 'frozen' | 'server';
const BLOWS: readonly Blow[] = IS_WHOLE ? ['killed', 'killed', 'frozen', 'server'] : ['killed'];

const JOBS = [
  { name: 'one', account: 0, how: 'collect: poll\nsubmit: single\n' },
  { name: 'two', account: 0, how: 'collect: webhook\nsubmit: single\n' },
  { name: 'three', account: 1, how: 'collect: poll\nsubmit: bulk\n' },
] as const;

it(
  'runs of several workers end once, whatever happens to these',
  async () => {
    const sweep = openSweep('several workers', 'PostgreSQL');
    const chance = createChance(4);
    const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
    const server = await openServer(folder);
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        await playRound(round, { chance, server, sweep });
        sweep.save();
      }
    } finally {
      await stopServer(folder);
    }
    sweep.conclude();
  },
  PATIENCE_MS,
);

interface Round {
  readonly chance: () => number;
  readonly server: Awaited<ReturnType<typeof openServer>>;
  readonly sweep: ReturnType<typeof openSweep>;
}

async function playRound(round: number, { chance, server, sweep }: Round): Promise<void> {
  const state = await newState(server.address);
  const sandboxes = [
    await startSandboxProcess('--latency 300ms', RATE),
    await startSandboxProcess('--latency 300ms', RATE),
  ];
  const dir = openWorkdir();
  const port = await freePort();
  const env = {
    SLUICE_STATE: state.address,
    SLUICE_USERNAME: 'sandbox',
    SLUICE_PASSWORD: 'sandbox',
  };
  for (const [i, { account, how, name }] of JOBS.entries()) {
    const url = sandboxes[account]?.url ?? '';
    const webhook = how.includes('webhook') ? `listen: 127.0.0.1:${port}\nclaim-wait: 10s\n` : '';
    dir.write(`${name}.csv`, csv(people(LEADS, round * 10_000 + i * 1_000)));
    dir.write(
      `jobs/${name}.yaml`,
      `input: ${name}.csv\nask: [find_email]\nout: ${name}-out.csv\nurl: ${url}\nrate: ${RATE}\n${how}${webhook}`,
    );
  }
  const start = (): Running => dir.start(`worker --concurrency 3`, { env, isService: true });
  const listener = dir.start(`listen --listen 127.0.0.1:${port}`, { env, isService: true });
  await listener.says('Ctrl+C stops it');
  for (const { name } of JOBS) {
    const { code, stderr } = await dir.sluice(`enqueue ${name}`, { env });
    expect(code, stderr).toBe(0);
  }
  const workers = Array.from({ length: WORKERS }, start);
  let killed = 0;
  const strike = async (blow: Blow): Promise<void> => {
    const at = Math.floor(chance() * workers.length);
    const worker = workers[at] as Running;
    if (blow === 'killed') {
      worker.child.kill('SIGKILL');
      await worker.ended;
      killed += 1;
      workers[at] = start();
    } else if (blow === 'frozen') {
      worker.child.kill('SIGSTOP');
      await sleep(FROZEN_MS);
      worker.child.kill('SIGCONT');
      killed += 1;
    } else {
      await server.stopHard();
      await sleep(DOWN_MS);
      await server.start();
    }
    tick(sweep.struck, blow);
  };
  const blows: Blow[] = [];
  for (let n = 0; !(await areFinished(state.pool)); n += 1) {
    await sleep(CALM_MS * chance());
    const blow = BLOWS[Math.floor(chance() * BLOWS.length)] as Blow;
    if (n < sized(2, 6)) {
      blows.push(blow);
      await strike(blow);
    }
  }
  for (const one of [...workers, listener]) {
    one.child.kill('SIGTERM');
    const end = await one.ended;
    tick(sweep.exits, String(end.signal ?? end.code));
  }
  const where = `round ${round} (${blows.join(', ')})`;
  sweep.broken.push(
    ...(await judge(sandboxes, dir, state.pool, killed)).map((one) => `${where}: ${one}`),
  );
  for (const sandbox of sandboxes) sweep.accepted += (await sandbox.ledger()).accepted;
  sweep.lives += JOBS.length;
  sweep.leads += LEADS * JOBS.length;
  sweep.processes += WORKERS + killed;
  await state.drop();
}

type Pool = Awaited<ReturnType<typeof newState>>['pool'];

async function areFinished(pool: Pool): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ n: string }>(
      `SELECT count(*) AS n FROM runs WHERE state = 'finished'`,
    );
    return Number(rows[0]?.n) === JOBS.length;
  } catch {
    // The server is away.
    return false;
  }
}

async function judge(
  sandboxes: readonly SandboxProcess[],
  dir: ReturnType<typeof openWorkdir>,
  pool: Pool,
  killed: number,
): Promise<string[]> {
  const problems: string[] = [];
  for (const [i, sandbox] of sandboxes.entries()) {
    const { doubled, worstWindow } = await sandbox.ledger();
    if (doubled.length > 0) problems.push(`account ${i} was charged twice for ${doubled.length}`);
    if (worstWindow > LIMIT) problems.push(`account ${i} had ${worstWindow} requests in a window`);
  }
  const { rows } = await pool.query<{ job: string; n: string; finished: string }>(
    `SELECT job, count(*) AS n, count(*) FILTER (WHERE state = 'finished') AS finished FROM runs GROUP BY job`,
  );
  for (const { finished, job, n } of rows) {
    if (n !== '1' || finished !== '1') problems.push(`${job} has ${n} runs, ${finished} finished`);
  }
  let uncertain = 0;
  for (const { name } of JOBS) {
    const table = dir.rows(`${name}-out.csv`);
    if (table.length !== LEADS) problems.push(`${name} has ${table.length} rows`);
    const open = table.filter((row) => !ANSWERED.has(row['sluice_status'] ?? ''));
    uncertain += open.filter((row) => row['sluice_status'] === 'uncertain').length;
    const lost = open.filter((row) => row['sluice_status'] !== 'uncertain');
    if (lost.length > 0) problems.push(`${name} has ${lost.length} ${lost[0]?.['sluice_status']}`);
  }
  if (uncertain > killed * UNDER_WAY) problems.push(`${uncertain} are uncertain`);
  return [...problems, ...(await databaseSeriesGaps(pool))];
}

const ANSWERED: ReadonlySet<string> = new Set(['found', 'not_found', 'failed']);
