// What is read and written, in every form that people have it: nothing of theirs changes on the way.
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { outputColumns } from '../../src/model/columns/output-columns.js';
import type { JsonValue } from '../../src/model/text/json.js';
import { inBrief } from '../helpers/long.js';
import { readParquet } from '../helpers/read-parquet.js';
import { readWorkbook, unzip } from '../helpers/read-workbook.js';
import { startSandboxProcess } from '../helpers/sandbox-process.js';
import { csv, openWorkdir, parseRows, people, type Workdir } from '../helpers/workdir.js';
import { inlineCell, tableOf, workbookOf } from '../input/xlsx/make-workbook.js';

const sandbox = await startSandboxProcess();
const ASK = '--out out.csv --set delimiter-out=, --ask find_email';

const HEADER = 'first_name,last_name,domain';

function ndjson(lines: readonly string[]): string {
  return lines
    .map((line) => {
      const [first_name, last_name, domain] = line.split(',');
      return `${JSON.stringify({ first_name, last_name, domain })}\n`;
    })
    .join('');
}

/** What a sheet has for a value of NDJSON. */
function inSheet(key: string, value: JsonValue): JsonValue {
  if (key === 'enriched_at' && typeof value === 'string') {
    return Date.parse(value) / 86_400_000 + 25_569;
  }
  if (value === '') return null;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** What NDJSON has for a value of Parquet: structs have all their fields, and dates are `Date`. */
function inJson(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(inJson);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const fields = Object.entries(value).filter(([, inner]) => (inner ?? null) !== null);
  return Object.fromEntries(fields.map(([key, inner]) => [key, inJson(inner)]));
}

/** The bytes of a text in UTF-16, little end first, with a byte order mark. */
function utf16(text: string): Buffer {
  return Buffer.from(`\uFEFF${text}`, 'utf16le');
}

/** The people on the only sheet. */
function workbook(lines: readonly string[]): Buffer {
  const table = [HEADER, ...lines].map((line) => line.split(','));
  return workbookOf({ sheets: [{ name: 'Leads', rows: tableOf(table) }] });
}

/** What it is, the name of the file, and its content. */
type Form = [string, string, string | Uint8Array];

describe.concurrent('input in any form gives the same leads', () => {
  const FEW: readonly Form[] = [
    ['gzipped NDJSON under another name', 'leads', gzipSync(ndjson(people(3)))],
    ['a workbook', 'leads.xlsx', workbook(people(3))],
  ];
  const OTHERS: readonly Form[] = [
    ['CSV', 'leads.csv', csv(people(3))],
    ['NDJSON', 'leads.ndjson', ndjson(people(3))],
    ['gzipped CSV', 'leads.csv.gz', gzipSync(csv(people(3)))],
    ['semicolons', 'leads.csv', csv(people(3)).replaceAll(',', ';')],
    ['UTF-16', 'leads.csv', utf16(csv(people(3)))],
    ['tabs', 'leads.tsv', csv(people(3)).replaceAll(',', '\t')],
    ['Windows line ends', 'leads.csv', csv(people(3)).replaceAll('\n', '\r\n')],
    ['a byte order mark', 'leads.csv', `\uFEFF${csv(people(3))}`],
    ['no line end at the end', 'leads.csv', csv(people(3)).trimEnd()],
  ];
  test.each(inBrief(FEW, OTHERS))('%s', async (_, name, content) => {
    const dir = openWorkdir(sandbox.url).write(name, content);
    expect(await dir.sluice(`enrich ${name} ${ASK}`)).toMatchObject({ code: 0 });
    expect(dir.header('out.csv').slice(0, 4)).toEqual([...HEADER.split(','), 'sluice_status']);
    expect(
      dir.rows('out.csv').map(({ first_name, domain, email }) => [first_name, domain, email]),
    ).toEqual([
      ['Eve1', 'firm1.com', expect.stringContaining('@firm1.com')],
      ['Eve2', 'firm2.com', expect.stringContaining('@')],
      ['Eve3', 'firm3.com', expect.stringContaining('@')],
    ]);
  });

  test('standard input, plain, gzipped or a workbook', async () => {
    const all = inBrief([workbook(people(2))], [csv(people(2)), gzipSync(csv(people(2)))]);
    for (const stdin of all) {
      const dir = openWorkdir(sandbox.url);
      const ended = await dir.sluice('enrich - --out - --ask find_email', { stdin });
      expect(ended.code).toBe(0);
      expect(parseRows(ended.stdout).map((row) => row['first_name'])).toEqual(['Eve1', 'Eve2']);
    }
  });

  test('the columns that are wanted, in their order and under their names, those in use, or all', async () => {
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(2)));
    const enriching = 'enrich leads.csv --ask find_email --out out.csv --columns';
    const wrong = await dir.sluice([...enriching.split(' '), 'emial']);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('has no column "emial". Did you mean "email"');
    const twice = await dir.sluice([...enriching.split(' '), 'email,email=domain']);
    expect(twice.stderr).toContain('two columns of the table would be called "email"');
    const chosen = 'domain,Address=email,sluice_status';
    expect(await dir.sluice([...enriching.split(' '), chosen])).toMatchObject({ code: 0 });
    expect(dir.cells('out.csv').slice(1)).toEqual([
      ['firm1.com', expect.stringContaining('@firm1.com'), 'found'],
      ['firm2.com', expect.stringContaining('@'), 'found'],
    ]);
    expect(dir.header('out.csv')).toEqual(['domain', 'Address', 'sluice_status']);
    expect(await dir.sluice('export 1 --out used.csv --columns used')).toMatchObject({ code: 0 });
    expect(dir.header('used.csv')).toEqual([
      ...HEADER.split(','),
      'sluice_status',
      'enrichment_id',
      'source',
      'credits',
      'enriched_at',
      'email',
      'email_status',
      'platform_email_status',
      'email_domain_matches',
    ]);
    expect(await dir.sluice('export 1 --out all.csv --columns all')).toMatchObject({ code: 0 });
    const input = HEADER.split(',').map((name) => ({ name, key: name }));
    const names = outputColumns(input, { kind: 'current' }).map(({ name }) => name);
    expect(dir.header('all.csv')).toEqual(names);
    const two = 'export 1 --out out.ndjson --columns email --columns Firm=domain';
    expect(await dir.sluice(two)).toMatchObject({ code: 0 });
    expect(Object.keys(JSON.parse(dir.text('out.ndjson').split('\n')[0] ?? ''))).toEqual([
      'email',
      'Firm',
    ]);
  });

  test("a table has the input's own delimiter, tabs in a .tsv, and is packed in a .gz", async () => {
    const dir = openWorkdir(sandbox.url).write('leads.csv', csv(people(2)).replaceAll(',', ';'));
    const enriching = 'enrich leads.csv --ask find_email --out';
    expect(await dir.sluice(`${enriching} out.csv`)).toMatchObject({ code: 0 });
    const table = dir.text('out.csv');
    expect(table).toMatch(/^first_name;last_name;domain;sluice_status;/);
    const tabbed = await dir.sluice('export 1 --out out.tsv');
    expect(tabbed).toMatchObject({ code: 0 });
    expect(dir.text('out.tsv')).toBe(table.replaceAll(';', '\t'));
    const packed = () => gunzipSync(readFileSync(dir.at('out.csv.gz'))).toString();
    expect(await dir.sluice('export 1 --out out.csv.gz --set delimiter-out=,')).toMatchObject({
      code: 0,
    });
    expect(packed()).toBe(table.replaceAll(';', ','));
    // Its own table is replaced, also packed, and one that has changed since is not.
    expect(await dir.sluice(`${enriching} out.csv.gz`)).toMatchObject({ code: 0 });
    expect(packed().split('\n')[0]).toBe(table.split('\n')[0]);
    writeFileSync(dir.at('out.csv.gz'), gzipSync('a,b\n1,2\n'));
    expect(await dir.sluice(`${enriching} out.csv.gz`)).toMatchObject({ code: 2 });
    expect(packed()).toBe('a,b\n1,2\n');
  });

  test('the original columns come out as they went in, in input order', async () => {
    const header = ['first_name', 'last_name', 'domain', 'note', '', 'note', ' Id '];
    const odd = [
      ['Eve1', 'Byron', 'firm1.com', '  spaces  ', 'x', '=1+1', '007'],
      ['Eve2', 'Byron', 'firm2.com', 'a "quote", a comma', '', '+33 1', '1e5'],
      ['Eve3', 'Byron', 'firm3.com', 'two\nlines', '\t', '@sum', '12345678901234567890'],
      ['Eve4', 'Byron', '', '', '', '', ''],
      // More than are read from the state at once.
      ...Array.from({ length: 230 }, (_, i) => ['', 'Byron', '', `line ${i}`, '', '', '']),
    ];
    const quote = (cells: string[]) =>
      cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
    const dir = openWorkdir(sandbox.url).write('in.csv', [header, ...odd].map(quote).join('\n'));
    expect(await dir.sluice('enrich in.csv --out out.csv --ask find_email')).toMatchObject({
      code: 0,
    });
    expect(dir.cells('out.csv').map((cells) => cells.slice(0, 7))).toEqual([header, ...odd]);
  });

  test('so do the numbers of NDJSON, in every output', async () => {
    const numbers = ['1e400', '0.12345678901234567890', '12345678901234567890', '-0', '1.0', '2'];
    const fields = [...numbers, '[1.50,{"a":1E2}]'].map((text, n) => `"n${n}":${text}`).join(',');
    const line = `{"first_name":"Eve1","last_name":"Byron","domain":"firm1.com",${fields}}`;
    const dir = openWorkdir(sandbox.url).write('in.ndjson', `${line}\n`);
    await dir.sluice('enrich in.ndjson --out out.csv --ask find_email');
    expect(dir.cells('out.csv')[1]?.slice(3, 10)).toEqual([...numbers, '[1.50,{"a":1E2}]']);
    await dir.sluice('export 1 --out out.ndjson');
    expect(dir.text('out.ndjson').startsWith(line.slice(0, -1))).toBe(true);
    const told = JSON.parse((await dir.sluice('explain 1 1 --json')).stdout);
    expect(told.cells).toMatchObject({ n0: '1e400', n4: 1, n5: 2, n6: [1.5, { a: 100 }] });
    expect((await dir.sluice('explain 1 1')).stdout).toMatch(/n4 +1\.0\n/);
  });

  test('a column that the input has already keeps its name, and ours makes way', async () => {
    const dir = openWorkdir(sandbox.url).write(
      'leads.csv',
      'first_name,last_name,domain,email,source\nEve1,Byron,firm1.com,,fair\n',
    );
    const ended = await dir.sluice(`enrich leads.csv ${ASK}`);
    expect(ended.code).toBe(0);
    expect(dir.rows('out.csv')[0]).toMatchObject({
      email: '',
      sluice_email: expect.stringContaining('@'),
      source: 'fair',
      sluice_source: 'api',
    });
    expect(ended.stderr).toContain(
      "The input has a column email already: Sluice's own is called sluice_email.",
    );
  });
});

