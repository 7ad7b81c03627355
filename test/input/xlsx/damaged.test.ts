import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../../src/model/errors.js';
import { exactText } from '../../../src/model/text/json.js';
import { isLong } from '../../helpers/long.js';
import { openFolder, readAll, readPipe } from '../read-all.js';
import {
  inlineCell,
  type MadeWorkbook,
  relation,
  relationships,
  tableOf,
  workbookOf,
  workbookParts,
  type ZipPart,
  zipOf,
} from './make-workbook.js';

const folder = await openFolder();
const MIB = 1024 * 1024;
const ROWS = tableOf([
  ['a', 'b'],
  ['1', 'x'],
]);
const WHOLE: MadeWorkbook = {
  sheets: [{ rows: `${ROWS}<row r="9"><c t="s"><v>0</v></c></row>` }],
  strings: ['<t>shared</t>'],
  formats: ['0.00'],
};

/** The sentence that refuses the file; a failure where it is read, or ends in something else. */
async function refusal(bytes: Uint8Array, name = 'leads.xlsx'): Promise<string> {
  const path = await folder.write(name, bytes);
  const error: unknown = await readAll(path).catch((cause: unknown) => cause);
  if (!(error instanceof SluiceError)) throw new Error(`${name} was read`, { cause: error });
  expect(error.code).toBe('input');
  expect(error.message.startsWith(`The input file ${path} `)).toBe(true);
  expect(error.message.split('. ').length).toBeLessThanOrEqual(3);
  return error.message.slice(`The input file ${path} `.length);
}

const withSheet = (rows: string) => refusal(workbookOf({ sheets: [{ rows }] }));
const withParts = (parts: Record<string, string | Uint8Array | undefined>) =>
  refusal(workbookOf({ ...WHOLE, parts }));

