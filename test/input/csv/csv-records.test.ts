import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Delimiter } from '../../../src/model/lead.js';
import { isLong, tries } from '../../helpers/long.js';
import { cutBytes, openFolder, readAll, readPipe } from '../read-all.js';

const folder = await openFolder();
const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|'];

describe('cells', () => {
  it('come back as csv-stringify wrote them, however the bytes are cut', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '|', '\n', '\r', ' ', 'é', '名') }),
    );
    const table = fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }),
      );
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom(...DELIMITERS),
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        async (rows, delimiter, recordDelimiter, sizes) => {
          const header = rows[0]?.map((_, index) => `c${index}`) ?? [];
          const text = stringify([header, ...rows], {
            delimiter,
            record_delimiter: recordDelimiter,
            quoted_match: /[\r\n]/,
          });
          const input = await readPipe(cutBytes(Buffer.from(text), sizes), {
            delimiter,
            format: 'csv',
            encoding: 'utf-8',
          });
          expect(input.rejects).toEqual([]);
          // A row of separators alone is empty.
          const filled = rows.filter((row) => row.some((text) => text.trim() !== ''));
          expect(input.records.map((record) => record.cells)).toEqual(filled);
          expect(input.records.filter((record) => record.flaw !== undefined)).toEqual([]);
        },
      ),
      { numRuns: tries(150) },
    );
  });

  it('may hold 1 MB, line breaks and NUL', async () => {
    const long = 'long "text"\n'.repeat(90_000);
    const text = stringify([
      ['a', 'b'],
      [long, 'x\0y'],
    ]);
    const [record] = (await readPipe(cutBytes(Buffer.from(text), [256 * 1024]))).records;
    // Not toEqual: to show how a megabyte differs takes minutes.
    expect(record?.cells[0] === long).toBe(true);
    expect(record?.cells[1]).toBe('x\0y');
  });

  it('are aligned with a header that is repeated, empty or surrounded by blanks', async () => {
    const { columns } = await readPipe(' id ,name,name,,name_2\n1,2,3,4,5\n');
    expect(columns).toEqual([
      { key: 'id', name: ' id ' },
      { key: 'name', name: 'name' },
      { key: 'name_3', name: 'name' },
      { key: 'column_4', name: '' },
      { key: 'name_2', name: 'name_2' },
    ]);
  });
});

describe('lines', () => {
  it('are physical, counted over quoted line breaks, blank lines and rejects', async () => {
    const text = 'a,b\n\n1,"x\ny\nz"\r\n\r\n2,ok\n3,"bad"bad\n4,end';
    const { records, rejects } = await readPipe(text);
    expect(records.map(({ line, cells }) => [line, cells[0]])).toEqual([
      [3, '1'],
      [7, '2'],
      [9, '4'],
    ]);
    expect(rejects.map((reject) => reject.line)).toEqual([8]);
  });

  it('may end in a lone carriage return', async () => {
    const { records } = await readPipe('a,b\r1,"x\ry"\r2,z\r');
    expect(records.map(({ line, cells }) => [line, cells])).toEqual([
      [2, ['1', 'x\ry']],
      [4, ['2', 'z']],
    ]);
  });
});

describe('a line that names the delimiter', () => {
  it.each([
    ['sep=;\na,b;c\n1,5;2\n', ['a,b', 'c'], ['1,5', '2']],
    ['\uFEFFSEP=,\r\na,b\r\n1;5,2\r\n', ['a', 'b'], ['1;5', '2']],
    ['"sep=\t"\na\tb\n1\t2', ['a', 'b'], ['1', '2']],
    ['sep=|,,\na|b\n1|2', ['a', 'b'], ['1', '2']],
    ['sep=;\ra;b\r1;2\r', ['a', 'b'], ['1', '2']],
  ])('is followed, and is no header: %j', async (text, names, cells) => {
    for (const sizes of [[1], [7], [4096]]) {
      const input = await readPipe(cutBytes(Buffer.from(text), sizes));
      expect(input.columns.map(({ name }) => name)).toEqual(names);
      expect(input.records).toEqual([{ source: 0, line: 3, cells }]);
    }
  });

  it('yields to a delimiter that is set', async () => {
    const { records } = await readPipe('sep=;\na,b\n1,2\n', { delimiter: ',' });
    expect(records.map(({ cells }) => cells)).toEqual([['1', '2']]);
  });

  it('is a header like any other where it names none', async () => {
    const { columns } = await readPipe('sep=x,b\n1,2\n');
    expect(columns.map(({ name }) => name)).toEqual(['sep=x', 'b']);
  });
});

