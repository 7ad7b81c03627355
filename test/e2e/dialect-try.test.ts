// sluice dialect try: one lead, paid for once, whose calls are written down as a transcript.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, hostCommands, openWorkdir } from '../helpers/workdir.js';

hostCommands();
const sandbox = await startSandboxProcess('--latency 20ms --seed 1');
const LEAD = ['--lead', 'firstName=Ada, lastName=Lovelace, companyDomain=acme.com'];
const TRY = ['dialect', 'try', 'acme.yaml', ...LEAD, '--url', sandbox.url, '--rate', 'off'];
const KEEP = ['--yes', '--transcript', 'calls.http', '--state', 'state.db'];

test('one lead is paid for once, its calls are kept without credentials, and they fit the dialect', async () => {
  const dir = openWorkdir(sandbox.url).write('acme.yaml', 'prefix: ""\n');
  const first = await dir.sluice([...TRY, ...KEEP]);
  expect(first.stderr).toMatch(/^POST \/enrich\?findEmail=true&firstName=Ada/);
  const file = join(dir.path, 'calls.http');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const written = readFileSync(file, 'utf8');
  expect(written).toContain('# lead: firstName=Ada, lastName=Lovelace, companyDomain=acme.com\n');
  expect(written).toContain('> authorization: Basic …\n');
  expect(written).not.toContain(btoa('sandbox:sandbox'));
  const checked = await dir.sluice('dialect check acme.yaml --transcript calls.http');
  expect(checked).toMatchObject({ code: 0, stderr: '' });
  expect(checked.stdout).toMatch(/ok: enrich: sends POST \/enrich.*reads accepted enr_/);
  await dir.sluice([...TRY, ...KEEP]);
  expect((await sandbox.ledger()).accepted).toBe(1);
});

test('without a terminal and without --yes nothing is sent, nor over a file of another kind', async () => {
  const before = (await sandbox.ledger()).requests;
  const dir = openWorkdir(sandbox.url).write('acme.yaml', '').write('calls.http', 'mine\n');
  const unasked = await dir.sluice(TRY);
  expect(unasked.code).toBe(2);
  expect(unasked.stderr).toContain('give --yes');
  const taken = await dir.sluice([...TRY, ...KEEP]);
  expect(taken.code).toBe(2);
  expect(complaintOf(taken)).toContain('calls.http is there already');
  const wrong = await dir.sluice([...TRY.slice(0, 3), '--lead', 'name=Ada']);
  expect(complaintOf(wrong)).toContain('"name" is no input of a lead');
  expect((await sandbox.ledger()).requests).toBe(before);
});