describe.concurrent('a workbook that becomes a workbook', () => {
  const FORMATS = ['dd.mm.yyyy', '00000', 49];
  const cell = (style: number, value: string) => `<c s="${style}"><v>${value}</v></c>`;
  const text = (value: string) => inlineCell(value);
  const header = ['no', ...HEADER.split(','), 'Email', 'since', 'code'].map(text).join('');
  const lead = (n: number, email: string) =>
    `<row>${cell(0, `1002${n}`)}${text(`Ada${n}`)}${text('Byron')}${text(`firm${n}.com`)}${text(email)}${cell(1, `4462${n}`)}${cell(2, `${n}`)}</row>`;
  const rows = `<row>${header}</row>${lead(0, '')}${lead(1, 'own@x.example')}`;
  const book = workbookOf({ sheets: [{ rows }], formats: FORMATS, is1904: true });
  const texts = 'no,first_name,last_name,domain,Email,since,code\n';
  const csvOf = `${texts}10020,Ada0,Byron,firm0.com,,2026-03-01,00000\n10021,Ada1,Byron,firm1.com,own@x.example,2026-03-02,00001\n`;

  async function ownCells(dir: Workdir, name: string) {
    const [sheet] = await readWorkbook(readFileSync(dir.at(name)));
    return sheet?.rows.slice(1).map((row) => [row[0], row[4], row[5], row[6]]);
  }

  test('keeps numbers, dates and formats, also after fill, forget and a copy of the state', async () => {
    const dir = openWorkdir(sandbox.url).write('leads.xlsx', book);
    const asked = '--ask find_email --map email= --fill email=Email --quiet';
    const ended = await dir.sluice(`enrich leads.xlsx ${asked} --out out.xlsx`);
    expect([0, 1], ended.stderr).toContain(ended.code);
    const [first, second] = (await ownCells(dir, 'out.xlsx')) ?? [];
    expect(first).toEqual([10_020, first?.[1] ?? null, 46_082, 0]);
    expect(second).toEqual([10_021, 'own@x.example', 46_083, 1]);
    const styles = (await unzip(readFileSync(dir.at('out.xlsx')))).get('xl/styles.xml');
    expect(styles).toContain('formatCode="dd.mm.yyyy"');
    expect(styles).toContain('formatCode="00000"');
    const copied = await dir.sluice('state copy data/sluice.db data/other.db');
    expect(copied.code, copied.stderr).toBe(0);
    await dir.sluice('state forget email=own@x.example --yes --state data/other.db');
    const exported = await dir.sluice('export 1 --out again.xlsx --state data/other.db');
    expect(exported.code, exported.stderr).toBe(0);
    const [kept, gone] = (await ownCells(dir, 'again.xlsx')) ?? [];
    expect(kept).toEqual(first);
    expect(gone).toEqual([null, null, null, null]);
  });

  test('has the leads of the same texts in a CSV, which are not paid for anew', async () => {
    const dir = openWorkdir(sandbox.url).write('leads.csv', csvOf).write('leads.xlsx', book);
    const asked = '--ask find_email --map email=';
    await dir.sluice(`enrich leads.csv ${asked} --out a.csv --quiet`);
    const { stdout } = await dir.sluice(`plan leads.xlsx ${asked} --json`);
    expect(JSON.parse(stdout)).toMatchObject({ leads: 2, already_known: 2, to_pay: 0 });
    await dir.sluice(`enrich leads.xlsx ${asked} --out b.csv --quiet`);
    const own = (name: string) =>
      dir.rows(name).map((row) =>
        texts
          .trim()
          .split(',')
          .map((key) => row[key]),
      );
    expect(own('b.csv')).toEqual(own('a.csv'));
  });
});

