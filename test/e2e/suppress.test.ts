// People who must never be asked for: by no file, no retry and no other job, and shown in no table.
import { readFileSync, realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, csv, openWorkdir, people } from '../helpers/workdir.js';

const STATE = '--state state.db';
const FLAGS = `--ask find_email,social_enrichment --set rate=off ${STATE} --quiet`;
const enrich = (file: string) => `enrich ${file} --out out-${file} ${FLAGS}`;

test('whoever is let go stays suppressed with everybody of a domain, and that is said', async () => {
  const dir = openWorkdir();
  const all = await dir.sluice(`suppress add companyDomain=www.acme.example ${STATE}`);
  expect(all.stdout).toMatch(/^1 domain suppressed, with everybody there\./);
  expect(all.stdout).toContain('Tables that were written before are not changed: ');
  await dir.sluice(`suppress add email=bob@acme.example ${STATE}`);
  const removed = await dir.sluice(`suppress remove email=bob@acme.example ${STATE}`);
  expect(removed.stdout).toMatch(/^1 suppression removed\.[^]*Still suppressed[^]*remove 1"/);
  const carol = await dir.sluice(`suppress check email=carol@acme.example --json ${STATE}`);
  expect(JSON.parse(carol.stdout)).toMatchObject({ suppressed: true });
  const stranger = ['firstName=Carol', 'lastName=Nobody', 'companyDomain=acme.example'];
  const none = await dir.sluice(['suppress', 'remove', ...stranger, ...STATE.split(' '), '--json']);
  expect(JSON.parse(none.stdout)).toEqual({ removed: 0 });
});

test('someone suppressed is asked for by no file, under no identifier that the state links', async () => {
  const sandbox = await startSandboxProcess();
  const dir = openWorkdir(sandbox.url);
  dir.write('one.csv', csv(people(3)));
  expect(await dir.sluice(enrich('one.csv'))).toMatchObject({ code: 0, stderr: '' });
  const [first] = dir.rows('out-one.csv');
  const { email = '', social_url: profile = '' } = first ?? {};
  expect(email).toContain('@');
  expect(profile).toContain('://');
  const before = await sandbox.ledger();

  const added = await dir.sluice(
    `suppress add email=${email.toUpperCase()} --reason unsubscribed --json ${STATE}`,
  );
  expect(added).toMatchObject({ code: 0, stderr: '' });
  const tables = [realpathSync(dir.at('out-one.csv'))];
  expect(JSON.parse(added.stdout)).toEqual({ added: 1, already: 0, leads: 1, tables });
  expect(added.stdout).not.toContain('@');

  // Another ask, another job, other inputs: the address, the profile, and the name with the company.
  const [who = ''] = people(1);
  dir.write('two.csv', `email\n${email}\nnobody@else.example\n`);
  dir.write('three.csv', `linkedin_url\n${profile}\n`);
  dir.write('four.csv', csv([who]));
  for (const file of ['two.csv', 'three.csv', 'four.csv']) {
    await dir.sluice(
      `enrich ${file} --out out-${file} --ask find_phone --set rate=off ${STATE} --quiet`,
    );
    expect(dir.rows(`out-${file}`)[0]).toMatchObject({
      sluice_status: 'skipped',
      sluice_reason: 'suppressed: unsubscribed',
      phone: '',
    });
  }
  const ledger = JSON.stringify(await sandbox.ledger());
  expect(ledger.length).toBeGreaterThan(JSON.stringify(before).length);
  dir.write('five.csv', csv(people(3).slice(1, 2)));
  await dir.sluice(enrich('five.csv'));
  const planned = await dir.sluice(`plan four.csv --ask find_phone --json ${STATE}`);
  expect(JSON.parse(planned.stdout)).toMatchObject({
    to_pay: 0,
    skipped: [{ reason: 'suppressed: unsubscribed', leads: 1 }],
  });

  await dir.sluice(`export 1 ${STATE}`);
  expect(dir.rows('out-one.csv')[0]).toMatchObject({ sluice_status: 'skipped', email: '' });
  expect(dir.text('out-one.csv')).not.toContain(email);
  const told = await dir.sluice(`explain 1 2 ${STATE}`);
  expect(told.stdout).toContain('skipped: suppressed: unsubscribed');
  expect(told.stdout).not.toContain(email);
  // A comparison has nobody of them, also by cells of the input.
  const compared = await dir.sluice(
    `report --compare 1 5 --key first_name --changes changes.csv --json ${STATE}`,
  );
  expect(compared.code).toBe(0);
  const [, , third = ''] = people(3);
  expect(dir.rows('changes.csv').map((row) => row['first_name'])).toContain(third.split(',')[0]);
  expect(dir.text('changes.csv')).not.toContain(`${who.split(',')[0]},`);
  // Nor has a contact list.
  const listed = await dir.sluice(
    `${enrich('one.csv')} --fresh-for 40d --set list.name=buyers --json`,
  );
  expect(JSON.parse(listed.stdout)).toMatchObject({ leads: 3, listed: 2, from_cache: 2 });

  await dir.sluice(`state forget email=${email} --yes ${STATE}`);
  const all = await dir.sluice(`suppress list --ndjson ${STATE}`);
  expect(JSON.parse(all.stdout)).toMatchObject({
    number: 1,
    reason: 'unsubscribed',
    identifiers: { email: 1, profile: 1 },
  });
  const check = async (flags: string) => {
    const { code, stdout } = await dir.sluice(`suppress check ${flags} --json ${STATE}`);
    const { suppressed } = JSON.parse(stdout) as { suppressed: boolean };
    expect(code).toBe(suppressed ? 0 : 1);
    return suppressed;
  };
  expect(await check(`email=${email}`)).toBe(true);
  expect(await check(`socialUrl=${profile}`)).toBe(true);
  expect(await check('email=nobody@else.example')).toBe(false);

  expect((await dir.sluice(`suppress remove email=${email} ${STATE}`)).stdout).toContain(
    '1 suppression removed.',
  );
  expect(await check(`socialUrl=${profile}`)).toBe(false);
  expect((await dir.sluice(`suppress list ${STATE}`)).stdout).toBe('Nobody is suppressed.\n');
});

test('a table is taken in any form, a second time without effect, and before the first run', async () => {
  const dir = openWorkdir('sandbox');
  dir.write(
    'gone.csv',
    'E-Mail,Company,Given\nada@engines.example,Engines,x\n,Engines,x\nbob@engines.example,,x\n',
  );
  const first = await dir.sluice(`suppress import gone.csv --reason gone --json ${STATE}`);
  expect(JSON.parse(first.stdout)).toEqual({
    added: 2,
    already: 0,
    leads: 0,
    unused: 1,
    rejects: 0,
  });
  expect(first.stderr).toBe(
    '1 line left out: line 3 (names no person: no address, and no name with a company).\n',
  );
  const again = await dir.sluice(`suppress import gone.csv --json ${STATE}`);
  expect(JSON.parse(again.stdout)).toMatchObject({ added: 0, already: 2 });

  const bytes = dir
    .files()
    .filter((name) => name.startsWith('state.db'))
    .map((name) => readFileSync(dir.at(name)).toString('latin1').toLowerCase())
    .join();
  for (const word of ['engines', 'ada@', 'bob@']) expect(bytes).not.toContain(word);
  expect(bytes).toContain('gone');

  dir.write('more.ndjson', '{"who":{"mail":"cyd@engines.example"}}\n');
  await dir.sluice(`suppress import more.ndjson --map email=who.mail ${STATE}`);
  dir.write(
    'domains.csv',
    'domain\nfirm.example\ngmail.com\nlinkedin.com\nhttps://mail.firm2.example/\n',
  );
  const domains = await dir.sluice(`suppress import domains.csv --json ${STATE}`);
  expect(JSON.parse(domains.stdout)).toMatchObject({ added: 1, unused: 3 });
  expect(domains.stderr).toContain('many people share gmail.com (a mail provider)');
  expect(domains.stderr).toContain('line 5 (is only a part of the domain firm2.example');
  const all = await dir.sluice(`suppress import domains.csv --yes --json ${STATE}`);
  expect(JSON.parse(all.stdout)).toMatchObject({ added: 2, already: 1 });

  const found = async (email: string) => {
    const { stdout } = await dir.sluice(`suppress check email=${email} ${STATE}`);
    return stdout.replace(/since .* \(UTC\), number/, '');
  };
  expect(await found('ada@engines.example')).toBe('Suppressed  1: gone.\n');
  expect(await found('cyd@engines.example')).toBe('Suppressed  3.\n');
  expect(await found('x@mail.firm.example')).toBe('Suppressed  4.\n');
  expect(await found('y@gmail.com')).toBe('Suppressed  5.\n');
  expect(await found('z@other.example')).toBe('Not suppressed.\n');
  const removed = await dir.sluice(`suppress remove 1 2 99 --json ${STATE}`);
  expect(JSON.parse(removed.stdout)).toEqual({ removed: 2 });
  expect((await dir.sluice(`suppress list --limit 1 ${STATE}`)).stdout).toMatch(
    /\n6 +\d.* 1 domain/,
  );
});

test('forget suppresses as well where it is told so, and says what comes of it if not', async () => {
  const sandbox = await startSandboxProcess();
  const dir = openWorkdir(sandbox.url);
  dir.write('one.csv', csv(people(3)));
  await dir.sluice(enrich('one.csv'));
  const [first = '', second = ''] = dir.rows('out-one.csv').map(({ email }) => email ?? '');
  const plain = await dir.sluice(`state forget email=${first} --yes ${STATE}`);
  expect(plain.stdout).toContain(
    'After that, or if more is asked, it is paid for again. "sluice suppress add"',
  );
  const done = await dir.sluice(
    `state forget email=${second} --suppress --reason gone --yes --json ${STATE}`,
  );
  expect(JSON.parse(done.stdout)).toMatchObject({ leads: 1, removed: true, suppressed: 1 });
  const nothing = await dir.sluice(`state forget email=x@y.example --suppress --json ${STATE}`);
  expect(JSON.parse(nothing.stdout)).toMatchObject({ leads: 0, suppressed: 1 });
  const before = await sandbox.ledger();
  dir.write('two.csv', csv(people(2)));
  await dir.sluice(
    `enrich two.csv --out out.csv --ask find_phone --fresh-for 1ms --set rate=off ${STATE} --quiet`,
  );
  expect(dir.rows('out.csv').map((row) => row['sluice_reason'])).toEqual(['', 'suppressed: gone']);
  expect((await sandbox.ledger()).accepted).toBe(before.accepted + 1);
  const alone = await dir.sluice(`state forget email=${first} --reason gone ${STATE}`);
  expect(complaintOf(alone)).toMatch(/add --suppress/);
  const shared = await dir.sluice(`state forget companyDomain=gmail.com --suppress ${STATE}`);
  expect(complaintOf(shared)).toMatch(/many people share gmail\.com .*--yes/);
});

test('lookup tells what is known of a person, where from, where it went, and whether suppressed', async () => {
  const sandbox = await startSandboxProcess();
  const dir = openWorkdir(sandbox.url);
  dir.write('one.csv', csv(people(2)));
  await dir.sluice(`${enrich('one.csv')} --set list.name=buyers --report report.html`);
  const { email = '' } = dir.rows('out-one.csv')[0] ?? {};
  const before = await sandbox.ledger();
  const tell = async (more = '') =>
    (await dir.sluice(`lookup email=${email} --tell ${STATE}${more}`)).stdout;
  const told = await tell();
  expect(told).toMatch(
    /^Known of them: 1 enrichment\nEnrichment 1\n +asked +find_email, social_enrichment, by run 1 of /,
  );
  for (const says of [
    'account         id-',
    email,
    'line 2 of one.csv, run 1',
    'out-one.csv',
    '"buyers" (clt_',
  ]) {
    expect(told).toContain(says);
  }
  expect(told).toMatch(/\nNot suppressed\.\n$/);
  expect(dir.files()).toContain('report.html');
  expect(told).not.toContain('report.html');
  // Who is in the earlier run alone stands in the table of changes, too.
  dir.write('one.csv', csv(people(1, 2)));
  await dir.sluice(`${enrich('one.csv')} --set changes=changes.csv`);
  expect(dir.text('changes.csv')).toContain(email);
  expect(await tell()).toContain('changes.csv');
  await dir.sluice(`suppress add email=${email} --reason gone ${STATE}`);
  expect(JSON.parse(await tell(' --json'))).toMatchObject({
    suppressed: true,
    suppressions: [{ number: 1, reason: 'gone' }],
    known: [{ status: 'found', job: expect.any(String), shown_in: [{ run: 1, line: 2 }] }],
  });
  const other = await dir.sluice(`lookup email=no@else.example --tell ${STATE}`);
  expect(other.stdout).toBe('Nothing is known of them.\nNot suppressed.\n');
  const nobody = await dir.sluice(`lookup firstName=Ada --tell ${STATE}`);
  expect(complaintOf(nobody)).toMatch(/These inputs name no person: give email/);
  expect(await sandbox.ledger()).toEqual(before);
});

test('a person is known again without titles, and a company without its legal form', async () => {
  const dir = openWorkdir('sandbox');
  const who = ['firstName=Dr. Ada', 'lastName=Lovelace', 'companyName=Contoso SA'];
  await dir.sluice(['suppress', 'add', ...who, ...STATE.split(' ')]);
  dir.write('one.csv', 'First name,Last name,Company\nAda,"Lovelace, PhD",Contoso\n');
  await dir.sluice(enrich('one.csv'));
  expect(dir.rows('out-one.csv')).toMatchObject([{ sluice_reason: 'suppressed' }]);
});

test('all leads of a file may be suppressed: that is as it should be', async () => {
  const dir = openWorkdir('sandbox');
  dir.write('one.csv', csv(people(1)));
  await dir.sluice(`suppress import one.csv ${STATE}`);
  expect(await dir.sluice(enrich('one.csv'))).toMatchObject({ code: 0, stderr: '' });
  expect(dir.rows('out-one.csv')).toMatchObject([{ sluice_reason: 'suppressed' }]);
});

test.each([
  ['suppress add', /needs one more argument/],
  ['suppress add email=nobody', /email wants a complete e-mail address\./],
  ['suppress add companyName=Engines', /name no person/],
  ['suppress add firstName=Ada companyName=Engines', /name no person/],
  ['suppress add companyDomain=mail.acme.example', /its complete domain: give acme\.example,/],
  ['suppress add companyDomain=https://mail.acme.example/ companyName=A', /: give acme\.example,/],
  ['suppress check companyDomain=mail.acme.example', /: give acme\.example,/],
  ['suppress add companyDomain=gmail.com companyName=Google', /many people share gmail\.com/],
  [
    'suppress add companyDomain=gmail.com',
    /many people share gmail\.com \(a mail provider\).*--yes/,
  ],
  ['suppress remove', /needs one more argument/],
  ['suppress remove one', /write INPUT=VALUE/],
  ['suppress', /needs <command>: write it "sluice suppress <command>"/],
])('"%s" is refused, and says what to do', async (line, says) => {
  const dir = openWorkdir('sandbox');
  dir.write('empty.csv', 'email\n');
  await dir.sluice(`suppress import empty.csv ${STATE}`);
  const said = await dir.sluice(line === 'suppress' ? line : `${line} ${STATE}`);
  expect(said.code).toBe(2);
  expect(complaintOf(said)).toMatch(says);
  expect(said.stderr).not.toContain('=nobody');
});
