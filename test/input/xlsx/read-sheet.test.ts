import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactText, workbookCell } from '../../../src/model/text/json.js';
import { isLong, tries } from '../../helpers/long.js';
import { cutBytes, type LooseOptions, openFolder, readAll, readPipe } from '../read-all.js';
import {
  inlineCell,
  type MadeWorkbook,
  relation,
  relationships,
  tableOf,
  workbookOf,
} from './make-workbook.js';

const folder = await openFolder();
const read = async (made: MadeWorkbook, options: LooseOptions = {}) =>
  readAll(await folder.write('leads.xlsx', workbookOf(made)), options);
/** The cells of the first row under a header as wide as they are. */
async function cellsOf(cells: readonly string[], made: MadeWorkbook = {}): Promise<unknown> {
  const header = cells.map((_, n) => inlineCell(`c${n}`)).join('');
  const rows = `<row>${header}</row><row>${cells.join('')}</row>`;
  return (await read({ ...made, sheets: [{ rows }] })).records[0]?.cells.map(exactText);
}
const TABLE = [
  ['a', 'b'],
  ['1', 'x'],
  ['2', 'y'],
];

describe('what a sheet hides and merges', () => {
  const row = (number: number, cells: readonly string[], how = '') =>
    `<row r="${number}"${how}>${cells.map((cell) => inlineCell(cell)).join('')}</row>`;
  const xml = `<worksheet><cols><col min="2" max="2" hidden="1"/></cols><sheetData>${[
    row(1, ['a', 'b', 'c']),
    row(2, ['1', 'x', 'p']),
    row(3, ['2', 'y', ''], ' hidden="1"'),
    row(4, ['3', 'z', 'r'], ' hidden="true"'),
    row(5, ['4', '', 's'], ' hidden="0"'),
  ].join(
    '',
  )}</sheetData><mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="B4:B5"/></mergeCells></worksheet>`;
  const saidOf = (input: Awaited<ReturnType<typeof read>>) =>
    input.batches.flatMap(({ detected = [] }) => detected).map(({ value, what }) => [what, value]);

  it('is read, and said before the first row', async () => {
    const input = await read({ sheets: [{ xml }] });
    expect(input.records.map(({ cells }) => cells.map(String).join('|'))).toEqual([
      '1|x|p',
      '2|y|',
      '3|z|r',
      '4||s',
    ]);
    expect(input.batches[0]?.detected).toHaveLength(2);
    expect(saidOf(input)).toEqual([
      [
        'hidden',
        '2 of 4 rows, and the columns B are hidden and are read too; visible-only: true reads what is shown',
      ],
      ['merged', '1, the first B4:B5: only the first cell of each has its value'],
    ]);
  });

  it('is left out where only what is shown is wanted', async () => {
    const input = await read({ sheets: [{ xml }] }, { visibleOnly: true });
    expect(input.columns.map(({ key }) => key)).toEqual(['a', 'c']);
    expect(input.records.map(({ line, cells }) => [line, ...cells])).toEqual([
      [2, '1', 'p'],
      [5, '4', 's'],
    ]);
    expect(saidOf(input)[0]).toEqual([
      'hidden',
      '2 of 4 rows, and the columns B are hidden and left out',
    ]);
  });
});

describe('a link', () => {
  const LINKS = [
    relation('h1', 'hyperlink', 'https://www.linkedin.com/in/ada', 'External'),
    relation('h2', 'hyperlink', 'file:///c:/secret.txt', 'External'),
    relation('h3', 'hyperlink', 'mailto:ada@ada.example', 'External'),
  ];
  const rows = tableOf([
    ['a', 'b', 'c'],
    ['Profile', 'File', ''],
    ['Mail', 'none', ''],
  ]);
  const made = (rels: readonly string[]) => ({
    sheets: [
      {
        xml: `<worksheet xmlns:r="r"><sheetData>${rows}<row r="4"><c r="A4" t="str"><f>HYPERLINK("https://acme.example/?a=""b""","Acme")</f><v>Acme</v></c><c r="B4"><f>A1&amp;"x"</f><v>7</v></c></row></sheetData><hyperlinks><hyperlink ref="A2:A3" r:id="h1"/><hyperlink ref="B2" r:id="h2"/><hyperlink ref="A3" r:id="h3"/><hyperlink ref="B3" location="x"/></hyperlinks></worksheet>`,
      },
    ],
    parts: { 'xl/worksheets/_rels/s1.xml.rels': relationships(rels) },
  });

  it('to the web or an address stays beside the text of its cell; of a formula it is read, not computed', async () => {
    const { records } = await read(made(LINKS));
    expect(records.map(({ cells }) => cells.map((cell) => workbookCell(cell)?.link))).toEqual([
      ['https://www.linkedin.com/in/ada', undefined, undefined],
      ['mailto:ada@ada.example', undefined, undefined],
      ['https://acme.example/?a="b"', undefined, undefined],
    ]);
    expect(records.map(({ cells }) => cells.map(exactText))).toEqual([
      ['Profile', 'File', ''],
      ['Mail', 'none', ''],
      ['Acme', '7', ''],
    ]);
  });

  it('is none where the sheet has no targets', async () => {
    const { records } = await read(made([]));
    expect(records[0]?.cells).toEqual(['Profile', 'File', '']);
  });
});

