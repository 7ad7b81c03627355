// A state that is taken from its file to a database and back: sluice state copy.
import { beforeAll, expect, test } from 'vitest';
import { type TestState, testState } from '../helpers/postgres.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, csv, openWorkdir, people } from '../helpers/workdir.js';

const ENRICH = 'enrich leads.csv --out out.csv --ask find_email --quiet';

let database: TestState;
beforeAll(async () => {
  database = await testState();
});

/** What a command prints about a state, but for its name. */
const printed = async (
  dir: ReturnType<typeof openWorkdir>,
  command: string,
  state: string,
): Promise<string> => {
  const { code, stdout, stderr } = await dir.sluice([...command.split(' '), '--state', state]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const size = /"state_[a-z_]*":[^,}]*,?/g;
  return stdout.replaceAll(state, 'STATE').replaceAll(size, '');
};

test('a state goes to a database and back, says the same there, and pays for nothing again', async () => {
  const sandbox = await startSandboxProcess();
  const dir = openWorkdir(sandbox.url);
  dir.write('leads.csv', csv([...people(8), ...people(2)]));
  expect(await dir.sluice(`${ENRICH} --state first.db`)).toMatchObject({ code: 0 });
  const table = dir.text('out.csv');
  const paid = await sandbox.ledger();

  const commands = ['status --json', 'runs --ndjson', 'explain 1 2 --json', 'explain 1 10 --json'];
  const before = await Promise.all(commands.map((one) => printed(dir, one, 'first.db')));
  const there = await dir.sluice(['state', 'copy', 'first.db', database.address, '--json']);
  expect(there).toMatchObject({ code: 0, stderr: '' });
  const said = JSON.parse(there.stdout) as { rows: number; tables: object[] };
  expect(said.tables).toContainEqual(expect.objectContaining({ table: 'leads', rows: 10 }));
  const now = await Promise.all(commands.map((one) => printed(dir, one, database.address)));
  expect(now).toEqual(before);
  const exported = await printed(dir, 'export 1 --out -', database.address);
  expect(exported).toBe(table);

  const back = await dir.sluice(['state', 'copy', database.address, 'last.db']);
  expect(back).toMatchObject({ code: 0, stderr: '' });
  expect(back.stdout).toContain('each is the same');
  const again = await Promise.all(commands.map((one) => printed(dir, one, 'last.db')));
  expect(again).toEqual(before);

  const old = await dir.sluice(`${ENRICH} --state first.db`);
  expect(old.code).toBe(5);
  expect(complaintOf(old)).toMatch(/was moved to postgres:.* Name the other one with --state/);
  const status = await dir.sluice('status --state first.db');
  expect(status.code).toBe(0);
  expect(status.stderr).toContain('first.db was moved to postgres:');
  const doctor = await dir.sluice(`doctor --state first.db --url ${sandbox.url}`);
  expect(doctor.stdout).toContain('was moved to postgres:');

  expect(await dir.sluice(`${ENRICH} --state last.db`)).toMatchObject({ code: 0 });
  const { accepted, polls } = paid;
  expect(await sandbox.ledger()).toMatchObject({ accepted, polls, doubled: [] });
});

test('a copy asks for what it needs, and makes nothing where there is nothing', async () => {
  const dir = openWorkdir();
  expect(complaintOf(await dir.sluice('state copy no.db new.db'))).toContain('is not there');
  expect(dir.files()).toEqual([]);
  expect(complaintOf(await dir.sluice('state copy a.db'))).toContain('needs one more argument');
});