describe('a damaged workbook is refused with a sentence', () => {
  it('where its end is missing, at whatever byte', async () => {
    const bytes = workbookOf(WHOLE);
    for (let end = 9; end < bytes.length; end += isLong ? 13 : 53) {
      expect(await refusal(bytes.subarray(0, end))).toMatch(/damaged/);
    }
  });

  it('where a text is not the one that was packed', async () => {
    const parts = workbookParts(WHOLE).map((part) => ({ ...part, isStored: true }));
    const changed = zipOf(parts).toString('latin1').replace('>x</t>', '>y</t>');
    expect(await refusal(Buffer.from(changed, 'latin1'))).toContain('s1.xml is damaged');
  });

  it('or read, where a byte is another', async () => {
    const bytes = workbookOf(WHOLE);
    let refused = 0;
    for (let at = 4; at < bytes.length; at += isLong ? 7 : 29) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x55;
      const outcome = await readPipe(changed).catch((error: unknown) => error);
      if (outcome instanceof SluiceError) refused += 1;
      else expect(outcome).toHaveProperty('records');
    }
    expect(refused).toBeGreaterThan(isLong ? 50 : 12);
  });

  it.each([
    ['_rels/.rels'],
    ['xl/workbook.xml'],
    ['xl/_rels/workbook.xml.rels'],
    ['xl/worksheets/s1.xml'],
    ['xl/sharedStrings.xml'],
    ['xl/styles.xml'],
  ])('where the part %s is missing, broken, or a DTD', async (part) => {
    expect(await withParts({ [part]: undefined })).toContain(`its part ${part} is missing`);
    expect(await withParts({ [part]: '<a><b></a>' })).toContain(`its part ${part} is broken XML`);
    expect(await withParts({ [part]: '' })).toMatch(/damaged workbook/);
    expect(await withParts({ [part]: '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>' })).toContain(
      `its part ${part} has a DTD`,
    );
    expect(await withParts({ [part]: `<a>${'<b>'.repeat(200)}` })).toContain('nested too deeply');
    expect(await withParts({ [part]: Buffer.from('<a>\xff\xff</a>', 'latin1') })).toContain(
      'has bytes that are no text',
    );
    expect(await withParts({ [part]: `<a b="${'x'.repeat(5 * MIB)}"/>` })).toContain(
      'has a text without an end',
    );
  });

  it('where a part is there twice, or a name leads out of the archive', async () => {
    const parts = workbookParts(WHOLE);
    const twice: ZipPart = { name: 'XL/workbook.xml', content: '<workbook/>' };
    expect(await refusal(zipOf([...parts, twice]))).toContain('XL/workbook.xml is there twice');
    for (const name of ['../evil.xml', '/etc/passwd', 'C:/x']) {
      expect(await refusal(zipOf([...parts, { name, content: 'x' }]))).toContain('damaged');
    }
  });

  it('where a sheet lies outside of the file', async () => {
    const outside = (target: string, mode?: string) =>
      withParts({
        'xl/_rels/workbook.xml.rels': relationships([relation('rId1', 'worksheet', target, mode)]),
      });
    expect(await outside('http://example.com/s.xml', 'External')).toContain('outside of the file');
    expect(await outside('../../../../etc/passwd')).toContain('etc/passwd is missing');
    expect(await outside('file:///etc/passwd')).toContain('is missing');
    expect(await withParts({ 'xl/_rels/workbook.xml.rels': relationships([]) })).toContain(
      'lacks a sheet',
    );
  });

  it.each([
    ['a row behind the last', '<row r="1048577"><c><v>1</v></c></row>', 'rows that are not in'],
    ['a row below 1', '<row r="0"><c><v>1</v></c></row>', 'rows that are not in'],
    ['a negative row', '<row r="-4"><c><v>1</v></c></row>', 'rows that are not in'],
    ['half a row', '<row r="1.5"><c><v>1</v></c></row>', 'rows that are not in'],
    ['a row twice', '<row r="2"/><row r="2"/>', 'rows that are not in order (row 2)'],
    ['a column behind the last', '<row r="1"><c r="XFE1"><v>1</v></c></row>', 'no sheet has any'],
    ['a column with many letters', '<row r="1"><c r="ABCDEFGH1"/></row>', 'no sheet has any'],
    ['a cell without a column', '<row r="1"><c r="12"/></row>', 'no sheet has any'],
    ['a negative cell', '<row r="1"><c r="A-1"/></row>', 'no sheet has any'],
    ['too many cells', `<row>${'<c r="A1"/>'.repeat(16_385)}</row>`, 'no sheet has any'],
    ['a shared text that is not there', '<row><c t="s"><v>7</v></c></row>', 'is missing'],
    ['no number of a shared text', '<row><c t="s"><v>-1</v></c></row>', 'shared text that is none'],
    ['an entity of its own', '<row><c><v>&lol;</v></c></row>', 'is broken XML'],
  ])('with %s', async (_, rows, what) => {
    expect(await withSheet(rows)).toContain(what);
  });

  it('where a cell points behind the last shared text', async () => {
    const made = { sheets: [{ rows: '<row><c t="s"><v>7</v></c></row>' }], strings: ['<t>0</t>'] };
    expect(await refusal(workbookOf(made))).toContain('lacks texts that its cells point to');
  });
});

