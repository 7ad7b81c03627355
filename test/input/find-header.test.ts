import { describe, expect, it } from 'vitest';
import { findHeader } from '../../src/input/find-header.js';
import { openFolder, readAll, readPipe } from './read-all.js';
import { tableOf, workbookOf } from './xlsx/make-workbook.js';

const folder = await openFolder();
const TITLE = ['Leads of spring'];
const HEADER = ['First name', 'Notes'];

describe('the header', () => {
  it.each([
    ['the first row', [HEADER, ['Ada', 'x']], 0],
    ['below a title', [TITLE, HEADER], 1],
    ['below a title in a row of empty cells', [['', 'Leads', ''], ['', ''], HEADER], 2],
    ['the first row, where no usual name stands below it', [TITLE, ['Code', 'Notes']], 0],
    [
      'the first row, where a row above the usual name has two cells',
      [TITLE, ['a', 'b'], HEADER],
      0,
    ],
    [
      'below a row of merged cells that names groups',
      [
        ['Contact', '', 'Company', ''],
        ['First name', 'Last name', 'Company', 'Website'],
      ],
      1,
    ],
    [
      'the first row, where a column has no name and the row below is a lead',
      [
        ['First name', '', 'Company'],
        ['Ada', 'x', 'Firm 1'],
      ],
      0,
    ],
    ['not known yet, where a column has no name', [['First name', '', 'Company']], undefined],
    [
      'the first row, where it is the only column that has a name',
      [['Email'], ['a@b.example', 'Web']],
      0,
    ],
    ['not known yet', [TITLE, ['of 2026']], undefined],
    ['the first row, where twenty more say nothing', Array.from({ length: 21 }, () => TITLE), 0],
  ])('is %s', (_, rows, index) => {
    expect(findHeader(rows)).toBe(index);
  });
});

describe('a table with notes above its header', () => {
  // As LinkedIn exports one's connections.
  const NOTES = 'Notes:\r\n"When exporting, you may notice, that …\r\nread more"\r\n\r\n';

  it.each([',', ';', '\t'])('is read with its own lines, delimited by %j', async (delimiter) => {
    const rows = ['First Name,Last Name,URL', 'Ada,Lovelace,ada.example', 'Bob,Stone,'];
    const text = NOTES + rows.join('\r\n').replaceAll(',', delimiter);
    const read = await readAll(await folder.write('Connections.csv', text));
    expect(read.columns.map(({ key }) => key)).toEqual(['First Name', 'Last Name', 'URL']);
    expect(read.records.map(({ line, cells }) => [line, ...cells])).toEqual([
      [6, 'Ada', 'Lovelace', 'ada.example'],
      [7, 'Bob', 'Stone', ''],
    ]);
    expect(read.rejects).toEqual([]);
    expect(read.batches[0]?.detected).toContainEqual(
      expect.objectContaining({ what: 'header', value: '5' }),
    );
  });

  it('is read from a pipe', async () => {
    const text = `${NOTES}First name,Website\nAda,ada.example\n`;
    const { columns } = await readAll(await folder.write('slow.csv', text));
    expect(columns.map(({ key }) => key)).toEqual(['First name', 'Website']);
    const piped = await readPipe([Buffer.from(text)]);
    expect(piped.records.map(({ cells }) => cells)).toEqual([['Ada', 'ada.example']]);
  });

  it('keeps its first line as the header where a broken one stands below it', async () => {
    const text = 'Notes\n"a"b\nFirst name,Website\n';
    const { columns } = await readAll(await folder.write('broken.csv', text));
    expect(columns.map(({ key }) => key)).toEqual(['Notes']);
  });

  it('may be a sheet', async () => {
    const rows = tableOf([['СПАРК'], [], ['First name', 'Website'], ['Ada', 'ada.example']]);
    const made = workbookOf({ sheets: [{ rows }] });
    const { records, batches } = await readAll(await folder.write('titled.xlsx', made));
    expect(records).toEqual([{ source: 0, line: 4, cells: ['Ada', 'ada.example'] }]);
    expect(batches[0]?.detected).toMatchObject([{ what: 'header', value: '3' }]);
  });
});

