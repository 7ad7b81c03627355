// Which leads are asked: `where`, `only-missing` and `sample`. The sandbox's ledger is the witness.
import { describe, expect, test } from 'vitest';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, openWorkdir, type Workdir } from '../helpers/workdir.js';

const ENRICH = 'enrich leads.csv --ask find_email --out out.csv --set rate=off --quiet';
const HEADER = 'First name,Last name,Domain,E-Mail,Handy,country';

/** Every third is in Italy; every fourth has an e-mail address, every fifth none that can be used. */
function leads(count: number): string {
  const rows = Array.from({ length: count }, (_, n) => {
    const email = n % 4 === 0 ? `own${n}@mail.example` : n % 5 === 0 ? 'n/a' : '';
    return `Ann${n},Byron,firm${n}.com,${email},,${n % 3 === 0 ? 'IT' : 'FR'}`;
  });
  return [HEADER, ...rows, ''].join('\n');
}

async function openShop(count = 24) {
  const sandbox = await startSandboxProcess();
  return { sandbox, dir: openWorkdir(sandbox.url).write('leads.csv', leads(count)) };
}

/** How many rows have each status. */
function statuses(dir: Workdir): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { sluice_status: status = '' } of dir.rows('out.csv')) {
    const kind = ['found', 'not_found', 'failed'].includes(status) ? 'answered' : status;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

async function plan(dir: Workdir, flags: string) {
  const { stdout } = await dir.sluice(`plan leads.csv --ask find_email --json ${flags}`);
  return JSON.parse(stdout) as { to_pay: number; not_asked: { leads: number; reason: string }[] };
}

describe.concurrent('the leads that are asked', () => {
  test('are those of where; the others keep their row, and are asked later without it', async () => {
    const { dir, sandbox } = await openShop();
    const flags = ['--where', 'country in (IT, DE)', '--map', 'email='];
    const where = [...ENRICH.split(' '), ...flags];
    const planned = await dir.sluice(['plan', 'leads.csv', '--ask', 'find_email', ...flags]);
    expect(planned.stdout).toMatch(
      /not asked +16 {2}not chosen; cost nothing\n +16 not chosen by where\n/,
    );
    expect(planned.stdout).toMatch(/to pay +8 /);
    await dir.sluice(where);
    expect(statuses(dir)).toEqual({ answered: 8, not_asked: 16 });
    const rows = dir.rows('out.csv');
    expect(
      rows.every((row) => (row['country'] === 'IT') !== (row['sluice_status'] === 'not_asked')),
    ).toBe(true);
    expect(rows.find((row) => row['country'] === 'FR')).toMatchObject({
      sluice_reason: 'not chosen by where',
      credits: '0',
      source: '',
    });
    expect(await sandbox.ledger()).toMatchObject({ accepted: 8 });
    await dir.sluice(`${ENRICH} --map email=`);
    expect(statuses(dir)).toEqual({ answered: 24 });
    expect(await sandbox.ledger()).toMatchObject({ accepted: 24, doubled: [] });
  });

  test('are those without an address of their own, and that is not sent', async () => {
    const { dir, sandbox } = await openShop();
    expect((await plan(dir, '--only-missing')).to_pay).toBe(18);
    await dir.sluice(`${ENRICH} --only-missing`);
    expect(statuses(dir)).toEqual({ answered: 18, not_asked: 6 });
    const [first] = dir.rows('out.csv');
    expect(first).toMatchObject({
      sluice_status: 'not_asked',
      sluice_reason: 'email in the input already',
    });
    const entries = await sandbox.entries();
    expect(entries).toHaveLength(18);
    expect(entries.every(({ inputs }) => !('email' in inputs))).toBe(true);
  });

  test('are those whose own address is none, and that is said', async () => {
    const dir = openWorkdir('sandbox').write(
      'leads.csv',
      `${HEADER}\nAnn,Byron,firm.com,john@firm.com/public,,IT\nBob,Byron,firm.com,-,,IT\n`,
    );
    const only = 'plan leads.csv --ask find_email --only-missing';
    expect((await dir.sluice(only)).stdout).toMatch(
      /in part +1 .*\n +1 E-Mail holds no e-mail address, so one is asked for\n/,
    );
    for (const command of [only, 'plan leads.csv --ask find_phone']) {
      const checked = await dir.sluice(`${command} --check --json`);
      expect(checked.code).toBe(1);
      expect(JSON.parse(checked.stdout)).toMatchObject({
        doubts: [{ what: 'not used', rows: 1, lines: [2] }],
      });
    }
  });

  test.each([
    [' --only-missing', 'find_email'],
    [' --map email=', 'find_phone'],
    ['', 'find_email'],
    [' --only-missing --map email=', 'find_phone'],
  ] as const)(
    'cost nothing for a part of what was asked for them, with%s: %s',
    async (flags, ask) => {
      const { dir, sandbox } = await openShop(12);
      const wide = 'enrich leads.csv --ask find_email,find_phone --set rate=off --quiet';
      await dir.sluice(`${wide} --map email= --out wide.csv`);
      const { charged } = await sandbox.ledger();
      const value = ask === 'find_email' ? 'email' : 'phone';
      const known = new Map(dir.rows('wide.csv').map((row) => [row['Domain'], row]));
      // One thing was found of them, and not the other.
      expect(
        [...known.values()].some((row) => row['sluice_status'] === 'found' && row[value] === ''),
      ).toBe(true);
      const planned = await dir.sluice(`plan leads.csv --ask ${ask}${flags} --json`);
      expect(JSON.parse(planned.stdout)).toMatchObject({ to_pay: 0, credits_max: 0 });
      await dir.sluice(ENRICH.replace('find_email', `${ask}${flags}`));
      const asked = dir.rows('out.csv').filter((row) => row['sluice_status'] !== 'not_asked');
      expect(asked.length).toBe(flags.includes('only') && value === 'email' ? 9 : 12);
      for (const { Domain: domain, credits, source, sluice_status, [value]: found } of asked) {
        const whole = known.get(domain);
        expect([found, credits, source]).toEqual([whole?.[value], '0', 'cache']);
        const failed = whole?.['sluice_status'] === 'failed' ? 'failed' : 'not_found';
        expect(sluice_status).toBe(found === '' ? failed : 'found');
      }
      expect(await sandbox.ledger()).toMatchObject({ accepted: 12, charged, doubled: [] });
      const { stdout } = await dir.sluice('explain 2 3');
      expect(stdout).toMatch(
        /Known +\w+ from run 1 line 3 .*\n +Sent +not sent: all of it was known/,
      );
      expect(stdout).toMatch(/Paid +nothing here: what is known was paid before\n/);
    },
  );

  test('fill the column of the user with what was found, and what is kept of the file stays', async () => {
    const { dir } = await openShop(20);
    await dir.sluice(`${ENRICH} --only-missing --fill email=E-Mail`);
    const check = () => {
      const rows = dir.rows('out.csv');
      expect(rows).toHaveLength(20);
      for (const { 'E-Mail': own, email, filled, sluice_status: status } of rows) {
        if (status === 'not_asked')
          expect([own, filled]).toEqual([expect.stringMatching(/^own/), '']);
        else if (email === '')
          expect([['', 'n/a'].includes(own ?? ''), filled]).toEqual([true, '']);
        else expect([own, filled]).toEqual([email, 'email']);
      }
      expect(rows.some(({ filled }) => filled === 'email')).toBe(true);
      return rows;
    };
    const rows = check();
    // From the store alone, also with chosen and renamed columns.
    await dir.sluice('export 1 --quiet');
    expect(check()).toEqual(rows);
    await dir.sluice(['export', '1', '--out', 'few.csv', '--columns', 'Mail=E-Mail,filled']);
    expect(dir.rows('few.csv')).toEqual(
      rows.map((row) => ({ Mail: row['E-Mail'], filled: row['filled'] })),
    );
    const explained = await dir.sluice('explain 1 7 --json');
    expect(JSON.parse(explained.stdout)).toMatchObject({ cells: { 'E-Mail': 'n/a' } });
  });

  test('are none: exit 0, and the table has every lead', async () => {
    const { dir, sandbox } = await openShop(5);
    const ended = await dir.sluice([...ENRICH.split(' '), '--where', 'country = PT']);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(statuses(dir)).toEqual({ not_asked: 5 });
    expect((await sandbox.ledger()).accepted).toBe(0);
    const explained = await dir.sluice('explain 1 2');
    expect(explained.stdout).toContain('not_asked: not chosen by where; nothing was asked');
    const status = await dir.sluice('status 1');
    expect(status.stdout).toMatch(/not asked +5\n[^]*5 not asked: not chosen by where\n/);
  });

  test('are refused before anything is stored or sent where the choice cannot be read', async () => {
    const { dir, sandbox } = await openShop(3);
    for (const [flags, said] of [
      [
        ['--where', 'contry = FR'],
        'there is no column contry in the input. Did you mean "country"?',
      ],
      [['--where', 'email_status = deliverable'], 'The key list.where goes by those'],
      [['--where', 'country ='], 'nothing where a value should be'],
      [['--only-missing', '--map', 'email=Mial'], '"Mial"'],
      [['--fill', 'phone=Hand'], 'no column "Hand" for your own phone numbers'],
    ] as const) {
      const ended = await dir.sluice([...ENRICH.split(' '), ...flags]);
      expect(ended.code).toBe(2);
      expect(complaintOf(ended)).toContain(said);
    }
    const piped = await dir.sluice(`${ENRICH.replace('leads.csv', '-')} --sample 1`, {
      stdin: leads(3),
    });
    expect(piped.code).toBe(2);
    expect(complaintOf(piped)).toContain('can be read only once. Save it as a file');
    expect(dir.has('out.csv')).toBe(false);
    expect((await sandbox.ledger()).accepted).toBe(0);
  });

  test('are not looked for elsewhere when they are not chosen', async () => {
    const { dir, sandbox } = await openShop(6);
    await dir.sluice(`${ENRICH} --map email= --where country=FR`);
    const { accepted } = await sandbox.ledger();
    // Under another account only those are known.
    const ended = await dir.sluice(`${ENRICH} --map email= --account acme --where country=IT`);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const refused = await dir.sluice(`${ENRICH} --map email= --account acme --where country=FR`);
    expect(complaintOf(refused)).toContain('4 leads are known under another account');
    expect(await sandbox.ledger()).toMatchObject({ accepted: accepted + 2, doubled: [] });
  });
});