it('a row of separators alone is passed over, as an empty line is', async () => {
  const { records, rejects } = await readPipe('a,b\n,\n1,2\n , \n"",""\n,,,\n3,4\n');
  expect(records.map(({ line, cells }) => [line, ...cells])).toEqual([
    [3, '1', '2'],
    [7, '3', '4'],
  ]);
  expect(rejects).toEqual([]);
});

describe('a ragged row', () => {
  it('is none where its surplus cells are empty', async () => {
    const { records, rejects } = await readPipe('a,b\n1,2,,\n3,4, ,""\n5,6,,x\n');
    expect(rejects.map(({ line }) => line)).toEqual([4]);
    expect(records).toEqual([
      { source: 0, line: 2, cells: ['1', '2'] },
      { source: 0, line: 3, cells: ['3', '4'] },
      { source: 0, line: 4, cells: ['5', '6'], flaw: 'ragged_row: 4 cells under 2 columns' },
    ]);
  });

  it.each([
    ['that lacks cells at its end is whole', 'Ada,Lovelace,ada.example', true],
    ['is short in all columns but the first', 'Ada', true],
    ['has an empty cell and a sign for none', 'Ada,-,n/a', true],
    ['has a domain where a name belongs', 'Ada,ada.example', false],
    ['has an address where a name belongs', 'ada@ada.example,Lovelace', false],
    ['has a name where a domain belongs', 'Ada,Lovelace,Analytical Engines', false],
    ['has a profile where a website belongs', 'Ada,Lovelace,linkedin.com/in/ada', false],
    [
      'has a website where a profile belongs',
      'Ada,Lovelace,ada.example,https://ada.example',
      false,
    ],
    ['has a website where a text belongs', 'Ada,Lovelace,,,www.ada.example', false],
    ['has several lines', 'Ada,"Love\nlace"', false],
  ])('%s', async (_, row, isRead) => {
    const head = 'First name,Last name,Company domain,LinkedIn URL,Site (old),Note\n';
    const { records, rejects, batches } = await readPipe(`${head}${row}\nBob,Byron,,,,\n`);
    expect(rejects).toEqual([]);
    const [record, whole] = records;
    expect(record?.cells).toHaveLength(6);
    expect(record?.flaw?.split(':')[0]).toBe(isRead ? undefined : 'ragged_row');
    expect(record?.isShort).toBe(isRead ? true : undefined);
    expect(whole).toMatchObject({ cells: ['Bob', 'Byron', '', '', '', ''] });
    expect(batches.flatMap(({ detected = [] }) => detected).map(({ value }) => value)).toEqual(
      isRead
        ? [
            '1 of 2 rows in the file, on line 2, has fewer cells than the header; the missing ones count as empty',
          ]
        : [],
    );
  });

  it('is judged by what whole rows have in a column of another name', async () => {
    const row = (n: number) => `a${n},b,https://b${n}.example,x\n`;
    const text = `a,b,c,d\n${row(1)}${row(2)}${row(3)}a4,b,b4.example\na5,b,none of them\n`;
    const path = await folder.write('other-names.csv', text);
    const { records } = await readAll(path);
    expect(records.map(({ flaw, isShort }) => [flaw, isShort])).toEqual([
      ...Array.from({ length: 3 }, () => [undefined, undefined]),
      [undefined, true],
      ['ragged_row: 3 cells under 4 columns', undefined],
    ]);
  });

  it('is doubtful where the file may be cut off in it', async () => {
    const { records } = await readPipe('a,b,c\n1,2\n1,2');
    expect(records).toEqual([
      { source: 0, line: 2, cells: ['1', '2', ''], isShort: true },
      { source: 0, line: 3, cells: ['1', '2', ''], flaw: 'ragged_row: 2 cells under 3 columns' },
    ]);
  });

  it('is none where only columns without a name are missing at its end', async () => {
    const { records, columns } = await readPipe('a,b,,\n1,2\n1,2,,3\n1,2,');
    expect(columns.map(({ key }) => key)).toEqual(['a', 'b', 'column_3', 'column_4']);
    expect(
      records.map(({ cells, flaw, isShort }) => [cells.map(String).join('|'), flaw ?? isShort]),
    ).toEqual([
      ['1|2||', undefined],
      ['1|2||3', undefined],
      ['1|2||', undefined],
    ]);
  });

  it('that is too long stays in, cut and flawed, and is a reject with its raw text besides', async () => {
    const { records, rejects } = await readPipe('a,b\n1,2,"3"\n');
    expect(records).toEqual([
      { source: 0, line: 2, cells: ['1', '2'], flaw: 'ragged_row: 3 cells under 2 columns' },
    ]);
    expect(rejects).toEqual([
      {
        source: 0,
        line: 2,
        reason: 'ragged_row: 3 cells under 2 columns; the surplus cells are only here',
        raw: '1,2,"3"',
      },
    ]);
  });

  it('over several lines says which, since a quote may be open there', async () => {
    const { records } = await readPipe('a,b\n1,"x\n2,y\n3,",z\n');
    expect(records[0]?.flaw).toContain('on lines 2 to 4 (is a quote left open there?)');
  });
});