describe('a workbook', () => {
  it('is read as its first sheet, with the number of each row, without empty rows', async () => {
    const { columns, records, rejects } = await read({
      sheets: [{ rows: tableOf([[], ['a', 'b'], ['1', '2'], [], [' ', ''], ['3', '']]) }],
    });
    expect(columns.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(records).toEqual([
      { source: 0, line: 3, cells: ['1', '2'] },
      { source: 0, line: 6, cells: ['3', ''] },
    ]);
    expect(rejects).toEqual([]);
  });

  it('is known by its first bytes, whatever its name and the format say', async () => {
    const path = await folder.write(
      'leads.csv',
      workbookOf({ sheets: [{ rows: tableOf(TABLE) }] }),
    );
    const { records } = await readAll(path, {
      format: 'ndjson',
      delimiter: ';',
      encoding: 'utf-16be',
    });
    expect(records.map(({ cells }) => cells)).toEqual(TABLE.slice(1));
  });

  it('is read beside CSV, each under the columns of both', async () => {
    const csv = await folder.write('first.csv', 'b,c\nB,C\n');
    const xlsx = await folder.write(
      'second.xlsx',
      workbookOf({ sheets: [{ rows: tableOf(TABLE) }] }),
    );
    const { columns, records } = await readAll([csv, xlsx]);
    expect(columns.map(({ key }) => key)).toEqual(['b', 'c', 'a']);
    expect(records.map(({ source, cells }) => [source, cells])).toEqual([
      [0, ['B', 'C', '']],
      [1, ['x', '', '1']],
      [1, ['y', '', '2']],
    ]);
  });

  it.each([
    ['a pipe', (bytes: Buffer) => cutBytes(bytes, [1, 7, 100])],
    ['gzip in a pipe', (bytes: Buffer) => cutBytes(gzipSync(bytes), [1])],
  ])('comes through %s', async (_, pieces) => {
    const bytes = workbookOf({ sheets: [{ rows: tableOf(TABLE) }] });
    const { records } = await readPipe(pieces(bytes));
    expect(records.map(({ cells }) => cells)).toEqual(TABLE.slice(1));
  });

  it('may be packed with gzip', async () => {
    const bytes = gzipSync(workbookOf({ sheets: [{ rows: tableOf(TABLE) }] }));
    const { records } = await readAll(await folder.write('leads.xlsx.gz', bytes));
    expect(records.map(({ cells }) => cells)).toEqual(TABLE.slice(1));
  });

  it('flaws a row with a cell far to the right of the header, and keeps all of it as a reject', async () => {
    const far = Array<string>(100).fill('');
    const rows = tableOf([
      ['a', 'b'],
      ['1', '2', ...far, '4'],
      ['1', '2', ' '],
    ]);
    const { records, rejects } = await read({ sheets: [{ rows }] });
    expect(records).toEqual([
      { source: 0, line: 2, cells: ['1', '2'], flaw: 'ragged_row: 103 cells under 2 columns' },
      { source: 0, line: 3, cells: ['1', '2'] },
    ]);
    expect(rejects.map(({ line, raw }) => [line, raw])).toEqual([
      [2, ['1', '2', ...far, '4'].join('\t')],
    ]);
  });

  it('loses no row: one of formulas without values is a reject, one of errors a record', async () => {
    const [formula, error] = ['<c><f>1+1</f><v/></c>', '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>'];
    const rows = [
      inlineCell('Name') + inlineCell('Website') + inlineCell(''),
      `<c/>${formula}`,
      inlineCell('Ada') + formula,
      formula.repeat(5),
      error + '<c s="1"/>',
      '<c/><c t="str"><f>""</f><v></v></c>',
    ];
    const { records, rejects } = await read({
      sheets: [{ rows: rows.map((cells) => `<row>${cells}</row>`).join('') }],
    });
    expect(records.map(({ line, cells }) => [line, cells[0]])).toEqual([
      [3, 'Ada'],
      [5, ''],
    ]);
    const why = 'formulas whose values were not saved: open and save the file in Excel';
    expect(rejects.map(({ line, reason }) => [line, reason])).toEqual([
      [2, `column Website holds ${why}`],
      [3, `column Website holds ${why}`],
      [4, `columns Name, Website, column_3 and 2 more hold ${why}`],
    ]);
  });

  it('flaws a row that repeats the header, also one of numbers', async () => {
    const rows = `<row><c><v>2024</v></c>${inlineCell('b')}</row>`.repeat(2);
    const { records } = await read({ sheets: [{ rows: `${rows}<row>${inlineCell('x')}</row>` }] });
    expect(records.map(({ flaw }) => flaw)).toEqual(['repeated header', undefined]);
  });

  it('names the columns of an uneven header as CSV does', async () => {
    const rows = tableOf([
      ['a', '', 'a'],
      ['1', '2', '3'],
    ]);
    const { columns } = await read({ sheets: [{ rows }] });
    expect(columns.map(({ key }) => key)).toEqual(['a', 'column_2', 'a_2']);
  });

  it('must have the bytes of its digest when it is read to its end', async () => {
    const path = await folder.write('d.xlsx', workbookOf({ sheets: [{ rows: tableOf(TABLE) }] }));
    await expect(readAll(path, { digests: new Map([[path, 'other']]) })).rejects.toThrow(
      /was changed while it was read/,
    );
  });
});

describe('which sheet', () => {
  const sheets = [
    { name: 'Old', state: 'hidden', rows: tableOf([['old'], ['o']]) },
    { name: 'Deep', state: 'veryHidden', rows: tableOf([['deep'], ['d']]) },
    { name: 'Leads', rows: tableOf([['leads'], ['l']]) },
    { name: 'More &amp; more', rows: tableOf([['more'], ['m']]) },
  ];
  const header = async (sheet?: string) => (await read({ sheets }, { sheet })).columns[0]?.name;

  it('is the first that is not hidden, which is told', async () => {
    const { columns, batches } = await read({ sheets });
    expect(columns[0]?.name).toBe('leads');
    expect(batches[0]?.detected).toEqual([
      {
        what: 'sheet',
        value: 'Leads',
        source: join(folder.path, 'leads.xlsx'),
        others: [{ sheet: 'More & more', header: ['more'] }],
      },
    ]);
    expect((await read({ sheets: sheets.slice(0, 3) })).batches[0]?.detected).toBeUndefined();
  });

  it('is the one with the most usual columns, wherever it stands; an empty one is passed over', async () => {
    const legend = {
      name: 'Legend',
      rows: tableOf([
        ['Name', 'Meaning'],
        ['Umsatz', 'a year'],
      ]),
    };
    const empty = { name: 'Empty', rows: '' };
    const people = {
      name: 'People',
      rows: tableOf([
        ['First name', 'E-Mail'],
        ['Ada', 'a@x.io'],
      ]),
    };
    const { batches, columns } = await read({ sheets: [empty, legend, people, ...sheets] });
    expect(columns.map(({ name }) => name)).toEqual(['First name', 'E-Mail']);
    expect(batches[0]?.detected?.[0]).toMatchObject({
      value: 'People',
      others: [
        { sheet: 'Empty', header: [] },
        { sheet: 'Legend', header: ['Name', 'Meaning'] },
        { sheet: 'Leads' },
        { sheet: 'More & more' },
      ],
    });
    await expect(read({ sheets: [empty, { ...empty, name: 'Blank' }] })).rejects.toThrow(
      /has nothing on its sheet "Empty"/,
    );
  });

  it('is the one that is named, in upper or lower case, even hidden', async () => {
    expect(await header('More & more')).toBe('more');
    expect(await header('more & MORE ')).toBe('more');
    expect(await header('Old')).toBe('old');
    expect(await header('Deep')).toBe('deep');
  });

  it('must be there, and the names that there are come along', async () => {
    await expect(header('Lead')).rejects.toMatchObject({
      code: 'input',
      message: expect.stringMatching(
        /no sheet called "Lead"\. .*"Old", "Deep", "Leads", "More & more"/,
      ),
    });
    await expect(read({ sheets: sheets.slice(0, 2) })).rejects.toThrow(
      /no sheet that is not hidden/,
    );
  });

  it('must have something on it', async () => {
    await expect(read({ sheets: [{}, { name: 'Two' }] })).rejects.toThrow(
      /has nothing on its sheet "Sheet2"; .* or name another/,
    );
    await expect(read({ sheets: [{}] })).rejects.toThrow(/one row for each lead\.$/);
  });

  it('is no chart', async () => {
    const chart = '<Relationship Id="rId1" Type="x/chartsheet" Target="chart.xml"/>';
    const rels = (own: string) =>
      `<Relationships>${own}<Relationship Id="rId2" Type="x/worksheet" Target="worksheets/s2.xml"/></Relationships>`;
    const parts = { 'xl/_rels/workbook.xml.rels': rels(chart) };
    const made = { sheets: [{ name: 'Chart' }, { name: 'S', rows: tableOf(TABLE) }], parts };
    expect((await read(made)).records).toHaveLength(2);
  });
});

describe('cells', () => {
  it('are placed by their references, or one after another without them', async () => {
    const rows =
      '<row r="2"><c r="B2" t="str"><v>b</v></c><c t="str"><v>c</v></c><c r="$E$2" t="str"><v>e</v></c></row>' +
      '<row r="5"><c r="E5"><v>5</v></c><c r="C5"><v>3</v></c></row><row><c r="b9"><v>2</v></c></row>';
    const { columns, records } = await read({ sheets: [{ rows }] });
    expect(columns.map(({ name }) => name)).toEqual(['', 'b', 'c', '', 'e']);
    expect(records.map(({ line, cells }) => [line, cells.map(exactText)])).toEqual([
      [5, ['', '', '3', '', '5']],
      [6, ['', '2', '', '', '']],
    ]);
  });

  it.each([
    ['a shared text', '<c t="s"><v>1</v></c>', 'two'],
    ['a shared text in runs, without how it is spoken', '<c t="s"><v>2</v></c>', '東京 bold'],
    ['an inline text', '<c t="inlineStr"><is><t> a&amp;b </t></is></c>', ' a&b '],
    [
      'an inline text in runs',
      '<c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c>',
      'ab',
    ],
    ['CDATA', '<c t="inlineStr"><is><t><![CDATA[<x>]]></t></is></c>', '<x>'],
    ['the saved value of a formula', '<c t="str"><f>A1&amp;"x"</f><v>seen</v></c>', 'seen'],
    ['a number that a formula gave', '<c><f>1+1</f><v>2</v></c>', '2'],
    ['a formula without a saved value', '<c><f>1+1</f></c>', ''],
    ['true', '<c t="b"><v>1</v></c>', 'true'],
    ['false', '<c t="b"><v>0</v></c>', 'false'],
    ['an error', '<c t="e"><v>#N/A</v></c>', ''],
    ['a date in ISO 8601', '<c t="d"><v>2026-03-01T00:00:00Z</v></c>', '2026-03-01'],
    ['a time in ISO 8601', '<c t="d"><v>2026-03-01T08:30:00</v></c>', '2026-03-01T08:30:00'],
    [
      'a carriage return and an escape',
      '<c t="str"><v>a_x000D_b_x005F_x000D_</v></c>',
      'a\rb_x000D_',
    ],
    ['both halves of a character', '<c t="str"><v>_xD83D__xDE80_ _xD83D_</v></c>', '🚀 \uFFFD'],
    ['characters by their numbers', '<c t="str"><v>&#128640;&#x41;</v></c>', '🚀A'],
    [
      'an extension',
      '<c t="str"><v>v</v><extLst><ext><v>other</v><t>t</t></ext></extLst></c>',
      'v',
    ],
  ])('%s', async (_, cell, text) => {
    const strings = [
      '<t>one</t>',
      '<t>two</t>',
      '<r><rPr><b/></rPr><t>東京</t></r><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><r><t xml:space="preserve"> bold</t></r><phoneticPr/>',
    ];
    expect(await cellsOf([cell, inlineCell('end')], { strings })).toEqual([text, 'end']);
  });

  it('are dates, and have leading zeros, by the format of their style', async () => {
    const formats = ['yyyy\\-mm\\-dd', 10, '00000', 22, '"<&>"0'];
    const cells = ['46082', '0.5', '7', '46082.5', '3', '8'].map(
      (value, n) => `<c s="${n + 1}"><v>${value}</v></c>`,
    );
    const shown = ['0.5', '00007', '2026-03-01T12:00:00', '3', '8'];
    expect(await cellsOf(cells, { formats })).toEqual(['2026-03-01', ...shown]);
    expect(await cellsOf(cells.slice(0, 1), { formats, is1904: true })).toEqual(['2030-03-02']);
  });

  it('come back as they were written, in whatever way', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 10 }),
      fc.string({
        unit: fc.constantFrom('_x000D_', '_x', '&', '<', '\r', '\n', '\t', ' ', '\0', '名'),
      }),
    );
    const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 20 });
    const isSeen = (row: string[]) => row.some((text) => text.trim() !== '');
    await fc.assert(
      fc.asyncProperty(table, fc.boolean(), async (rows, isShared) => {
        const all = [['a', 'b', 'c'], ...rows];
        const made = isShared ? sharedTable(all) : { sheets: [{ rows: tableOf(all) }] };
        const { records } = await readPipe(workbookOf(made));
        expect(records.map(({ cells }) => cells)).toEqual(rows.filter(isSeen));
      }),
      { numRuns: tries(60) },
    );
  });

  it('of many shared texts are found, though memory does not hold them all', async () => {
    // Together 20 MB, of which 16 are held: few long ones, or many.
    const [rows, width, longest] = isLong ? [25_000, 8, 300] : [2_500, 8, 2_000];
    const text = (n: number) => `text ${(n * 7_919) % (rows * width)} ${'x'.repeat(n % longest)}`;
    const strings = Array.from({ length: rows * width }, (_, n) => `<t>${text(n)}</t>`);
    // In another order than that of the table, so that it has to look up and down.
    const at = (row: number, column: number) => (row * 12_345 + column * 777) % (rows * width);
    const written = Array.from({ length: rows }, (_, row) => {
      const cells = Array.from({ length: width }, (__, n) => `<c t="s"><v>${at(row, n)}</v></c>`);
      return `<row>${cells.join('')}</row>`;
    });
    const path = await folder.write(
      'many.xlsx',
      workbookOf({ sheets: [{ rows: written.join('') }], strings }),
    );
    const { records } = await readAll(path);
    expect(records).toHaveLength(rows - 1);
    for (const [n, { cells }] of records.entries()) {
      for (const [column, cell] of cells.entries()) {
        if (cell !== text(at(n + 1, column))) expect([n, cell]).toEqual(text(at(n + 1, column)));
      }
    }
  });
});

