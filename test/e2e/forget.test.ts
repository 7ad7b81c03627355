// Forgetting a person: nothing of them is left in the state file, byte by byte, and no run pays for them twice.
import { readFileSync, realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, csv, openWorkdir, people, type Workdir } from '../helpers/workdir.js';

const FLAGS = '--ask find_email,social_enrichment --set rate=off --state state.db --quiet';
const ENRICH = `enrich leads.csv --out out.csv ${FLAGS}`;

/** Which of the words stand anywhere in the state file and the files beside it. */
function traces(dir: Workdir, words: readonly string[]): string[] {
  const bytes = dir
    .files()
    .filter((name) => name.startsWith('state.db'))
    .map((name) => readFileSync(dir.at(name)).toString('latin1').toLowerCase())
    .join();
  return words.filter((word) => bytes.includes(word.toLowerCase()));
}

test('forget leaves no trace of a person on the disk, and nothing is paid for twice', async () => {
  const sandbox = await startSandboxProcess();
  const dir = openWorkdir(sandbox.url);
  dir.write('leads.csv', csv([...people(6), 'Zebulona,Quixley,zephyrworks.com']));
  expect(
    await dir.sluice(`${ENRICH} --collect webhook --set listen=0 --set keep-deliveries=7d`),
  ).toMatchObject({
    code: 0,
  });
  const mail = dir.rows('out.csv').at(-1)?.['email'] ?? '';
  expect(mail).toContain('@');
  const words = ['zebulona', 'quixley', 'zephyrworks', mail];
  expect(traces(dir, words)).toEqual(words);
  const before = await sandbox.ledger();

  const asked = await dir.sluice(`state forget email=${mail} --state state.db`);
  expect(asked.code).toBe(2);
  expect(complaintOf(asked)).toMatch(
    /Nothing was removed\. .*1 lead, 1 enrichment, 1 result, .*--yes/,
  );
  expect(asked.stderr).not.toContain(mail);
  expect(traces(dir, words)).toEqual(words);

  const done = await dir.sluice(
    `state forget email=${mail.toUpperCase()} --yes --json --state state.db`,
  );
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(done.stdout)).toMatchObject({
    leads: 1,
    enrichments: 1,
    results: 1,
    deliveries: 1,
    runs: [1],
    removed: true,
    tables: [realpathSync(dir.at('out.csv'))],
  });
  expect(traces(dir, words)).toEqual([]);
  expect(traces(dir, ['Eve1', 'firm1.com'])).toHaveLength(2);

  await dir.sluice('export 1 --state state.db');
  expect(dir.text('out.csv').toLowerCase()).not.toContain('zebulona');
  expect(dir.rows('out.csv')).toHaveLength(7);
  expect(dir.rows('out.csv').at(-1)).toMatchObject({
    sluice_status: 'failed',
    enrichment_id: '',
    email: '',
  });
  await dir.sluice('retry 1 --state state.db');
  expect((await dir.sluice(ENRICH)).code).toBe(0);

  const told = await dir.json('report 2 --state state.db');
  expect(told.trouble).toMatchObject({
    reasons: [{ reason: expect.stringMatching(/^forgotten: /), leads: 1, command: null }],
    advice: [expect.stringMatching(/: take their lines out of the input\./)],
  });
  dir.write('leads.csv', csv(people(6)));
  expect((await dir.sluice(ENRICH)).code).toBe(0);
  expect(await sandbox.ledger()).toEqual(before);
});

test('forget lets the same question cost nothing, and one that asks for more is paid for at once', async () => {
  const sandbox = await startSandboxProcess();
  const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(1)));
  await dir.sluice(ENRICH);
  await dir.sluice('state forget companyDomain=firm1.com --yes --state state.db');
  expect((await dir.sluice(ENRICH)).code).toBe(1);
  expect(await sandbox.ledger()).toMatchObject({ accepted: 1 });
  const wider = ENRICH.replace('find_email', 'find_email,find_phone');
  expect((await dir.sluice(wider)).code).toBe(1);
  expect(await sandbox.ledger()).toMatchObject({ accepted: 2 });
});

test('forget takes a whole domain, also while a listener has the file open', async () => {
  const dir = openWorkdir((await startSandboxProcess()).url);
  dir.write(
    'leads.csv',
    csv(['Zebulona,Quixley,zephyrworks.com', 'Anna,Zorn,www.zephyrworks.com']),
  );
  await dir.sluice(ENRICH);
  const listener = dir.start('listen --listen 0 --state state.db', { isService: true });
  await listener.says('istening');
  // A person's domain beside the address means nobody else.
  const nobody = 'state forget email=x@zephyrworks.com companyDomain=zephyrworks.com --yes';
  expect((await dir.sluice(`${nobody} --state state.db`)).stdout).toContain('knows nothing');
  const done = await dir.sluice(
    'state forget companyDomain=zephyrworks.com --yes --state state.db',
  );
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(done.stdout).toMatch(/2 leads, 2 enrichments.*\n.*\n.*out\.csv \(run 1\)\./);
  expect(traces(dir, ['zebulona', 'quixley', 'zephyrworks'])).toEqual([]);
  listener.child.kill('SIGTERM');
  await listener.ended;
});

