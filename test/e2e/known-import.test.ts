// Answers that were bought elsewhere are known: by an export of another state, or a table of another tool.
import { expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, csv, openWorkdir, people } from '../helpers/workdir.js';

const ASK = '--ask find_email,social_enrichment --set rate=off';

test.each(['csv', 'xlsx', 'ndjson'])(
  'a table of Sluice, as %s, is known in a new state',
  async (format) => {
    const sandbox = await startSandboxProcess();
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(12)));
    await dir.sluice(`enrich leads.csv --out old.${format} ${ASK} --state old.db --quiet`);
    await dir.sluice(`enrich leads.csv --out old.csv ${ASK} --state old.db --quiet --force`);
    const before = await sandbox.ledger();
    const rows = dir.rows('old.csv');
    const bought = rows.filter((row) => row['sluice_status'] === 'found');
    const asks = {
      find_email: rows.filter((row) => row['email'] !== '').length,
      social_enrichment: rows.filter((row) => row['social_url'] !== '').length,
    };

    const dry = await dir.sluice(`known import old.${format} --dry-run --state new.db`);
    expect(dry.stdout).toContain(`Would be taken: ${bought.length} leads (`);
    expect(dry.stdout.match(/^line \d+: it has no value$/gm)).toHaveLength(12 - bought.length);
    expect(dir.files()).not.toContain('new.db');

    const taken = await dir.sluice(`known import old.${format} --state new.db --json`);
    expect(taken.code).toBe(0);
    expect(JSON.parse(taken.stdout)).toMatchObject({
      run: 1,
      answers: bought.length,
      taken: bought.length,
      known: 0,
      suppressed: 0,
      by_ask: asks,
      left_out: 12 - bought.length,
    });
    // Only what was not found is asked again, and costs nothing.
    const plan = await dir.sluice(`plan leads.csv ${ASK} --state new.db --json`);
    const missed = rows.filter((row) => row['email'] === '' || row['social_url'] === '').length;
    expect(JSON.parse(plan.stdout)).toMatchObject({ to_pay: missed });
    await dir.sluice(`enrich leads.csv --out new.csv ${ASK} --state new.db --quiet`);
    const shown = dir.rows('new.csv');
    for (const column of [
      'email',
      'email_status',
      'social_url',
      'social_first_name',
      'company_id',
    ]) {
      expect(shown.map((row) => row[column])).toEqual(rows.map((row) => row[column]));
    }
    const whole = rows.findIndex((row) => row['email'] !== '' && row['social_url'] !== '');
    expect(shown[whole]).toMatchObject({ source: 'import', credits: '0', enrichment_id: '' });
    expect(Date.parse(shown[whole]?.['enriched_at'] ?? '') / 1000).toBeCloseTo(
      Date.parse(rows[whole]?.['enriched_at'] ?? '') / 1000,
      0,
    );
    expect((await sandbox.ledger()).accepted).toBe(before.accepted + missed);
    expect(shown.map((row) => row['credits'])).toEqual(rows.map(() => '0'));

    const told = await dir.sluice(`explain 2 ${whole + 2} --state new.db`);
    expect(told.stdout).toMatch(
      /Sent +not sent: it was imported .*\n[^]*Paid +nothing: it was bought/,
    );
    const again = await dir.sluice(`known import old.${format} --state new.db --json`);
    expect(JSON.parse(again.stdout)).toMatchObject({ taken: 0, known: bought.length });
  },
);

test('a table of another tool is taken by headers and words, and counts by its own dates', async () => {
  const sandbox = await startSandboxProcess();
  const dir = openWorkdir(sandbox.url);
  const day = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const dotted = (daysAgo: number) => day(daysAgo).split('-').toReversed().join('.');
  dir.write(
    'bought.csv',
    `Vorname,Nachname,Firma,E-Mail,Stand,Telefon,Am,Wort
Ada,Lovelace,Engines SA,ada@engines.example,risky,+49 30 123456,${dotted(3)},catch_all
Bob,Byron,Engines,bob@engines.example,,,${day(60)},
Cyd,Quinn,Engines,,,030 7654321,,
Dan,Roe,Engines,none at all,,,,
Eve,Sun,Engines,,,,,
Fay,,Engines,fay@engines.example,,,${day(1)},
Gil,Tor,Engines,gil@engines.example,,,11/12/2026,
Hal,Uhl,Engines,hal@engines.example,,,${day(-9)},
`,
  );
  const found =
    '--found email_status=Stand --found enriched_at=Am --found platform_email_status=Wort';
  const dry = await dir.sluice(`known import bought.csv ${found} --dry-run`);
  expect(dry.stdout.split('\n').slice(0, -1)).toEqual([
    'line 4: it has no date: name one by --at, or its column by --found enriched_at=COLUMN',
    'line 5: email is not an e-mail address',
    'line 6: it has no value',
    expect.stringMatching(/^line 7: insufficient inputs: no /),
    'line 8: its date cannot be read: write it as 2026-11-21 or 21.11.2026, since 11/12/2026 has two meanings',
    'line 9: its date is in the future',
    'Would be taken: 2 leads (2 find_email, 1 find_phone).',
    'Older than 30d: 1 answer. A run asks again for what is that old, unless it has --fresh-for 62d.',
  ]);
  const taken = await dir.sluice(`known import bought.csv ${found} --at ${dotted(2)}`);
  expect(taken.stdout).toMatch(
    /^Run 1: 3 taken of 3 leads \(2 find_email, 2 find_phone\)\. Nothing/,
  );
  expect(taken.stderr).toMatch(/^5 lines left out: line 5 \(email is not/);

  // Other files call them otherwise; the address of Bob is too old.
  dir.write(
    'leads.csv',
    'First name,Last name,Company\nDr. Ada,Lovelace,Engines\nBob,Byron,Engines AG\nCyd,Quinn,ENGINES\n',
  );
  const ask = '--ask find_email,find_phone --set rate=off --fresh-for 30d';
  const plan = JSON.parse((await dir.sluice(`plan leads.csv ${ask} --json`)).stdout);
  expect(plan).toMatchObject({ to_pay: 2 });
  await dir.sluice(`enrich leads.csv --out out.csv ${ask} --quiet`);
  expect(dir.rows('out.csv')).toMatchObject([
    {
      email: 'ada@engines.example',
      phone: '+49 30 123456',
      source: 'import',
      email_status: 'risky',
      platform_email_status: 'catch_all',
    },
    { source: 'api' },
    { phone: '030 7654321' },
  ]);
  expect((await sandbox.ledger()).accepted).toBe(2);
  const known = await dir.sluice('lookup email=ada@engines.example --tell');
  expect(known.stdout).toContain('find_email, find_phone, imported by run 1 of import');

  await dir.sluice('suppress add email=ada@engines.example --reason gone');
  const line = await dir.sluice('explain 1 2 --json');
  expect(JSON.parse(line.stdout)).toMatchObject({
    status: 'skipped',
    enrichment: { imported: true },
  });
  await dir.sluice('state forget email=ada@engines.example --yes');
  expect((await dir.sluice('lookup email=ada@engines.example --tell')).stdout).toContain(
    'Nothing is known',
  );
  const refused = await dir.sluice('known import bought.csv --found phone=Phon');
  expect(complaintOf(refused)).toContain('phone is mapped to the column "Phon"');
  dir.write('none.csv', 'First name,Last name,Company\nAda,Lovelace,Engines\n');
  expect(complaintOf(await dir.sluice('known import none.csv'))).toContain('looks like an answer');
  expect(complaintOf(await dir.sluice('known import none.csv --at soon'))).toContain('--at wants');
});
