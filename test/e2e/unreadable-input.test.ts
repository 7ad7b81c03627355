// Input that cannot be read, wholly or in part: one sentence and exit 3, or the line told and the rest done.
import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { canBeUnprivileged } from '../helpers/command-line.js';
import { answering, startServer } from '../helpers/counting-server.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { complaintOf, csv, openWorkdir, people } from '../helpers/workdir.js';
import { inlineCell, workbookOf } from '../input/xlsx/make-workbook.js';

const sandbox = await startSandboxProcess();
const silent = await startServer(answering({}));

const ENRICH = '--out out.csv --ask find_email --set rate=off';
/** A workbook that a program wrote, without the values of its formulas. */
const HEADER = ['first_name', 'last_name', 'domain'].map(inlineCell).join('');
const FORMULA = '<c><f>Other!A1</f><v></v></c>'.repeat(3);
const FORMULAS = workbookOf({
  sheets: [{ rows: `<row>${HEADER}</row><row>${FORMULA}</row><row>${FORMULA}</row>` }],
});

describe.concurrent('input that cannot be read at all', () => {
  test('a file that is not there is exit 3, and nothing is asked', async () => {
    const dir = openWorkdir(silent.url);
    expect(await dir.refusal(`enrich leads.csv ${ENRICH}`, { code: 3 })).toBe(
      'There is no input file leads.csv; check its name and the folder you start from.',
    );
    expect(dir.files()).toEqual([]);
    expect(silent.asked).toEqual([]);
  });

  test.skipIf(!canBeUnprivileged)('a file that may not be read is exit 3', async () => {
    const dir = openWorkdir(silent.url).write('leads.csv', csv(['Jane,Doe,acme.com']));
    chmodSync(dir.at('leads.csv'), 0o000);
    expect(
      await dir.refusal(`enrich leads.csv ${ENRICH}`, { code: 3, isUnprivileged: true }),
    ).toContain('The input file leads.csv may not be read by this user');
  });

  test('a header alone is exit 1 and a sentence; a table that is there stays as it is', async () => {
    const dir = openWorkdir(silent.url).write('leads.csv', csv([]));
    expect(await dir.refusal(`enrich leads.csv ${ENRICH} -q`, { code: 1 })).toBe(
      'Run 1 of leads.csv: leads.csv has a header and no leads. "sluice status 1" says why.',
    );
    expect(dir.header('out.csv').slice(0, 4)).toEqual([
      'first_name',
      'last_name',
      'domain',
      'sluice_status',
    ]);
    expect(dir.rows('out.csv')).toEqual([]);
    dir.write('leads.csv', csv(['Ada,,']));
    await dir.sluice(`enrich leads.csv ${ENRICH}`);
    const table = dir.text('out.csv');
    expect(dir.rows('out.csv')).toHaveLength(1);
    dir.write('leads.csv', csv([]));
    expect(await dir.refusal(`enrich leads.csv ${ENRICH} -q`, { code: 1 })).toBe(
      'Run 3 of leads.csv: leads.csv has a header and no leads; the table was left as it was. "sluice status 3" says why.',
    );
    expect((await dir.sluice(`enrich leads.csv ${ENRICH}`)).stderr).toMatch(
      /^input: leads\.csv has a header and no leads\. .*start the job again\.$/m,
    );
    expect(dir.text('out.csv')).toBe(table);
    expect(silent.asked).toEqual([]);
  });
});