test('forget says what it cannot do', async () => {
  const sandbox = await startSandboxProcess('--latency 60s');
  const dir = openWorkdir(sandbox.url);
  dir.write('leads.csv', csv(people(2)));
  const run = dir.start(ENRICH);
  await sandbox.until(({ accepted }) => accepted >= 2, run);
  run.child.kill('SIGKILL');
  await run.ended;
  const complain = (args: string) => dir.refusal(`state forget ${args} --state state.db`);
  expect(await complain('companyDomain=firm1.com --yes')).toContain('sluice cancel 1');
  expect(await complain('--yes')).toContain('needs one more argument');
  expect(await complain('email=nobody --yes')).toContain('e-mail address');
  expect(await complain('companyDomain=mail.firm1.com --yes')).toContain('firm1.com');
  expect(await complain('firstName=Eve1 lastName=Byron --yes')).toContain('name no person');
  const unknown = await dir.sluice('state forget email=no@body.com --state state.db');
  expect(unknown).toMatchObject({ code: 0, stdout: expect.stringContaining('knows nothing') });
  await dir.sluice('cancel 1 --state state.db');
  expect(
    (await dir.sluice('state forget companyDomain=firm1.com --yes --state state.db')).code,
  ).toBe(0);
  expect(traces(dir, ['eve1', 'firm1.com'])).toEqual([]);
});

test('forget takes a person by name and company, with all that was found for them', async () => {
  const sandbox = await startSandboxProcess();
  const dir = openWorkdir(sandbox.url);
  const header = 'First name,Last name,Company\n';
  dir.write('leads.csv', `${header}Zebulona,Quixley,Quagmireco SA\nEve,Byron,Quagmireco\n`);
  await dir.sluice(ENRICH);
  const { email = '', social_url: profile = '' } = dir.rows('out.csv')[0] ?? {};
  dir.write('more.csv', `email,linkedin_url\n${email},\n,${profile}\n`);
  await dir.sluice(
    `${ENRICH.replace('leads.csv --out out.csv', 'more.csv --out more-out.csv')} --map email=email`,
  );
  // A line that nothing was asked for.
  await dir.sluice(`suppress add email=${email} --state state.db`);
  dir.write('again.csv', `Name,Firm\n"Quixley, Dr. Zebulona",QUAGMIRECO S.A.\n`);
  const map = '--map fullName=Name --map companyName=Firm';
  await dir.sluice(
    `${ENRICH.replace('leads.csv --out out.csv', 'again.csv --out again-out.csv')} ${map}`,
  );
  expect(dir.rows('again-out.csv')[0]).toMatchObject({ sluice_status: 'skipped' });
  const words = ['zebulona', 'quixley', email, profile.replace('https://', '')];
  expect(traces(dir, words)).toEqual(words);
  const before = await sandbox.ledger();

  const who = ['firstName=Zebulona', 'lastName=Quixley', 'companyName=Quagmireco'];
  const forget = (...more: string[]) =>
    dir.sluice(['state', 'forget', ...who, '--state', 'state.db', ...more]);
  const asked = await forget();
  expect(asked.code).toBe(2);
  expect(asked.stderr).toMatch(
    /^All of that name and company are meant\. .*\n {2}Zebulona, Quixley/,
  );
  expect(asked.stderr).toContain(email);
  expect(complaintOf(asked)).toMatch(/Nothing was removed\..*4 leads, 3 enrichments.*--yes/);
  expect(traces(dir, words)).toEqual(words);
  const done = await forget('--yes', '--json');
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(done.stdout)).toMatchObject({ leads: 4, enrichments: 3, removed: true });
  expect(traces(dir, words)).toEqual([]);
  expect(traces(dir, ['byron'])).toEqual(['byron']);
  await dir.sluice(ENRICH);
  expect(await sandbox.ledger()).toEqual(before);
});

test('forget keeps apart those of one name, and those who read one mailbox', async () => {
  const sandbox = await startSandboxProcess();
  const dir = openWorkdir(sandbox.url);
  const lead = 'Zebulona,Quixley,Zephyrworks';
  dir.write(
    'leads.csv',
    `First name,Last name,Company,Email\n${lead},zq1@zephyr.example\n${lead},zq2@zephyr.example\n` +
      'Eve,Byron,Zephyrworks,info@zephyr.example\nBob,Byron,Zephyrworks,info@zephyr.example\n',
  );
  await dir.sluice(`${ENRICH} --map email=Email`);
  const who = ['firstName=Zebulona', 'lastName=Quixley', 'companyName=Zephyrworks'];
  const asked = await dir.sluice(['state', 'forget', ...who, '--state', 'state.db']);
  expect(asked.stderr).toMatch(/zq1@zephyr\.example.*\n.*zq2@zephyr\.example/);
  expect(
    await dir.json('state forget email=zq1@zephyr.example --yes --state state.db'),
  ).toMatchObject({ leads: 1, enrichments: 1 });
  expect(traces(dir, ['zq1@', 'zq2@'])).toEqual(['zq2@']);
  const eve = ['firstName=Eve', 'lastName=Byron', 'companyName=Zephyrworks'];
  expect(await dir.json(['state', 'forget', ...eve, '--yes', '--state', 'state.db'])).toMatchObject(
    { leads: 1, enrichments: 1 },
  );
});
