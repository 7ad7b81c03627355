// Servers of databases that are not like the one of the other tests: one that asks for TLS, one whose tables are large, and
// a standby that takes over.
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCutter } from '../helpers/connection-cutter.js';
import { COMMAND_MS } from '../helpers/patience.js';
import { newState } from '../helpers/postgres.js';
import { openServer, type Server, stopServer } from '../helpers/postgres-server.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { fileOfRejects, keptCells } from '../helpers/state.js';
import { tempFolder } from '../helpers/temp-folder.js';
import { complaintOf, csv, openWorkdir, people } from '../helpers/workdir.js';

const FLAGS = '--ask find_email --set rate=off';
const folder = tempFolder();
let server: Server;

async function statements(...texts: string[]): Promise<void> {
  const client = new Client(server.address);
  await client.connect();
  for (const text of texts) await client.query(text);
  await client.end();
}

beforeAll(async () => {
  server = await openServer(folder);
});
afterAll(() => stopServer(folder));

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.runIf(hasOpenssl)('a server that takes only connections with TLS', () => {
  const openssl = (line: string): void => {
    execFileSync('openssl', line.split(' '), { cwd: folder, stdio: 'ignore' });
  };
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2';
  const at = (host: string, query: string): string =>
    `postgres://sluice@${host}:${server.port}/leads?${query}`;
  const status = (address: string) =>
    openWorkdir().sluice(['state', 'migrate', '--state', address]);

  beforeAll(async () => {
    writeFileSync(join(folder, 'name'), 'subjectAltName = IP:127.0.0.1\n');
    for (const ca of ['ca', 'other']) {
      openssl(`req -x509 ${newKey} -keyout ${ca}.key -out ${ca}.pem -subj /CN=${ca}`);
    }
    openssl(`req ${newKey} -keyout server.key -out server.csr -subj /CN=server`);
    const by = '-CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile name';
    openssl(`x509 -req -in server.csr ${by} -out server.pem`);
    const { gid, uid } = statSync(folder);
    for (const name of ['server.key', 'server.pem']) chownSync(join(folder, name), uid, gid);
    const rules = join(folder, 'data', 'pg_hba.conf');
    const only = 'hostssl leads all 127.0.0.1/32 trust\nhost leads all all reject\n';
    writeFileSync(rules, only + readFileSync(rules, 'utf8'));
    await statements(
      'CREATE DATABASE leads',
      `ALTER SYSTEM SET ssl_cert_file = '${join(folder, 'server.pem')}'`,
      `ALTER SYSTEM SET ssl_key_file = '${join(folder, 'server.key')}'`,
      'ALTER SYSTEM SET ssl = on',
      'SELECT pg_reload_conf()',
    );
  });

  it.each(['require', 'verify-full'])('is used with sslmode=%s and its authority', async (mode) => {
    const address = at('127.0.0.1', `sslmode=${mode}&sslrootcert=${join(folder, 'ca.pem')}`);
    const { code, stdout } = await status(address);
    expect(stdout).toContain('127.0.0.1');
    expect(code).toBe(0);
  });

  it('is used unchecked with sslmode=no-verify, and not without TLS', async () => {
    expect((await status(at('127.0.0.1', 'sslmode=no-verify'))).code).toBe(0);
    const refused = await status(at('127.0.0.1', 'sslmode=disable'));
    expect(refused.code, refused.stderr).toBe(5);
    expect(complaintOf(refused)).toContain(
      'no rule of the pg_hba.conf of the server admits this user',
    );
  });

  it.each([
    ['no authority', '127.0.0.1', 'sslmode=verify-full', undefined],
    ['no authority, and require', '127.0.0.1', 'sslmode=require', undefined],
    ['a wrong authority', '127.0.0.1', 'sslmode=verify-full', 'other.pem'],
    ['another name', 'localhost', 'sslmode=verify-full', 'ca.pem'],
  ])('is refused in one sentence for %s', async (_, host, mode, authority) => {
    const file = authority === undefined ? '' : `&sslrootcert=${join(folder, authority)}`;
    const refused = await status(at(host, mode + file));
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    expect(complaintOf(refused)).toMatch(/^The database postgres:.* cannot be used: .*certificate/);
  });
});

it('forget says that a table may be too large to be written anew, and that the person is removed', async () => {
  const state = await newState(server.address);
  const sandbox = await startSandboxProcess();
  const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(2)));
  const env = { SLUICE_STATE: state.address };
  await dir.sluice(`enrich leads.csv --out out.csv ${FLAGS}`, { env });
  // Pages of zeros: rows that are not written yet. On the disk they are a hole.
  truncateSync(join(folder, 'data', await fileOfRejects(state.pool)), 2 ** 30);
  expect(await dir.refusal('state forget companyDomain=firm1.com --yes', { code: 5, env })).toMatch(
    /^They are removed from postgres:.*, but traces may be left on the disk: .* more than 1 GiB.*VACUUM \(FULL\)/,
  );
  const left = await keptCells(state.pool);
  expect(left).toHaveLength(1);
  expect(left.map((cells) => inflateRawSync(cells).toString()).join()).not.toContain('firm1.com');
  await state.drop();
});

describe('a standby that takes over', () => {
  it(
    'looks, pays for nothing until it is trusted, and then for nothing twice',
    async (context) => {
      const standbyFolder = tempFolder();
      context.onTestFinished(() => stopServer(standbyFolder));
      const state = await newState(server.address);
      const standby = await server.openStandby(standbyFolder);
      // What is answered is there too.
      await statements(
        `ALTER SYSTEM SET synchronous_standby_names = '*'`,
        'SELECT pg_reload_conf()',
      );
      // What leads to the database goes to the standby after the failover.
      let line = await openCutter(server.port);
      context.onTestFinished(() => line.close());
      const env = { SLUICE_STATE: state.address.replace(`:${server.port}/`, `:${line.port}/`) };
      const sandbox = await startSandboxProcess('--latency 300ms');
      const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(60)));
      const enrich = 'enrich leads.csv --out out.csv --ask find_email';
      const run = dir.start(`${enrich} --set rate=10/1s`, { env });
      await sandbox.until(({ accepted }) => accepted >= 10, run);

      await server.stopHard();
      line.close();
      line = await openCutter(standby.port, undefined, line.port);
      await run.says('it takes no writes: it is a standby, or read-only');
      expect((await dir.sluice('status', { env })).code).toBe(0);
      const { accepted: before } = await sandbox.ledger();
      await standby.promote();
      const ended = await run.ended;
      expect(ended.code).toBe(5);
      expect(complaintOf(ended)).toMatch(/a standby was promoted.*sluice state trust/);
      expect((await sandbox.ledger()).accepted).toBe(before);

      const refused = await dir.sluice(`${enrich} --set rate=off`, { env });
      expect(refused.code, refused.stderr).toBe(5);
      expect(complaintOf(refused)).toContain('sluice state trust');
      expect((await sandbox.ledger()).accepted).toBe(before);

      const trusted = await dir.sluice('state trust', { env });
      expect(trusted.stdout).toContain('runs send again');
      const again = await dir.sluice(`${enrich} --set rate=off`, { env });
      expect([0, 1]).toContain(again.code);
      const ledger = await sandbox.ledger();
      const uncertain = dir.rows('out.csv').filter((row) => row['sluice_status'] === 'uncertain');
      expect(ledger.doubled).toEqual([]);
      expect(ledger.accepted + uncertain.length).toBeGreaterThanOrEqual(60);
      expect(dir.rows('out.csv')).toHaveLength(60);
      await state.pool.end();
    },
    2 * COMMAND_MS,
  );
});
