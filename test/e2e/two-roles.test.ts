// A server that asks for passwords, an owner of the state, and a worker with no more rights than the manual gives.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { performHosted } from '../helpers/command-host.js';
import { openServer, type Server, stopServer } from '../helpers/postgres-server.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { complaintOf, csv, openWorkdir, people } from '../helpers/workdir.js';

// As passwords have them.
const PASSWORD = 'p:w\\ d#';
const ESCAPED = 'p\\:w\\\\ d#';

const folder = tempFolder();
const home = tempFolder();
let server: Server;

beforeAll(async () => {
  server = await openServer(folder);
  const client = new Client(server.address);
  await client.connect();
  await client.query(`ALTER ROLE sluice PASSWORD '${PASSWORD}'`);
  await client.query(`CREATE ROLE worker LOGIN PASSWORD '${PASSWORD}'`);
  await client.query('CREATE DATABASE leads OWNER sluice');
  // Longer than a command may take: it must end by itself.
  await client.query("ALTER SYSTEM SET authentication_timeout TO '10min'");
  const rules = join(folder, 'data', 'pg_hba.conf');
  writeFileSync(rules, readFileSync(rules, 'utf8').replaceAll(/trust$/gm, 'scram-sha-256'));
  await client.query('SELECT pg_reload_conf()');
  await client.end();
});
afterAll(() => stopServer(folder));

interface Said {
  readonly user?: string;
  /** What is in ~/.pgpass; nothing is there without. */
  readonly file?: string;
  readonly mode?: number;
  readonly password?: string;
}

let count = 0;

function sluice(line: string, { file, mode = 0o600, password, user = 'sluice' }: Said = {}) {
  const path = join(home, `pgpass-${(count += 1)}`);
  if (file !== undefined) {
    writeFileSync(path, file);
    chmodSync(path, mode);
  }
  const env = {
    HOME: home,
    PGPASSFILE: path,
    PGPASSWORD: password,
    SLUICE_USERNAME: 'ada',
    SLUICE_PASSWORD: 'secret',
    SLUICE_STATE: `postgres://${user}@127.0.0.1:${server.port}/leads`,
  };
  return performHosted(line.split(' '), { cwd: home, env });
}

const lineFor = (user: string): string => `*:*:leads:${user}:${ESCAPED}\n`;

describe('a server that asks for a password', () => {
  it.each(['status', 'state migrate', 'worker'])(
    'ends "sluice %s" without one at once',
    async (line) => {
      const { code, stderr } = await sluice(line);
      expect(stderr).toContain('the password is wrong, or none was given (PGPASSWORD, ~/.pgpass)');
      expect(code).toBe(5);
    },
  );

  it('lets doctor say so once', async () => {
    const { code, stdout } = await sluice('doctor');
    expect(stdout.split('the password is wrong')).toHaveLength(2);
    expect(code).toBe(1);
  });

  it('refuses a wrong one', async () => {
    const { code, stderr } = await sluice('status', { password: 'wrong' });
    expect(stderr).toContain('the password is wrong');
    expect(code).toBe(5);
  });

  it('takes that of PGPASSWORD before that of the file', async () => {
    const { code, stderr } = await sluice('state migrate', {
      password: PASSWORD,
      file: '*:*:*:*:wrong',
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('takes the first line of the file that fits, and says nothing of it', async () => {
    const others = [
      '# a comment',
      '',
      'no colons',
      '*:*:leads:worker:wrong',
      '*:1:leads:sluice:wrong',
      '*:*:other:sluice:wrong',
      'db.internal:*:*:*:wrong',
    ];
    const file = [...others, `127.0.0.1:${server.port}:*:slu\\ice:${ESCAPED}`, '*:*:*:*:wrong'];
    const { code, stderr } = await sluice('state migrate', { file: file.join('\r\n') });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('gets none from a file that others may read', async () => {
    const { code, stderr } = await sluice('status', { file: lineFor('sluice'), mode: 0o640 });
    expect(stderr).toMatch(/^sluice: The password file \S+ is not used, because other users/);
    expect(code).toBe(5);
  });
});

describe('a worker with a role of its own', () => {
  const asWorker = (line: string) => sluice(line, { user: 'worker', file: lineFor('worker') });
  const statements = async (text: string): Promise<void> => {
    const client = new Client({
      host: '127.0.0.1',
      port: server.port,
      database: 'leads',
      user: 'sluice',
      password: PASSWORD,
    });
    await client.connect();
    await client.query(text);
    await client.end();
  };

  it('is told what is lacking, and by whom', async () => {
    expect((await asWorker('status')).stderr).toMatch(/the role worker may not .* Rights\. Fix/);
    const { code, stderr } = await asWorker('state migrate');
    expect(stderr).toMatch(/the role worker may not .* only the owner .* sluice state migrate/);
    expect(code).toBe(5);
    await statements('GRANT USAGE ON SCHEMA sluice TO worker');
    await statements('GRANT SELECT ON ALL TABLES IN SCHEMA sluice TO worker');
    expect((await asWorker('doctor')).stdout).toMatch(
      /fail +state_folder +The role worker has not all rights .* those on \w+\. docs\/several-machines/,
    );
  });

  it('works with the rights of the manual, and is told who can clear the disk', async () => {
    const manual = readFileSync(new URL('../../docs/several-machines.md', import.meta.url), 'utf8');
    const rights = /^## Rights$.*?```sql\n(GRANT.*?)```/ms.exec(manual)?.[1] as string;
    expect(rights).toContain('TO worker');
    await statements(rights);
    expect((await asWorker('status')).stdout).toContain('Nothing has run');
    expect((await asWorker('doctor')).stdout).toMatch(/ok +state_folder +The database/);
    const { code, stderr } = await asWorker('state forget email=ada@example.com --yes');
    expect(stderr).toMatch(/traces may be left .* a table belongs to another role/);
    expect(code).toBe(5);
    const owner = { file: lineFor('sluice') };
    expect((await sluice('state forget email=ada@example.com --yes', owner)).code).toBe(0);
  });

  it('waits in a run where no connection is left, and is told so at the start of a command', async () => {
    const sandbox = await startSandboxProcess('--latency 300ms');
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(20)));
    const env = {
      PGPASSWORD: PASSWORD,
      SLUICE_STATE: `postgres://worker@127.0.0.1:${server.port}/leads`,
    };
    const line = 'enrich leads.csv --ask find_email --out out.csv --set rate=5/1s';
    const running = dir.start(line, { env });
    await sandbox.until(({ accepted }) => accepted >= 5, running);
    await statements('ALTER ROLE worker CONNECTION LIMIT 0');
    await statements(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'worker'",
    );
    await running.says('The database has gone: it has no connection left: too many clients.');
    const status = await dir.sluice('status', { env });
    expect(complaintOf(status)).toMatch(/cannot be used: it has no connection left/);
    expect(status.code).toBe(5);
    await statements('ALTER ROLE worker CONNECTION LIMIT -1');
    expect((await running.ended).code).toBe(0);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 20, doubled: [] });
  });
});