describe('what unpacks without an end', () => {
  it('is refused by what it says of itself', async () => {
    const parts = workbookParts(WHOLE).map((part) =>
      part.name.endsWith('s1.xml') ? { ...part, saidSize: 100 * MIB } : part,
    );
    expect(await refusal(zipOf(parts))).toContain('unpacks to far more than it should');
  });

  it('is refused as soon as it passes what it says of itself', async () => {
    const parts = workbookParts({ sheets: [{ rows: `${ROWS}${' '.repeat(MIB)}` }] });
    const lying = parts.map((part) =>
      part.name.endsWith('s1.xml') ? { ...part, saidSize: 4_096 } : part,
    );
    expect(await refusal(zipOf(lying))).toContain('unpacks to far more than it should');
    const short = parts.map((part) =>
      part.name.endsWith('workbook.xml') ? { ...part, saidSize: 100_000 } : part,
    );
    expect(await refusal(zipOf(short))).toContain('xl/workbook.xml is damaged');
  });

  it('is one reject where it is a row without an end, of its own or by texts it shares', async () => {
    const own = `<row>${inlineCell('x'.repeat(2 * MIB)).repeat(9)}</row>`;
    const shared = `<row>${'<c t="s"><v>0</v></c>'.repeat(16_000)}</row>`;
    const rows = `${ROWS}${own}${shared}<row><c><v>7</v></c></row>`;
    const strings = [`<t>${'x'.repeat(32_767)}</t>`];
    const { records, rejects } = await readPipe(workbookOf({ sheets: [{ rows }], strings }));
    expect(records.map(({ cells }) => cells.map(exactText))).toEqual([
      ['1', 'x'],
      ['7', ''],
    ]);
    expect(rejects.map(({ line, reason }) => [line, reason.split(':')[0]])).toEqual([
      [3, 'record_too_long'],
      [4, 'record_too_long'],
    ]);
  });

  it('is passed over where it is as many empty cells and rows', async () => {
    const count = isLong ? 1_000 : 100;
    const empty = `<row>${'<c s="1"/>'.repeat(1_000)}</row>`;
    const rows = `${ROWS}${empty.repeat(count)}<row><c><v>7</v></c></row>`;
    const { records } = await readPipe(workbookOf({ sheets: [{ rows }] }));
    expect(records.map(({ line, cells }) => [line, cells.map(exactText)])).toEqual([
      [2, ['1', 'x']],
      [count + 3, ['7', '']],
    ]);
  });

  it('keeps memory small where each row has but its last cell', async () => {
    const count = isLong ? 2_000 : 200;
    const far = '<row><c r="XFD1"><v>1</v></c></row>'.repeat(count);
    const { records, rejects } = await readPipe(
      workbookOf({ sheets: [{ rows: `${ROWS}${far}` }] }),
    );
    expect([records.length, rejects.length]).toEqual([count + 1, count]);
  });
});

describe('another kind of file is told by name', () => {
  const zip = (...parts: [string, string][]) =>
    refusal(zipOf(parts.map(([name, content]) => ({ name, content }))), 'file.zip');
  const main = (target: string) => relationships([relation('r', 'officeDocument', target)]);

  it.each([
    ['a zip archive', [['leads.csv', 'a,b']], 'no Excel workbook; unpack it'],
    [
      'OpenDocument',
      [
        ['mimetype', 'x'],
        ['content.xml', '<x/>'],
      ],
      'no Excel workbook; unpack it, or save it',
    ],
    [
      'xlsb',
      [
        ['_rels/.rels', main('xl/workbook.bin')],
        ['xl/workbook.bin', 'x'],
      ],
      '(.xlsb); open',
    ],
    [
      'other Office files',
      [
        ['_rels/.rels', main('a.xml')],
        ['a.xml', '<Visio/>'],
      ],
      'no workbook',
    ],
  ] as const)('%s', async (_, parts, sentence) => {
    expect(
      await zip(...parts.map(([name, content]): [string, string] => [name, content])),
    ).toContain(sentence);
  });

  it('a zip with a password', async () => {
    const parts = workbookParts(WHOLE).map((part) => ({ ...part, flags: 1 }));
    expect(await refusal(zipOf(parts))).toContain('with a password; save it without one');
  });

  it('a part that is packed in another way', async () => {
    const [first, ...rest] = workbookParts(WHOLE);
    const odd = { name: '_rels/.rels', content: deflateRawSync('x'), isStored: true };
    const bytes = zipOf([first ?? odd, odd, ...rest.slice(1)]);
    const patched = Buffer.from(bytes);
    for (const mark of ['PK\x01\x02', 'PK\x03\x04']) {
      for (let at = patched.indexOf(mark); at !== -1; at = patched.indexOf(mark, at + 1)) {
        const methodAt = at + (mark === 'PK\x01\x02' ? 10 : 8);
        if (patched.readUInt16LE(methodAt) === 0) patched.writeUInt16LE(9, methodAt);
      }
    }
    expect(await refusal(patched)).toContain('_rels/.rels is damaged');
  });

  it('an old workbook, or one with a password', async () => {
    const bytes = Buffer.from('d0cf11e0a1b11ae10000', 'hex');
    expect(await refusal(bytes, 'old.xls')).toContain('is an old Excel file (.xls), or one with a');
  });
});