describe.concurrent('lines that cannot be read', () => {
  test('ragged rows and an unclosed quote are told by line, and the others go on', async () => {
    const dir = openWorkdir(sandbox.url).write(
      'leads.csv',
      csv([
        'Eve1,Byron,firm1.com',
        'Eve2,firm2.com',
        'Eve3,Byron,firm3.com,surplus',
        '"Eve4,Byron,firm4.com',
        'Eve5,Byron,firm5.com',
      ]),
    );
    const ended = await dir.sluice(`enrich leads.csv ${ENRICH} --json`);
    expect(ended.code).toBe(0);

    const told = dir.rows('out.csv').map((row) => [row['first_name'], row['sluice_status']]);
    expect(told).toEqual([
      ['Eve1', 'found'],
      ['Eve2', 'skipped'],
      ['Eve3', 'skipped'],
      ['Eve5', expect.stringMatching(/found/)],
    ]);
    expect(dir.rows('out.csv')[1]?.['sluice_reason']).toBe('ragged_row: 2 cells under 3 columns');
    expect(dir.rows('out.rejects.csv')).toEqual([
      {
        source: 'leads.csv',
        line: '4',
        reason: 'ragged_row: 4 cells under 3 columns; the surplus cells are only here',
        raw: 'Eve3,Byron,firm3.com,surplus',
      },
      {
        source: 'leads.csv',
        line: '5',
        reason: expect.stringContaining('unclosed_quote'),
        raw: expect.stringContaining('"Eve4,Byron,firm4.com'),
      },
    ]);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      leads: 4,
      rejects: 2,
      rejects_file: 'out.rejects.csv',
    });
  });

  test('rows without the empty cells at their ends are read, and counted', async () => {
    const own = await startSandboxProcess();
    const row = (name: string) => `${name},Byron,${name.toLowerCase()}.com`;
    const dir = openWorkdir(own.url).write(
      'leads.csv',
      `first_name,last_name,domain,phone,note\n${row('Ada')}\n${row('Bob')},,\n${row('Cid')}\n`,
    );
    const said =
      'Short rows: 2 of 3 rows in the file, from line 2 on, have fewer cells than the header; the missing ones count as empty (in leads.csv)';
    expect((await dir.sluice(`plan leads.csv ${ENRICH}`)).stdout).toContain(said);
    const ended = await dir.sluice(`enrich leads.csv ${ENRICH}`);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain(said);
    expect(dir.rows('out.csv').map((one) => one['sluice_status'])).not.toContain('skipped');
    expect(await own.entries()).toHaveLength(3);
  });

  test('a file without a header is exit 3 until the user says that it has none', async () => {
    const dir = openWorkdir(sandbox.url).write('leads.csv', 'eve1@firm1.com\neve2@firm2.com\n');
    const enrich = 'enrich leads.csv --ask verify_email --out out.csv --set rate=off';
    expect(await dir.refusal(enrich, { code: 3 })).toContain('has no names of columns: line 1');
    const none = `${enrich} --set header-row=none`;
    expect(await dir.refusal(none, { code: 2 })).toContain('Its columns are: column_1.');
    expect((await dir.sluice(`${none} --map email=column_1`)).code).toBe(0);
    expect(dir.rows('out.csv').map((row) => row['column_1'])).toEqual([
      'eve1@firm1.com',
      'eve2@firm2.com',
    ]);
  });

  test('plan --check shows what is doubtful with its lines, and is exit 1 where something is', async () => {
    const own = await startSandboxProcess();
    const lines = [
      'first_name,last_name,domain,company,note',
      'Ann,Lee,acme.com,,x',
      'Ann,Lee,,Acme Corp,x',
      'Lee,Ann,acme.de',
      'Ann,Lee,other.com,,namesake',
      'Bob,Ray,ray.com',
      'Cid,Cole,cole.com,,x,y',
      'Dee,dee.com',
      'first_name,last_name,domain,company,note',
      '"Eve,Byron,eve.com',
      'Zo\xeb,Fay,fay.com,,x',
      'Gus,,gus.com,,x',
    ];
    const dir = openWorkdir(own.url).write(
      'leads.csv',
      Buffer.from(`${lines.join('\n')}\n`, 'latin1'),
    );
    const check = `plan leads.csv ${ENRICH} --check`;
    const ended = await dir.sluice(`${check} --json`);
    expect(ended.code).toBe(1);
    const one = 'the same name, and nothing that tells two people apart: each is paid for';
    const short = 'cells are missing at their ends, and count as empty';
    const surplus = 'ragged_row: 6 cells under 5 columns';
    const row = (what: string, found: number[], reason: unknown) => {
      return { what, source: 'leads.csv', rows: found.length, lines: found, reason };
    };
    const { doubts, ...rest } = JSON.parse(ended.stdout) as { doubts: object[] };
    expect(rest).toEqual({ leads: 10, rejects: 2, refusal: '' });
    expect(doubts).toHaveLength(8);
    expect(doubts).toEqual(
      expect.arrayContaining([
        { what: 'encoding', source: 'leads.csv', rows: null, lines: [], reason: 'windows-1252' },
        row('reject', [7], `${surplus}; the surplus cells are only here`),
        row('reject', [10], expect.stringContaining('unclosed_quote')),
        row('short row', [4, 6], short),
        row('skipped', [8], 'ragged_row: 2 cells under 5 columns'),
        row('skipped', [12], 'insufficient inputs: no last name: last_name is empty'),
        row('repeated header', [9], 'skipped'),
        row('one person?', [3, 4], `may be the person of line 2: ${one}`),
      ]),
    );
    const shown = await dir.sluice(check);
    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatch(/short row +2 +4, 6 +cells are missing/);

    dir.write('leads.csv', 'first_name,last_name,domain\nAnn,Lee,acme.com\nBob,Ray,ray.com\n');
    await dir.sluice(
      'suppress add firstName=Bob lastName=Ray companyDomain=ray.com --reason asked',
    );
    const clean = await dir.sluice(check);
    expect([clean.code, clean.stdout]).toEqual([
      0,
      expect.stringContaining('Nothing is doubtful.'),
    ]);
    expect(await own.entries()).toEqual([]);
  });

  test('plan tells a name in the other order among many, and damaged names, before they are paid for', async () => {
    const own = await startSandboxProcess();
    const names = Array.from('ABCDEFGHIJKLMN').map((one) => [
      `${one}nna`,
      'Byron',
      `${one}.example.com`,
    ]);
    const lines = names.map(([first, last, domain], i) =>
      i === 3 ? `${last} ${first},${domain}` : `"${last}, ${first}",${domain}`,
    );
    lines[7] = '"LefÃ¨vre, Ren??e",lefevre.com';
    lines[8] = '"O&#39;Brien, Pat",obrien.com';
    lines[9] = '"São Tomé, Ana & Åsa",tome.com';
    const dir = openWorkdir(own.url).write('leads.csv', ['Name,Website', ...lines, ''].join('\n'));
    const plan = `plan leads.csv ${ENRICH} --map fullName=Name`;
    const order =
      'others of the column put the last name first, this one shows no order: its first word is sent as the first name';
    const damage =
      'Name has characters that an earlier program has damaged or escaped, like Ã© or &amp;: they are sent as they are';
    const told = await dir.sluice(plan);
    expect(told.code).toBe(0);
    expect(told.stdout).toContain(`leads.csv, line 5: ${order}.`);
    expect(told.stdout).toContain(`leads.csv, lines 9–10: ${damage}.`);
    const checked = await dir.sluice(`${plan} --check --json`);
    expect(checked.code).toBe(1);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      doubts: [
        { what: 'damaged text', rows: 2, lines: [9, 10], reason: damage },
        { what: 'name order', rows: 1, lines: [5], reason: order },
      ],
    });

    const western = names.map(([first, last, domain]) => `${first} ${last},${domain}`);
    const one = `"${names[3]?.[1]}, ${names[3]?.[0]}",${names[3]?.[2]}`;
    dir.write('leads.csv', ['Name,Website', ...western, one, ''].join('\n'));
    const clean = await dir.sluice(`${plan} --check`);
    expect([clean.code, clean.stdout]).toEqual([
      0,
      expect.stringContaining('Nothing is doubtful.'),
    ]);
  });

  test('an encoding that cannot be guessed sends nothing until it is named', async () => {
    const own = await startSandboxProcess();
    const lines = Buffer.from(csv(['H\u008el\u008fne,Byron,firm1.com']), 'latin1');
    const dir = openWorkdir(own.url).write('leads.csv', lines);
    expect(await dir.refusal(`enrich leads.csv ${ENRICH} -q`, { code: 3 })).toContain(
      'leads.csv has no encoding that can be guessed: line 2 ',
    );
    expect(await own.entries()).toEqual([]);
    await dir.sluice(`enrich leads.csv ${ENRICH} -q --set encoding=macintosh`);
    expect((await own.entries()).map(({ inputs }) => inputs['firstName'])).toEqual(['Hélène']);
  });

  test.each([
    ['leads.csv', csv(['"Ada" , "Lovelace" , x', '"Bob" , "Short" , y']), /^stray_quote: /],
    ['leads.xlsx', FORMULAS, /^columns first_name, last_name, domain hold formulas whose values /],
  ])('of which no line of %s is a lead is exit 1 and one sentence', async (name, content, why) => {
    const dir = openWorkdir(silent.url).write(name, content);
    expect(await dir.refusal(`enrich ${name} ${ENRICH} -q`, { code: 1 })).toBe(
      `Run 1 of ${name}: no line of ${name} is a lead (their reasons: out.rejects.csv). "sluice status 1" says why.`,
    );
    expect(dir.rows('out.rejects.csv')).toMatchObject([
      { line: '2', reason: expect.stringMatching(why) },
      { line: '3', reason: expect.stringMatching(why) },
    ]);
    const said = `rejects: no line of ${name} is a lead. `;
    const again = await dir.sluice(`enrich ${name} ${ENRICH}`);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(said)]);
    expect((await dir.sluice('status 1')).stdout).toContain(said);
    dir.write('out.csv', 'what was known yesterday\n');
    const quiet = await dir.refusal(`enrich ${name} ${ENRICH} -q --force`, { code: 1 });
    expect(quiet).toContain('(their reasons: out.rejects.csv); the table was left as it was.');
    expect([dir.text('out.csv'), dir.rows('out.rejects.csv')]).toEqual([
      'what was known yesterday\n',
      expect.objectContaining({ length: 2 }),
    ]);
    expect((await dir.sluice(`enrich ${name} ${ENRICH} --json --force`)).code).toBe(1);
    expect(silent.asked).toEqual([]);
  });
});

