// Several workers make the runs of several jobs and accounts, their state in one database, with a listener beside them.
// Workers are killed, or stand still for longer than a lease and go on; the server is stopped hard, connections are cut,
// or are too few; the listener stands still, and another one waits for its port. A process that stands still has the port
// that a job names, whose results come elsewhere. In the end each run has finished once, every lead has its answer, nothing was paid for twice, and no window ever held
// more than the limit.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import type { Running } from '../helpers/command-line.js';
import { type Cut, openCutter } from '../helpers/connection-cutter.js';
import { freePort } from '../helpers/free-port.js';
import { newState } from '../helpers/postgres.js';
import { openServer, type Server, stopServer, USER } from '../helpers/postgres-server.js';
import { type SandboxProcess, startSandboxProcess } from '../helpers/sandbox-process.js';
import { readRuns } from '../helpers/state.js';
import { csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';
import { endsWell, judgeLedger, told } from './judge.js';
import {
  createChance,
  IS_WHOLE,
  openSweep,
  PATIENCE_MS,
  type Sweep,
  sized,
  tick,
} from './sweep.js';

const WORKERS = sized(2, 4);
const LEADS = sized(15, 150);
const ROUNDS = sized(1, 5);
const RATE = '20/1s';
const LIMIT = 20;
/** Longer than a lease. */
const FROZEN_MS = 45_000;
const DOWN_MS = 5_000;
/** For how long connections are cut, and which share of those that come to a COMMIT. */
const CUTTING_MS = 5_000;
const CUT_SHARE = 0.1;
/** What all processes together may have of the server, which is less than two workers need; and for how long. */
const FEW = 5;
const FEW_MS = 15_000;
/** For how long a listener has its port and does not answer. */
const SILENT_MS = 10_000;
/** Between two blows. */
const CALM_MS = sized(1_000, 6_000);
/** store, with one sentence: its database is away, and the next process goes on. */
const MAY_END_WITH: ReadonlySet<unknown> = new Set([5]);
const BLOWS_MAX = sized(2, 6);
/** A round that takes longer will not end. */
const ROUND_MS_MAX = 20 * 60_000;
const CONCURRENCY = 5;
const BULK_MAX = 10;

type Blow = 'killed' | 'frozen' | 'server' | 'cut' | 'few' | 'port';
const BLOWS: readonly Blow[] = IS_WHOLE
  ? ['killed', 'killed', 'frozen', 'server', 'cut', 'few', 'port']
  : ['killed'];

const JOBS = [
  { name: 'one', account: 0, submit: 'single', collect: 'poll' },
  { name: 'two', account: 0, submit: 'single', collect: 'webhook' },
  { name: 'three', account: 1, submit: 'bulk', collect: 'poll' },
  { name: 'elsewhere', account: 1, submit: 'single', collect: 'webhook' },
] as const;
/** A role that is counted, which the owner of the server is not. */
const ROLE = 'counted';

it(
  'runs of several workers end once, whatever happens to these',
  async () => {
    const sweep = openSweep('several workers', 'PostgreSQL');
    const chance = createChance(4);
    const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
    const server = await openServer(folder);
    try {
      await statements(server, `CREATE ROLE ${ROLE} LOGIN IN ROLE ${USER}`);
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
  readonly server: Server;
  readonly sweep: Sweep;
}

async function playRound(round: number, { chance, server, sweep }: Round): Promise<void> {
  const state = await newState(server.address);
  const sandboxes = [
    await startSandboxProcess('--latency 300ms', RATE),
    await startSandboxProcess('--latency 300ms', RATE),
  ];
  let isCutting = false;
  let areFew = false;
  const cutter = await openCutter(server.port, (): Cut | undefined => {
    if (!isCutting || chance() > CUT_SHARE) return undefined;
    return chance() < 0.5 ? 'before' : 'after';
  });
  const dir = openWorkdir();
  const [port, heldPort] = [await freePort(), await freePort()];
  const env = {
    SLUICE_STATE: state.address
      .replace(`${USER}@`, `${ROLE}@`)
      .replace(String(server.port), String(cutter.port)),
    SLUICE_USERNAME: 'sandbox',
    SLUICE_PASSWORD: 'sandbox',
  };
  dir.write('dialect.yaml', `bulk: { max: ${BULK_MAX} }\n`);
  for (const [i, { account, collect, name, submit }] of JOBS.entries()) {
    const url = sandboxes[account]?.url ?? '';
    const own = name === 'elsewhere' ? `${heldPort}\npublic-url: http://127.0.0.1:${port}` : port;
    const webhook = collect === 'webhook' ? `listen: 127.0.0.1:${own}\nclaim-wait: 10s\n` : '';
    dir.write(`${name}.csv`, csv(people(LEADS, round * 10_000 + i * 1_000)));
    dir.write(
      `jobs/${name}.yaml`,
      `input: ${name}.csv\nask: [find_email]\nout: ${name}-out.csv\nurl: ${url}\nrate: ${RATE}
submit: ${submit}\ncollect: ${collect}\nconcurrency: ${CONCURRENCY}\ndialect: dialect.yaml\n${webhook}`,
    );
  }
  const listenAt = (one: number): Running =>
    dir.start(`listen --listen 127.0.0.1:${one}`, { env, isService: true });
  let listener = listenAt(port);
  const holder = listenAt(heldPort);
  const workers: Running[] = [];
  let isOver = false;
  /** Its process, and as systemd does: another one where that ends by itself. */
  const startAt = (at: number): void => {
    const worker = dir.start(`worker --concurrency 3`, { env, isService: true });
    workers[at] = worker;
    sweep.processes += 1;
    void worker.ended.then((end) => {
      if (isOver || workers[at] !== worker) return undefined;
      tick(sweep.exits, String(end.signal ?? end.code));
      if (PARKED_FOR_PORT.test(end.stderr)) sweep.broken.push(`round ${round}: ${told(end)}`);
      // Too few connections are waited for.
      if (!endsWell(end, areFew ? new Set() : MAY_END_WITH))
        sweep.broken.push(`round ${round}: ${told(end)}`);
      startAt(at);
      return undefined;
    });
  };
  let killed = 0;
  const strike: Readonly<Record<Blow, () => Promise<void>>> = {
    killed: async () => {
      const at = Math.floor(chance() * workers.length);
      const worker = workers[at] as Running;
      startAt(at);
      worker.child.kill('SIGKILL');
      await worker.ended;
      killed += 1;
    },
    frozen: async () => {
      const { child } = workers[Math.floor(chance() * workers.length)] as Running;
      child.kill('SIGSTOP');
      await sleep(FROZEN_MS);
      child.kill('SIGCONT');
      killed += 1;
    },
    server: async () => {
      await server.stopHard();
      await sleep(DOWN_MS);
      await server.start();
    },
    cut: async () => {
      isCutting = true;
      await sleep(CUTTING_MS);
      isCutting = false;
    },
    few: async () => {
      areFew = true;
      await statements(
        server,
        `ALTER ROLE ${ROLE} CONNECTION LIMIT ${FEW}`,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${ROLE}'`,
      );
      await sleep(FEW_MS);
      await statements(server, `ALTER ROLE ${ROLE} CONNECTION LIMIT -1`);
      areFew = false;
    },
    port: async () => {
      const silent = listener;
      silent.child.kill('SIGSTOP');
      listener = listenAt(port);
      sweep.processes += 1;
      await listener.says('its end is waited for');
      await sleep(SILENT_MS);
      silent.child.kill('SIGKILL');
      await listener.says('Ctrl+C stops it');
    },
  };
  const blows: Blow[] = [];
  try {
    await Promise.all([listener, holder].map((one) => one.says('Ctrl+C stops it')));
    holder.child.kill('SIGSTOP');
    for (const { name } of JOBS) {
      const { code, stderr } = await dir.sluice(`enqueue ${name}`, { env });
      expect(code, stderr).toBe(0);
    }
    for (let at = 0; at < WORKERS; at += 1) startAt(at);
    const until = performance.now() + ROUND_MS_MAX;
    while (!(await areFinished(state.pool))) {
      if (performance.now() > until)
        throw new Error(`round ${round} (${blows.join(', ')}): no end`);
      await sleep(CALM_MS * chance());
      const blow = BLOWS[Math.floor(chance() * BLOWS.length)] as Blow;
      if (blows.length >= BLOWS_MAX) continue;
      blows.push(blow);
      await strike[blow]();
      tick(sweep.struck, blow);
    }
    isOver = true;
    for (const one of [...workers, listener]) {
      one.child.kill('SIGTERM');
      const end = await one.ended;
      tick(sweep.exits, String(end.signal ?? end.code));
      if (PARKED_FOR_PORT.test(end.stderr)) sweep.broken.push(`round ${round}: ${told(end)}`);
    }
  } finally {
    isOver = true;
    for (const { child } of [...workers, listener, holder]) child.kill('SIGKILL');
    cutter.close();
  }
  const where = `round ${round} (${blows.join(', ')})`;
  const problems = await judge(sandboxes, { dir, pool: state.pool, killed, sweep });
  sweep.broken.push(...problems.map((one) => `${where}: ${one}`));
  sweep.lives += JOBS.length;
  sweep.leads += LEADS * JOBS.length;
  await state.drop();
}

/** What a worker says of a run that it lets wait for a port. */
const PARKED_FOR_PORT = /^Run \d+ of \w+ waits for .*\b(?:port|listen)/m;

async function statements({ address }: Server, ...texts: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  for (const text of texts) await client.query(text);
  await client.end();
}

type Pool = Awaited<ReturnType<typeof newState>>['pool'];

async function areFinished(pool: Pool): Promise<boolean> {
  try {
    const finished = (await readRuns(pool)).filter(({ state }) => state === 'finished');
    return finished.length === JOBS.length;
  } catch {
    // The server is away.
    return false;
  }
}

interface Judged {
  readonly dir: Workdir;
  readonly pool: Pool;
  /** Processes that may have left something in doubt. */
  readonly killed: number;
  readonly sweep: Sweep;
}

async function judge(
  sandboxes: readonly SandboxProcess[],
  { dir, killed, pool, sweep }: Judged,
): Promise<string[]> {
  const problems: string[] = [];
  for (const [i, sandbox] of sandboxes.entries()) {
    const { accepted, doubled, worstWindow } = await sandbox.ledger();
    if (doubled.length > 0) problems.push(`account ${i} was charged twice for ${doubled.length}`);
    if (worstWindow > LIMIT) problems.push(`account ${i} had ${worstWindow} requests in a window`);
    sweep.accepted += accepted;
    sweep.doubled += doubled.length;
  }
  const runs = await readRuns(pool);
  for (const { name } of JOBS) {
    const states = runs.filter(({ job }) => job === name).map(({ state }) => state);
    if (states.join() !== 'finished') problems.push(`the runs of ${name} are ${states.join()}`);
  }
  for (const { account, name, submit } of JOBS) {
    const table = `${name}-out.csv`;
    const statuses = dir.rows(table).map((row) => row['sluice_status'] ?? '');
    if (statuses.length !== LEADS) problems.push(`${name} has ${statuses.length} rows`);
    const open = statuses.filter((status) => !ANSWERED.has(status));
    if (open.length > 0) problems.push(`${name} has ${open.length} that are ${open[0]}`);
    const accepted = (await sandboxes[account]?.entries()) ?? [];
    // A webhook may come when its run has ended.
    const { uncertain } = judgeLedger(dir, table, accepted, { mustClaim: () => false }, problems);
    // Sends of one process that can be under way at its death.
    const underWay = CONCURRENCY * (submit === 'bulk' ? BULK_MAX : 1);
    if (uncertain > killed * underWay) problems.push(`${name} has ${uncertain} uncertain`);
    sweep.uncertain += uncertain;
  }
  return problems;
}

const ANSWERED: ReadonlySet<string> = new Set(['found', 'not_found', 'failed', 'uncertain']);