describe('other ways to write it', () => {
  it('with prefixes, in the strict form of the standard, with parts elsewhere', async () => {
    const strict = 'http://purl.oclc.org/ooxml';
    const relations = (type: string, target: string) =>
      `<p:Relationships xmlns:p="p"><p:Relationship Id="q" Type="${strict}/officeDocument/relationships/${type}" Target="${target}"/></p:Relationships>`;
    const bytes = workbookOf({
      parts: {
        '_rels/.rels': relations('officeDocument', '/Book/main.xml'),
        'xl/workbook.xml': undefined,
        'xl/_rels/workbook.xml.rels': undefined,
        'Book/main.xml': `<x:workbook xmlns:x="${strict}/spreadsheetml/main" xmlns:rel="r"><x:sheets><x:sheet name="A" rel:id="q"/></x:sheets></x:workbook>`,
        'Book/_rels/main.xml.rels': relations('worksheet', '../rows/ONE.xml'),
        'rows/one.XML': `<x:worksheet xmlns:x="x"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c></x:row><x:row><x:c><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
      },
    });
    const { columns, records } = await readPipe(bytes);
    expect([columns[0]?.name, records[0]?.cells]).toEqual(['a', [1]]);
  });

  it.each([
    ['UTF-8 with a byte order mark', (xml: string) => Buffer.from(`\uFEFF${xml}`)],
    ['UTF-16', (xml: string) => Buffer.from(`\uFEFF${xml}`, 'utf16le')],
    ['UTF-16, big end first', (xml: string) => Buffer.from(`\uFEFF${xml}`, 'utf16le').swap16()],
  ])('in %s', async (_, encode) => {
    const xml = encode(
      `<worksheet><sheetData>${tableOf([['é'], ['名🚀']])}</sheetData></worksheet>`,
    );
    const { columns, records } = await read({ sheets: [{ xml }] });
    expect([columns[0]?.name, records[0]?.cells]).toEqual(['é', ['名🚀']]);
  });
});

function sharedTable(rows: readonly (readonly string[])[]): MadeWorkbook {
  const strings: string[] = [];
  const written = rows.map((cells) => {
    const own = cells.map((cell) => {
      const inline = inlineCell(cell);
      strings.push(inline.slice(inline.indexOf('<t '), inline.indexOf('</is>')));
      return `<c t="s"><v>${strings.length - 1}</v></c>`;
    });
    return `<row>${own.join('')}</row>`;
  });
  return { sheets: [{ rows: written.join('') }], strings };
}