/** So many rows of 28 people, and then 12 rows that cannot be leads. */
const rowsOf = (good: number) => [...leadsOf(good), ...Array<string>(12).fill('Eve,firm.com')];
const leadsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => people(28)[i % 28] ?? '');

describe.concurrent('an input of which many rows cannot be leads', () => {
  test('sends nothing until the user accepts their share, and a plan says so', async () => {
    const own = await startSandboxProcess();
    const dir = openWorkdir(own.url).write('leads.csv', csv(rowsOf(28)));
    const why = await dir.refusal(`enrich leads.csv ${ENRICH}`, { code: 3 });
    expect(why).toBe(
      'The input file leads.csv has 40 rows, and 12 of them cannot be leads as they are written. Correct them, or accept them with --set accept-rejects=30%, or that key of the job: a run goes on where at most this share of the rows is rejected. Why: 12 from line 30 on: ragged_row: 2 cells under 3 columns.',
    );
    expect(dir.files()).toEqual(['leads.csv']);
    const planned = await dir.sluice(`plan leads.csv ${ENRICH}`);
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining(why)]);
    const less = await dir.sluice(`enrich leads.csv ${ENRICH} --set accept-rejects=29%`);
    expect([less.code, complaintOf(less)]).toEqual([3, why]);
    expect(await own.entries()).toEqual([]);
    const accepted = '--set accept-rejects=30%';
    expect(await dir.json(`plan leads.csv ${ENRICH} ${accepted}`)).toMatchObject({
      leads: 40,
      refusal: '',
    });
    expect((await dir.sluice(`enrich leads.csv ${ENRICH} ${accepted}`)).code).toBe(0);
    expect(await own.entries()).toHaveLength(28);
  });

  test('where it is one in ten of them, all others are asked for', async () => {
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(rowsOf(108)));
    expect((await dir.sluice(`enrich leads.csv ${ENRICH}`)).code).toBe(0);
  });

  test('is judged by the first 500 leads of a pipe, and ends a run where it shows later', async () => {
    const own = await startSandboxProcess('--latency 0ms');
    const dir = openWorkdir(own.url);
    const pipe = (rows: readonly string[]) =>
      dir.sluice(`enrich - ${ENRICH} -q`, { stdin: csv(rows) });
    const refused = await pipe(rowsOf(20));
    expect([refused.code, dir.has('out.csv')]).toEqual([3, false]);
    expect(complaintOf(refused)).toMatch(/^Standard input has 32 rows, and 12 of them cannot be /);
    expect(await own.entries()).toEqual([]);
    expect((await pipe([...rowsOf(0), ...leadsOf(120)])).code).toBe(0);
    expect(await own.entries()).toHaveLength(28);
    const bad = Array<string>(60).fill('Eve,firm.com');
    const late = await pipe([...leadsOf(500), ...bad, ...people(9, 200)]);
    expect(late.code).toBe(3);
    expect(complaintOf(late)).toMatch(
      /^Standard input has 5\d\d rows, and [56]\d of them cannot be /,
    );
    expect(await own.entries()).toHaveLength(28);
  });

  test('is not called done in a drop folder', async () => {
    const own = await startSandboxProcess();
    const dir = openWorkdir(own.url)
      .write('inbox/a.csv', csv(rowsOf(8)))
      .write('inbox/b.csv', csv(people(2, 20)));
    const run = (flags = '') =>
      dir.sluice([
        'enrich',
        'inbox/*.csv',
        ...`--out {input}.csv --ask find_email --set rate=off -q${flags}`.split(' '),
      ]);
    const refused = await run();
    expect(refused.code).toBe(3);
    expect(complaintOf(refused)).toContain(
      'inbox/a.csv has 20 rows, and 12 of them cannot be leads',
    );
    expect(await own.entries()).toHaveLength(2);
    expect((await run()).code).toBe(3);
    expect((await run(' --set accept-rejects=60%')).code).toBe(0);
    expect(await own.entries()).toHaveLength(10);
  });
});