/** A column that each shape of the positions alone has. */
const OF_SHAPE = [
  ['wide:2', 'position_1_title'],
  ['json', 'position_groups'],
  ['current', 'position_title'],
  ['long', 'position_order'],
] as const;

describe.concurrent('output in any form', () => {
  test('XLSX and Parquet have the cells of NDJSON, by type, in every shape', async () => {
    const leads = [`${HEADER},url,note`];
    leads.push('Eve1,Byron,firm1.com,https://social.example.com/in/ada1,=1+1');
    leads.push('Eve2,Byron,firm2.com,https://social.example.com/in/ada2,007');
    leads.push('Eve3,,,," two\nlines "');
    const dir = openWorkdir(sandbox.url).write('leads.csv', `${leads.join('\n')}\n`);
    const asked = '--ask find_email,find_phone,social_enrichment --map socialUrl=url';
    const ended = await dir.sluice(`enrich leads.csv --out out.xlsx ${asked}`);
    expect([0, 1], ended.stderr).toContain(ended.code);
    for (const [shape, own] of inBrief(OF_SHAPE.slice(0, 2), OF_SHAPE.slice(2))) {
      for (const name of ['t.ndjson', 't.xlsx', 't.parquet']) {
        const exported = await dir.sluice(`export 1 --out ${name} --positions ${shape} --json`);
        expect(JSON.parse(exported.stdout)).toMatchObject({ out: name, changed: [] });
      }
      const objects = dir
        .text('t.ndjson')
        .trimEnd()
        .split('\n')
        .map((line): Record<string, JsonValue> => JSON.parse(line));
      const keys = Object.keys(objects[0] ?? {});
      expect(keys).toContain(own);
      const [sheet] = await readWorkbook(readFileSync(dir.at('t.xlsx')));
      expect(sheet?.rows[0]).toEqual(keys);
      expect(sheet?.rows.slice(1)).toEqual(
        objects.map((object) => keys.map((key) => inSheet(key, object[key] ?? null))),
      );
      const read = await readParquet(readFileSync(dir.at('t.parquet')));
      expect(read.map((row) => keys.map((key) => inJson(row[key])))).toEqual(
        objects.map((object) => keys.map((key) => object[key] ?? null)),
      );
    }
    const [first] = await readWorkbook(readFileSync(dir.at('out.xlsx')));
    expect(first?.rows).toHaveLength(4);
    // Its own table is replaced, and a stranger's is not.
    expect(await dir.sluice('export 1 --out out.xlsx')).toMatchObject({ code: 0 });
    writeFileSync(dir.at('out.xlsx'), 'mine');
    expect(await dir.sluice('export 1 --out out.xlsx')).toMatchObject({ code: 2 });
    expect(dir.text('out.xlsx')).toBe('mine');
  });

  test('the chosen columns and the lines that could not be read go with XLSX as with CSV', async () => {
    const dir = openWorkdir(sandbox.url).write('leads.csv', `${csv(people(2))}x,"y`);
    const flags = '--ask find_email --columns mail=email --columns first_name';
    const ended = await dir.sluice(`enrich leads.csv --out out.xlsx ${flags} --json`);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      out: 'out.xlsx',
      rows: 2,
      rejects_file: 'out.rejects.csv',
      changed_cells: [],
    });
    const [sheet] = await readWorkbook(readFileSync(dir.at('out.xlsx')));
    expect(sheet?.rows[0]).toEqual(['mail', 'first_name']);
    expect(sheet?.rows.map((row) => row[1])).toEqual(['first_name', 'Eve1', 'Eve2']);
    expect(dir.text('out.rejects.csv')).toMatch(/^source,line,reason,raw\n/);
  });
});
