// sluice lookup and sluice result: one person without a file, and one enrichment by its id.
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.js';
import { COMMAND_MS } from '../helpers/patience.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, openWorkdir } from '../helpers/workdir.js';

const ADA = 'firstName=Ada lastName=Lovelace companyDomain=engines.example';
const LOOKUP = `lookup ${ADA} --ask find_email --set rate=off`;

async function openShop(flags?: string) {
  const sandbox = await startSandboxProcess(flags);
  return { sandbox, dir: openWorkdir(sandbox.url) };
}

describe.concurrent('sluice lookup', () => {
  test('prints what was found, and pays for a person once, in whatever order they are named', async () => {
    const { dir, sandbox } = await openShop();
    const first = await dir.sluice(`${LOOKUP} --quiet`);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^sluice_status +found$/m);
    const [, email = ''] = /^email +(\S+)$/m.exec(first.stdout) ?? [];
    expect(email).toContain('@');
    const other = 'lookup companyDomain=Engines.example lastName=LOVELACE firstName=ada';
    const again = await dir.sluice(`${other} --ask find_email --set rate=off --json`);
    expect(JSON.parse(again.stdout)).toMatchObject({ email, source: 'cache', credits: 0 });
    // What its columns are goes without saying.
    expect((await dir.sluice(LOOKUP)).stderr).not.toContain('Columns:');
    expect(await sandbox.ledger()).toMatchObject({ accepted: 1, doubled: [] });
  });

  test('that was killed goes on with what it paid for', async () => {
    const { dir, sandbox } = await openShop('--latency 10s --sigma 0');
    const run = dir.start([...LOOKUP.split(' '), '--state', 'state.db']);
    await sandbox.until(({ accepted }) => accepted >= 1, run);
    const isNoted = async () => {
      const store = openSqliteStore(join(dir.path, 'state.db'));
      const { byStatus } = await store.tally(1);
      await store.close();
      expect(byStatus.awaiting).toBe(1);
    };
    await vi.waitFor(isNoted, { timeout: COMMAND_MS });
    run.child.kill('SIGKILL');
    await run.ended;
    const again = await dir.sluice(`${LOOKUP} --state state.db --json`);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ sluice_status: 'found' });
    expect(await sandbox.ledger()).toMatchObject({ accepted: 1, doubled: [] });
    expect((await dir.sluice('runs --state state.db')).stdout).not.toContain('cut off');
  });

  test('that names no person says so, and asks for nothing', async () => {
    const { dir, sandbox } = await openShop();
    const unnamed = await dir.sluice('lookup firstName=Ada --ask find_email --json');
    expect(unnamed.code).toBe(1);
    expect(JSON.parse(unnamed.stdout)).toMatchObject({ sluice_status: 'skipped' });
    expect(await sandbox.ledger()).toMatchObject({ accepted: 0 });
  });

  test.each([
    ['lookup name=Ada --ask find_email', /^lookup name=Ada: write INPUT=VALUE, with one of email/],
    ['lookup Ada --ask find_email', /^lookup Ada: write INPUT=VALUE/],
    ['lookup email=a@b.example email=b@b.example --ask verify_email', /email is given twice/],
    ['lookup email= --ask verify_email', /one of the values is empty/],
    ['lookup email=a@b.example', /"ask"|ask is missing|--ask/],
  ])('that is written wrongly is a matter of the command line: %s', async (line, complaint) => {
    const dir = openWorkdir('http://127.0.0.1:9');
    const ended = await dir.sluice(line);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(complaintOf(ended)).toMatch(complaint);
    expect(dir.files()).toEqual([]);
  });
});

describe.concurrent('sluice result', () => {
  test('reads an enrichment by its id, for nothing', async () => {
    const { dir, sandbox } = await openShop();
    const row = JSON.parse((await dir.sluice(`${LOOKUP} --json`)).stdout) as Record<string, string>;
    const { charged } = await sandbox.ledger();
    const read = await dir.sluice(`result ${row['enrichment_id']} --json`);
    expect(JSON.parse(read.stdout)).toMatchObject({
      state: 'done',
      result: { find_email: { email: row['email'] } },
    });
    const shown = await dir.sluice(`result ${row['enrichment_id']}`);
    expect(shown.stdout).toContain(`find_email.email   ${row['email']}\n`);
    expect(await sandbox.ledger()).toMatchObject({ accepted: 1, charged });
  });

  test('says where there is none yet, and where there is no such enrichment', async () => {
    const { dir, sandbox } = await openShop('--latency 1h --sigma 0');
    const run = dir.start(LOOKUP.split(' '));
    await sandbox.until(({ accepted }) => accepted >= 1, run);
    run.child.kill('SIGKILL');
    await run.ended;
    const [entry] = await sandbox.entries();
    expect((await dir.sluice(`result ${entry?.id}`)).stdout).toBe('There is no result yet.\n');
    const none = await dir.sluice('result enr_none');
    expect(none).toMatchObject({ code: 4, stdout: '' });
    expect(complaintOf(none)).toMatch(/does not know the enrichment enr_none\. Check its id/);
  });
});
