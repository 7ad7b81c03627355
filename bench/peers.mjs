// node bench/peers.mjs [NAME ...]: the same job by Sluice, by queues and by a crawler: a submit and a read for each lead,
// ticket and row kept, every commit on the disk, no limit, the sandbox a process of its own. First at full speed, then
// fewer leads with three `kill -9`, each at a quarter of the leads, and started again until nothing is left to do. What
// the sandbox accepted twice is paid twice. Needs `npm ci --prefix bench/peers` and `redis-server` (Debian's package).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import {
  AT_ONCE,
  CONCURRENCY,
  CREDENTIALS,
  inFolder,
  MAIN,
  measured,
  record,
  round,
  withSandbox,
  writeLeads,
} from './kit.mjs';
import { freePort, newState, openServer } from './postgres-server.mjs';

const LEADS = Number(process.env.LEADS ?? 20_000);
const KILLED_LEADS = LEADS / 4;
const script = (name) => fileURLToPath(new URL(`peers/${name}.mjs`, import.meta.url));

/** Each: `open(folder)` gives `{ start(input, url, output) → arguments of node, env?, close() }` with an empty store. */
const PEERS = {
  sluice: async (folder) => ({
    start: (...files) => sluice(join(folder, 'state.db'), ...files),
    close: async () => undefined,
  }),
  'sluice-postgres': async (folder) => {
    const server = await openServer(folder);
    const state = await newState(server.address);
    return { start: (...files) => sluice(state, ...files), close: server.stop };
  },
  'graphile-worker': (folder) => onPostgres('graphile-worker', folder),
  'pg-boss': (folder) => onPostgres('pg-boss', folder),
  bullmq: async (folder) => {
    const port = await freePort();
    const flags = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
    const child = spawn(
      'redis-server',
      ['--port', port, '--dir', folder, '--maxmemory-policy', 'noeviction', ...flags],
      { stdio: 'ignore' },
    );
    await Promise.race([
      delay(2_000),
      new Promise((_, reject) => {
        child.once('error', () => reject(new Error('bullmq needs redis-server on the PATH.')));
      }),
    ]);
    return {
      start: (...files) => ({
        args: [script('bullmq'), ...files, CONCURRENCY, `redis://127.0.0.1:${port}`],
      }),
      close: async () => child.kill(),
    };
  },
  /** Its queue and results are files, which it does not sync. */
  crawlee: async (folder) => ({
    start: (...files) => ({
      args: [script('crawlee'), ...files, CONCURRENCY],
      env: { CRAWLEE_STORAGE_DIR: join(folder, 'storage'), CRAWLEE_PURGE_ON_START: '0' },
    }),
    close: async () => undefined,
  }),
};

function sluice(state, input, url, output) {
  const free = ['rate=off', `concurrency=${CONCURRENCY}`, 'first-batch=1000000'];
  const flags = free.flatMap((one) => ['--set', one]);
  const what = ['--ask', 'find_email', '--submit', 'single', '--out', output, '--json'];
  return { args: [MAIN, 'enrich', input, '--url', url, '--state', state, ...what, ...flags] };
}

async function onPostgres(name, folder) {
  const server = await openServer(folder);
  const database = `peer_${process.pid}_${name.replace('-', '_')}`;
  const client = new Client({ connectionString: server.address });
  await client.connect();
  await client.query(`CREATE DATABASE ${database}`);
  await client.end();
  const address = new URL(server.address);
  address.pathname = `/${database}`;
  return {
    start: (...files) => ({ args: [script(name), ...files, CONCURRENCY, address.href] }),
    close: server.stop,
  };
}

if (!existsSync(new URL('peers/node_modules', import.meta.url)))
  throw new Error('The peers are not installed: npm ci --prefix bench/peers');
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PEERS);
const figures = readBefore();
for (const name of names) {
  figures[name] = { ...(await atFullSpeed(name)), ...(await withKills(name)) };
  console.log(name, JSON.stringify(figures[name]));
}
record('peers', { leads: LEADS, killed_leads: KILLED_LEADS, peers: figures });

async function atFullSpeed(name) {
  return onStore(name, LEADS, async ({ start, url, ledger, input, output }) => {
    const { args, env } = start(input, url, output);
    const { seconds, peakMb } = await measured(args, {
      env,
      codes: name.startsWith('sluice') ? [0, 1] : [0],
    });
    const { doubled } = await ledger();
    if (doubled.length > 0) throw new Error(`${name} paid ${doubled.length} leads twice.`);
    return {
      leads_per_second: round(LEADS / seconds, 0),
      peak_mb: round(peakMb, 0),
      rows: countRows(output),
    };
  });
}

async function withKills(name) {
  return onStore(name, KILLED_LEADS, async ({ start, url, ledger, input, output }) => {
    const { args, env } = start(input, url, output);
    const begin = () =>
      spawn(process.execPath, args, {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, ...CREDENTIALS, ...env },
      });
    for (const part of [1, 2, 3]) {
      const child = begin();
      while ((await ledger()).accepted < (KILLED_LEADS * part) / 4) {
        if (child.exitCode !== null) throw new Error(`${name} ended by itself.`);
        await delay(5);
      }
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('close', resolve));
    }
    // A peer that cannot go on after a kill ends with 1, and its rows are missing.
    await measured(args, { env, codes: [0, 1] });
    const { accepted, distinct } = await ledger();
    return {
      accepted_twice_after_kills: accepted - distinct,
      without_row_after_kills: KILLED_LEADS - countRows(output),
    };
  });
}

/** A new store, a new sandbox, and leads that are all found. */
function onStore(name, leads, work) {
  return inFolder(async (folder) => {
    const input = await writeLeads(join(folder, 'leads.csv'), leads, { isFound: true });
    mkdirSync(join(folder, 'store'));
    spawnSync('chmod', ['755', folder]);
    const { start, close } = await PEERS[name](join(folder, 'store'));
    try {
      return await withSandbox(AT_ONCE, ({ url, ledger }) =>
        work({ start, url, ledger, input, output: join(folder, 'out.csv') }),
      );
    } finally {
      await close();
    }
  });
}

/** Rows that have a ticket: a lead in doubt has none. */
function countRows(path) {
  if (!existsSync(path)) return 0;
  const [header, ...rows] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const column = header.split(',').findIndex((one) => /^(sluice_)?enrichment_id$/.test(one.trim()));
  return rows.filter((row) => row.split(',')[column]).length;
}

function readBefore() {
  try {
    return JSON.parse(readFileSync(new URL('results/peers.json', import.meta.url), 'utf8')).peers;
  } catch {
    return {};
  }
}