describe('broken quotes', () => {
  it.each([
    ['in the middle', 'a,b\n1,x\n2,"y\n3,z\n4,w\n', ['1', '3', '4'], 3],
    ['on the last line', 'a,b\n1,x\n2,"y\n', ['1'], 3],
    ['on the last line without a line end', 'a,b\n1,x\n2,"y', ['1'], 3],
    ['before other quoted cells', 'a,b\n1,"x\n2,"y"\n3,"z"\n', ['2', '3'], 2],
  ])('a quote left open %s costs its own line only', async (_, text, ids, line) => {
    const { records, rejects } = await readPipe(text);
    expect(records.map((record) => record.cells[0])).toEqual(ids);
    expect(rejects).toHaveLength(1);
    expect(rejects[0]).toMatchObject({ line, reason: expect.stringMatching(/^unclosed_quote: /) });
  });

  it('text after a closing quote costs its own line only', async () => {
    const { records, rejects } = await readPipe('a,b\n1,"x" y\n2,"z"\n');
    expect(records.map((record) => record.cells[0])).toEqual(['2']);
    expect(rejects[0]).toMatchObject({ line: 2, raw: '1,"x" y' });
    expect(rejects[0]?.reason).toMatch(/^stray_quote: /);
  });

  it('a quote inside an unquoted cell is an ordinary character', async () => {
    const { records, rejects } = await readPipe('a,b\n1,5" pipe\n2, "x"\n');
    expect(records.map((record) => record.cells[1])).toEqual(['5" pipe', ' "x"']);
    expect(records.every((record) => record.flaw === undefined)).toBe(true);
    expect(rejects).toEqual([]);
  });

  it('a quote left open at the top of a large file costs one line, in bounded memory', async () => {
    const count = isLong ? 40_000 : 10_000;
    const rows = Array.from({ length: count }, (_, index) => `${index},${'n'.repeat(200)}\n`);
    const path = await folder.write('open-quote.csv', `id,name\nbad,"x\n${rows.join('')}`);
    const { records, rejects } = await readAll(path);
    expect(records.length).toBe(count);
    expect(records.at(-1)).toMatchObject({ line: count + 2 });
    expect(rejects.map((reject) => reject.line)).toEqual([2]);
  });
});

describe('a header that is repeated further down', () => {
  it.each([
    ['CSV', 'leads.csv', 'a, b,\n1,2,\na,B,\n\uFEFFa, b\t,\na,x,\n'],
    [
      'NDJSON',
      'leads.ndjson',
      '\n{"a":1,"b":2}\n{"a":"a","b":"b"}\n{"b":"b"}\n{"a":"a","b":"x"}\n',
    ],
  ])('is a flaw of its row in %s, which keeps its place', async (_, name, text) => {
    const { records, rejects } = await readAll(await folder.write(name, text));
    expect(records.map(({ line, flaw }) => [line, flaw])).toEqual([
      [2, undefined],
      [3, 'repeated header'],
      [4, 'repeated header'],
      [5, undefined],
    ]);
    expect(rejects).toEqual([]);
  });
});

describe('bytes that are no text', () => {
  it.each([1, 30, 100])('flaw their own record, in chunks of %i bytes', async (size) => {
    const bytes = Buffer.from('id,name\n1,Zoë Muñoz\n2,Zoë Bj?rn\n3,José\n');
    bytes[bytes.indexOf('?')] = 0xf6;
    const { records } = await readPipe(cutBytes(bytes, [size]));
    expect(records.map((record) => record.flaw)).toEqual([
      undefined,
      'invalid_bytes: some bytes are not text in this encoding; correct the line, or save the file as UTF-8',
      undefined,
    ]);
    expect(records[1]?.cells).toEqual(['2', 'Zoë Bj\uFFFDrn']);
  });

  it('are not seen in a replacement character that was written honestly', async () => {
    const { records } = await readPipe('id,name\n1,Bj\uFFFDrn\n');
    expect(records).toEqual([{ source: 0, line: 2, cells: ['1', 'Bj\uFFFDrn'] }]);
  });
});