describe('a header whose line is named', () => {
  const rows = [
    ['Leads', 'of spring'],
    ['a', 'b'],
    ['Kürzel', 'Notiz'],
    ['x', 'y'],
  ];

  it.each([
    ['a CSV', 'named.csv', rows.map((row) => row.join(',')).join('\n')],
    ['a sheet', 'named.xlsx', workbookOf({ sheets: [{ rows: tableOf(rows) }] })],
  ])('is taken in %s, and what stands above it is passed over', async (_, name, bytes) => {
    const path = await folder.write(name, bytes);
    const { batches, columns, records } = await readAll(path, { headerRow: 3 });
    expect(columns.map(({ key }) => key)).toEqual(['Kürzel', 'Notiz']);
    expect(records.map(({ line, cells }) => [line, ...cells])).toEqual([[4, 'x', 'y']]);
    expect(batches[0]?.detected).toBeUndefined();
    await expect(readAll(path, { headerRow: 9 })).rejects.toThrow(
      /no row with text that begins on line 9/,
    );
  });
});

describe('a table without names of columns', () => {
  const forms = [
    ['an e-mail address', [['ada@ada.example'], ['bob@bob.example']]],
    ['the address of a profile', [['Ada', 'https://www.linkedin.com/in/ada'], ['Bob']]],
    ['a website', [['Ada', 'www.ada.example', 'x']]],
    [
      'a website',
      [
        ['Ada', 'ada.example'],
        ['Bob', 'bob.example'],
      ],
    ],
  ] as const;
  it.each(
    forms.flatMap(([what, rows]) => [
      [what, 'plain.csv', rows.map((row) => row.join()).join('\n')] as const,
      [what, 'plain.xlsx', workbookOf({ sheets: [{ rows: tableOf(rows) }] })] as const,
    ]),
  )('is refused where %s is one of its first line, in %s', async (what, name, bytes) => {
    const path = await folder.write(name, bytes);
    await expect(readAll(path)).rejects.toMatchObject({
      code: 'input',
      logged: `The input file ${path} has no names of columns: line 1, its first with text, holds ${what} where a name would be. Write a line with their names above it, or read it with --set header-row=none, or that key of the job: its columns are then column_1, column_2 and so on.`,
      message: expect.not.stringMatching(/ada/i),
    });
  });

  it.each([
    ['has the usual name of a column beside it', 'Email,acme.example\na@b.example,x\n'],
    ['is a path', 'contact.email,contact.name\na@b.example,Ada Byron\n'],
    ['is what the user says', 'a@b.example\nc@d.example\n'],
  ])('is none where the first line %s', async (how, text) => {
    const path = await folder.write('named.csv', text);
    const { columns } = await readAll(path, how.includes('user') ? { headerRow: 1 } : {});
    expect(columns.map(({ name }) => name)).toEqual(text.split('\n')[0]?.split(','));
  });

  it.each([
    ['a CSV', 'none.csv', 'sep=,\nAda,ada@ada.example\nBob,bob@bob.example,x\nCid\n', 2],
    [
      'a sheet',
      'none.xlsx',
      workbookOf({
        sheets: [
          {
            rows: tableOf([['Ada', 'ada@ada.example'], ['Bob', 'bob@bob.example', 'x'], ['Cid']]),
          },
        ],
      }),
      1,
    ],
  ])('is read from its first line on where the user says so, in %s', async (_, name, bytes, at) => {
    const path = await folder.write(name, bytes);
    const { columns, records } = await readAll(path, { headerRow: 'none' });
    expect(columns.map(({ key, name: shown }) => [key, shown])).toEqual([
      ['column_1', 'column_1'],
      ['column_2', 'column_2'],
      ['column_3', 'column_3'],
    ]);
    expect(records.map(({ line, cells, flaw }) => [line, cells, flaw])).toEqual([
      [at, ['Ada', 'ada@ada.example', ''], undefined],
      [at + 1, ['Bob', 'bob@bob.example', 'x'], undefined],
      [at + 2, ['Cid', '', ''], undefined],
    ]);
  });
});

it('names the columns of a sheet that have no name, where a row of the first thousand fills them', async () => {
  const rows = tableOf([['a', 'b'], ['1', '2', '', '4'], ['5']]);
  const made = workbookOf({ sheets: [{ rows }] });
  const { columns, records } = await readAll(await folder.write('nameless.xlsx', made));
  expect(columns.map(({ key }) => key)).toEqual(['a', 'b', 'column_3', 'column_4']);
  expect(records.map(({ cells, flaw }) => [cells, flaw])).toEqual([
    [['1', '2', '', '4'], undefined],
    [['5', '', '', ''], undefined],
  ]);
});