describe.concurrent('inputs that cannot be asked for', () => {
  test('a mapped column that is not there is exit 2 with the columns that are, and the nearest', async () => {
    const dir = openWorkdir(silent.url).write('leads.csv', csv(['Jane,Doe,acme.com']));
    expect(await dir.refusal(`enrich leads.csv ${ENRICH} --map firstName=frist_name`)).toBe(
      'firstName is mapped to the column "frist_name", which the input does not have. Did you mean "first_name"? Its columns are: first_name, last_name, domain.',
    );
    expect(dir.files()).toEqual(['leads.csv']);
  });

  test('a file of another kind is refused, and not repeated', async () => {
    const dir = openWorkdir(silent.url);
    dir.write('shadow', 'daemon:*:19000:0:99999:7:::\nroot:$6$Zk3j$1uVq:19000:0:99999:7:::\n');
    dir.write('odd.yaml', 'daemon:*:19000:0:99999:7:::\n');
    for (const line of [
      `enrich shadow ${ENRICH}`,
      `plan shadow ${ENRICH}`,
      'run shadow',
      'run odd.yaml',
    ]) {
      const ended = await dir.sluice(line);
      expect(ended.code).toBe(2);
      expect(ended.stdout + ended.stderr).not.toMatch(/daemon|19000|root|Zk3j/);
    }
    expect(silent.asked).toEqual([]);
  });

  test('columns that cannot be mapped are exit 2 with their names', async () => {
    const dir = openWorkdir(silent.url).write('leads.csv', 'Kunde,Ort\n1,2\n');
    expect(await dir.refusal(`enrich leads.csv ${ENRICH}`)).toContain(
      'Its columns are: Kunde, Ort.',
    );
    expect(dir.has('out.csv')).toBe(false);
    expect(silent.asked).toEqual([]);
  });
});
