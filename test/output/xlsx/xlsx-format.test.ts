import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { exactNumber, type JsonValue, markWorkbookCell } from '../../../src/model/text/json.js';
import { openTableWriter } from '../../../src/output/open-table-writer.js';
import type { TableFormat } from '../../../src/output/table-format.js';
import { type SheetLimits, xlsxFormat } from '../../../src/output/xlsx/xlsx-format.js';
import type { CellChange, OutputColumn, OutputRow } from '../../../src/ports/table-writer.js';
import { tries } from '../../helpers/long.js';
import { elementsOf, readWorkbook, unzip } from '../../helpers/read-workbook.js';
import { column, temporaryFolder, writerOptions } from '../temporary-folder.js';

/** The bytes of a table whose rows come in these batches. */
async function bytesOf(
  format: TableFormat,
  batches: readonly (readonly OutputRow[])[],
): Promise<Buffer> {
  const pieces = [await format.begin()];
  for (const rows of batches) pieces.push(await format.rows(rows));
  pieces.push(await format.end());
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

/** The words of each part of the file about links. */
async function linksOf(file: Buffer): Promise<[path: string, links: string[]][]> {
  const parts = [...(await unzip(file))].map(([path, text]): [string, string[]] => {
    const links = text.match(/<hyperlink [^>]*>|<Relationship [^>]*hyperlink[^>]*>/g);
    return [path, links ?? []];
  });
  return parts.filter(([, links]) => links.length > 0).sort(([a], [b]) => (a < b ? -1 : 1));
}

test('links of the user stay, on each sheet those of its rows', async () => {
  const cell = (link: string) => markWorkbookCell({ text: 'Profile', value: '', format: '', link });
  const rows = [[cell('https://a.example/?b="1"&c=2')], ['none'], [cell('mailto:c@d.example')]];
  const file = await bytesOf(xlsxFormat([column('a', 'original')], { rows: 3, bytes: 1e6 }), [
    rows,
  ]);
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink';
  const related = (target: string) =>
    `<Relationship Id="rId1" Type="${type}" Target="${target}" TargetMode="External"/>`;
  expect(await linksOf(file)).toEqual([
    [
      'xl/worksheets/_rels/sheet1.xml.rels',
      [related('https://a.example/?b=&quot;1&quot;&amp;c=2')],
    ],
    ['xl/worksheets/_rels/sheet2.xml.rels', [related('mailto:c@d.example')]],
    ['xl/worksheets/sheet1.xml', ['<hyperlink ref="A2" r:id="rId1"/>']],
    ['xl/worksheets/sheet2.xml', ['<hyperlink ref="A2" r:id="rId1"/>']],
  ]);
  expect((await readWorkbook(file)).flatMap(({ rows: all }) => all.slice(1))).toEqual([
    ['Profile'],
    ['none'],
    ['Profile'],
  ]);
});

interface Written {
  readonly file: Buffer;
  readonly changes: readonly CellChange[];
}

async function writeFileOf(
  columns: readonly OutputColumn[],
  rows: readonly OutputRow[],
): Promise<Written> {
  const path = join(await temporaryFolder(), 'x.xlsx');
  const writer = await openTableWriter(path, columns, writerOptions());
  await writer.write(rows);
  await writer.commit();
  return { file: await readFile(path), changes: writer.changes() };
}

/** The rows below the header of the only sheet. */
async function cellsOf(columns: readonly OutputColumn[], rows: readonly OutputRow[]) {
  const { file, changes } = await writeFileOf(columns, rows);
  const [sheet, ...others] = await readWorkbook(file);
  expect(others).toEqual([]);
  return { cells: sheet?.rows.slice(1), styles: sheet?.styles.slice(1), changes };
}

async function cellOf(kind: OutputColumn['kind'], value: JsonValue) {
  const { cells } = await cellsOf([column('a', kind)], [[value]]);
  return cells?.[0]?.[0] ?? null;
}

describe('a cell of XLSX', () => {
  it('is a number, a boolean or a text, as its value is', async () => {
    expect(await cellOf('number', 1.5)).toBe(1.5);
    expect(await cellOf('integer', -3)).toBe(-3);
    expect(await cellOf('boolean', false)).toBe(false);
    expect(await cellOf('text', 'Zoë 😀')).toBe('Zoë 😀');
    expect(await cellOf('original', true)).toBe(true);
    expect(await cellOf('original', 7)).toBe(7);
    expect(await cellOf('json', { a: [1] })).toBe('{"a":[1]}');
    expect(await cellOf('text', '')).toBeNull();
    expect(await cellOf('text', null)).toBeNull();
  });

  it.each(['=1+1', '+33 1', '-5', '@SUM(A1)', '\t=1', "'x"])(
    'keeps %j as text, without an apostrophe and without a formula',
    async (text) => {
      const { file } = await writeFileOf([column('a'), column('b', 'original')], [[text, text]]);
      const [sheet] = await readWorkbook(file);
      expect(sheet?.rows[1]).toEqual([text, text]);
      const parts = [...(await unzip(file)).values()];
      const elements = parts.flatMap(elementsOf).map(({ name }) => name);
      expect(elements).toContain('c');
      expect(elements).not.toContain('f');
    },
  );

  it('shows a cell of a workbook as it was there, with its number format once', async () => {
    const cells = [
      { text: '2026-03-01', value: '46082', format: '14' },
      { text: '2026-03-02', value: '46083', format: '14' },
      { text: '00123', value: '123', format: ':00000' },
      { text: '12.50 €', value: '12.5', format: ':0.00 "€";[Red]-0.00 "<&>"' },
      { text: '0.3', value: '0.30000000000000004', format: '' },
      { text: '0123', value: '', format: '49' },
    ].map(markWorkbookCell);
    const { file, changes } = await writeFileOf(
      cells.map((_, n) => column(`c${n}`, 'original')),
      [cells],
    );
    const [sheet] = await readWorkbook(file);
    expect(sheet?.rows[1]).toEqual([46_082, 46_083, 123, 12.5, 0.30000000000000004, '0123']);
    expect(changes).toEqual([]);
    const styles = elementsOf((await unzip(file)).get('xl/styles.xml') ?? '');
    const codes = new Map(
      styles
        .filter(({ name }) => name === 'numFmt')
        .map(({ attributes }) => [attributes['numFmtId'], attributes['formatCode']]),
    );
    const formats = styles
      .slice(styles.findIndex(({ name }) => name === 'cellXfs'))
      .filter(({ name }) => name === 'xf')
      .map(({ attributes: { numFmtId = '' } }) => codes.get(numFmtId) ?? numFmtId);
    expect(formats).toHaveLength(8);
    expect(sheet?.styles[1]?.map((style) => formats[Number(style)])).toEqual([
      '14',
      '14',
      '00000',
      '0.00 "€";[Red]-0.00 "<&>"',
      '0',
      '49',
    ]);
  });

  it('is a text where a state says something that no workbook has, or there are too many formats', async () => {
    const strange = [
      { text: 'x', value: '1"/><c', format: '14' },
      { text: 'y', value: '5', format: 'x' },
    ].map(markWorkbookCell);
    const many = Array.from({ length: 250 }, (_, n) =>
      markWorkbookCell({ text: `${n}!`, value: `${n}`, format: `:0"${n}"` }),
    );
    const { cells } = await cellsOf(
      [column('a', 'original')],
      [...strange, ...many].map((one) => [one]),
    );
    expect(cells?.slice(0, 2)).toEqual([['x'], ['y']]);
    expect(cells?.filter(([cell]) => typeof cell === 'number')).toHaveLength(199);
    expect(cells?.at(-1)).toEqual(['249!']);
  });

  it('keeps digits that a sheet would round or shorten as text', async () => {
    expect(await cellOf('phone', '+33612345678')).toBe('+33612345678');
    expect(await cellOf('original', '0612345678')).toBe('0612345678');
    expect(await cellOf('integer', 999_999_999_999_999)).toBe(999_999_999_999_999);
    expect(await cellOf('integer', 1_234_567_890_123_456)).toBe('1234567890123456');
    expect(await cellOf('original', exactNumber('12345678901234567890') ?? '')).toBe(
      '12345678901234567890',
    );
    expect(await cellOf('original', exactNumber('1.50') ?? '')).toBe(1.5);
    expect(await cellOf('original', exactNumber('1e400') ?? '')).toBe('1e400');
  });

  it('is a time of UTC with a format, or text where a sheet cannot show the time', async () => {
    const times = [
      '2026-11-21T12:00:00.000Z',
      '1900-03-01T00:00:00.000Z',
      '1900-02-28T00:00:00.000Z',
      'no time',
    ];
    const { cells, styles } = await cellsOf(
      [column('a', 'dateTime')],
      times.map((time) => [time]),
    );
    expect(cells).toEqual([[46_347.5], [61], ['1900-02-28T00:00:00.000Z'], ['no time']]);
    expect(styles).toEqual([['2'], ['2'], [''], ['']]);
  });

  it('keeps spaces, line breaks, and what looks like an escape', async () => {
    for (const text of [
      ' a ',
      'a\nb',
      'a\r\nb\r\n',
      '_x000D_',
      '_x0041_x0042_',
      '&lt;<>&"',
      '\u00A0',
    ]) {
      expect(await cellOf('text', text)).toBe(text);
    }
  });

  it('replaces what XML forbids and cuts what is too long for a cell, and tells of both', async () => {
    const pair = '😀';
    const { cells, changes } = await cellsOf(
      [column('a', 'original'), column('b', 'original'), column('c', 'json')],
      [
        ['a\0b\u000B\uFFFE\uD800', 'x'.repeat(32_767), 'ok'],
        ['fine', `${'x'.repeat(32_766)}${pair}`, { text: 'y'.repeat(40_000) }],
        [null, `\u0001${'x'.repeat(40_000)}`, null],
      ],
    );
    expect(cells?.[0]).toEqual(['a\uFFFDb\uFFFD\uFFFD\uFFFD', 'x'.repeat(32_767), 'ok']);
    expect(cells?.[1]?.[1]).toBe('x'.repeat(32_766));
    expect(cells?.[1]?.[2]).toBe(`{"text":"${'y'.repeat(32_758)}`);
    expect(cells?.[2]?.[1]).toBe(`\uFFFD${'x'.repeat(32_766)}`);
    expect(changes).toEqual([
      { column: 'a', change: 'characters', cells: 1 },
      { column: 'b', change: 'length', cells: 2 },
      { column: 'b', change: 'characters', cells: 1 },
      { column: 'c', change: 'length', cells: 1 },
    ]);
  });
});

describe('a workbook', () => {
  const columns = [column('name', 'original'), column('phone', 'phone'), column('n', 'integer')];

  it('has a frozen header, a filter over all that is used, and widths within bounds', async () => {
    const rows = [
      ['Ann', '+33 612345678', 1],
      ['x'.repeat(500), null, 2],
    ];
    const { file } = await writeFileOf(columns, rows);
    const [sheet] = await readWorkbook(file);
    expect(sheet).toMatchObject({
      name: 'Sheet1',
      filter: 'A1:C3',
      rows: [['name', 'phone', 'n'], ...rows],
      widths: [60, 14, 8],
    });
    const parts = await unzip(file);
    expect(parts.get('xl/worksheets/sheet1.xml')).toContain(
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    );
    expect(parts.get('xl/workbook.xml')).toContain(
      '<definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">Sheet1!$A$1:$C$3</definedName>',
    );
  });

  it('has all parts that spreadsheets ask for, each with its type, and its elements in their order', async () => {
    const { file } = await writeFileOf(columns, [['Ann', null, 1]]);
    const parts = await unzip(file);
    expect([...parts.keys()]).toEqual([
      '_rels/.rels',
      'xl/worksheets/sheet1.xml',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      '[Content_Types].xml',
    ]);
    const typed = elementsOf(parts.get('[Content_Types].xml') ?? '')
      .filter(({ name }) => name === 'Override')
      .map(({ attributes }) => attributes['PartName']);
    expect(typed).toEqual(['/xl/workbook.xml', '/xl/styles.xml', '/xl/worksheets/sheet1.xml']);
    const styles = elementsOf(parts.get('xl/styles.xml') ?? '');
    expect(styles.filter(({ name }) => name === 'fill')).toHaveLength(2);
    const [sheet] = await readWorkbook(file);
    expect(sheet?.elements).toEqual(
      'sheetViews sheetFormatPr cols sheetData autoFilter ignoredErrors'.split(' '),
    );
  });

  it('has its header and its filter even where no row follows', async () => {
    const [sheet] = await readWorkbook((await writeFileOf(columns, [])).file);
    expect(sheet).toMatchObject({ rows: [['name', 'phone', 'n']], filter: 'A1:C1' });
  });

  it('names columns beyond Z as sheets do', async () => {
    const many = Array.from({ length: 800 }, (_, n) => column(`c${n}`, 'integer'));
    const [sheet] = await readWorkbook((await writeFileOf(many, [many.map((_, n) => n)])).file);
    expect(sheet?.filter).toBe('A1:ADT2');
    expect(sheet?.rows[1]).toEqual(many.map((_, n) => n));
  });

  it('is the same file whenever it is written', async () => {
    const [one, two] = [await writeFileOf(columns, []), await writeFileOf(columns, [])];
    expect(one.file.equals(two.file)).toBe(true);
  });

  it.each<[what: string, limits: Partial<SheetLimits>, counts: number[]]>([
    ['rows', { rows: 4 }, [3, 3, 3, 1]],
    ['rows, with nothing left over', { rows: 6 }, [5, 5]],
    ['bytes', { bytes: 3_600 }, [3, 3, 3, 1]],
  ])('goes on in further sheets, each with its header, by %s', async (_, limits, counts) => {
    const rows = Array.from({ length: 10 }, (_, n) => [`${'x'.repeat(1_000)}${n}`, null, n]);
    const format = xlsxFormat(columns, { rows: 1e6, bytes: 1e9, ...limits });
    const file = await bytesOf(format, [rows.slice(0, 2), rows.slice(2, 9), rows.slice(9)]);
    const sheets = await readWorkbook(file);
    expect(sheets.map(({ name }) => name)).toEqual(counts.map((_, n) => `Sheet${n + 1}`));
    expect(sheets.map((sheet) => sheet.rows.length - 1)).toEqual(counts);
    for (const sheet of sheets) expect(sheet.rows[0]).toEqual(['name', 'phone', 'n']);
    expect(sheets.flatMap((sheet) => sheet.rows.slice(1))).toEqual(rows);
    expect(sheets.map(({ filter }) => filter)).toEqual(counts.map((n) => `A1:C${n + 1}`));
  });

  it('refuses more columns than a sheet has', async () => {
    const many = Array.from({ length: 16_385 }, (_, n) => column(`c${n}`));
    const path = join(await temporaryFolder(), 'x.xlsx');
    await expect(openTableWriter(path, many, writerOptions())).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('would have 16385 columns, and XLSX ends at 16384'),
    });
  });

  it('gives back the cells of any table', async () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom('a', '=', '_', 'x0041_', '\n', '\r', ' ', '<', '&', '"', '😀', ']]>', '\t'),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      ),
      maxLength: 12,
    });
    const isHeld = (value: string): boolean =>
      !/(?![\t\n\r\u007F-\u009F])\p{Cc}|[\uFFFE\uFFFF]/u.test(value);
    const held = text.filter(isHeld);
    const cells = fc.tuple(
      fc.oneof(held, fc.boolean(), fc.integer(), fc.constant(null)),
      held,
      fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null)),
      fc.oneof(fc.boolean(), fc.constant(null)),
    );
    const of = [
      column('a', 'original'),
      column('b'),
      column('c', 'number'),
      column('d', 'boolean'),
    ];
    const shown = (cell: JsonValue): JsonValue => {
      if (typeof cell === 'number' && Number.isInteger(cell) && Math.abs(cell) >= 1e15) {
        return String(cell);
      }
      return cell === '' ? null : Object.is(cell, -0) ? 0 : cell;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(cells, { maxLength: 20 }), fc.nat(20), async (rows, at) => {
        const file = await bytesOf(xlsxFormat(of), [rows.slice(0, at), rows.slice(at)]);
        const [sheet] = await readWorkbook(file);
        expect(sheet?.rows.slice(1)).toEqual(rows.map((row) => row.map(shown)));
      }),
      { numRuns: tries(60) },
    );
  });
});
