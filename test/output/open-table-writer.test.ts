import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTableWriter, type TableWriterOptions } from '../../src/output/open-table-writer.js';
import type { OutputColumn, OutputRow } from '../../src/ports/table-writer.js';
import { tries } from '../helpers/long.js';
import { readWorkbook } from '../helpers/read-workbook.js';
import { column, temporaryFolder, writerOptions } from './temporary-folder.js';

const columns = [column('name'), column('phone', 'phone')];

async function writeTable(
  path: string,
  columns: readonly OutputColumn[],
  rows: readonly OutputRow[],
  options: Partial<TableWriterOptions> = {},
): Promise<string> {
  const writer = await openTableWriter(path, columns, writerOptions(options));
  await writer.write(rows);
  await writer.commit();
  return readFile(path, 'utf8');
}

describe('openTableWriter', () => {
  it('writes the header even where no row follows', async () => {
    const folder = await temporaryFolder();
    expect(await writeTable(join(folder, 'x.csv'), columns, [])).toBe('name,phone\n');
    expect(await writeTable(join(folder, 'x.ndjson'), columns, [])).toBe('');
  });

  it("takes the format from a file's ending, whatever standard output is to have", async () => {
    const folder = await temporaryFolder();
    const rows = [['Ann', null]];
    const line = '{"name":"Ann","phone":null}\n';
    expect(await writeTable(join(folder, 'x.jsonl'), columns, rows)).toBe(line);
    expect(await writeTable(join(folder, 'x.txt'), columns, rows)).toBe('name,phone\nAnn,\n');
    expect(await writeTable(join(folder, 'x.ndjson'), columns, rows, { format: 'csv' })).toBe(line);
  });

  it.each<[name: string, delimiter: ';' | '|' | undefined, text: string]>([
    ['x.csv', ';', 'name;phone\nA,n;"1;2"\n'],
    ['x.csv', '|', 'name|phone\nA,n|1;2\n'],
    ['x.tsv', undefined, 'name\tphone\nA,n\t1;2\n'],
    ['x.tsv', ';', 'name\tphone\nA,n\t1;2\n'],
    ['x.ndjson', ';', '{"name":"A,n","phone":"1;2"}\n'],
  ])('writes %s, with the delimiter %j', async (name, delimiter, text) => {
    const path = join(await temporaryFolder(), name);
    expect(await writeTable(path, columns, [['A,n', '1;2']], { delimiter })).toBe(text);
  });

  it.each(['x.csv.gz', 'x.tsv.gz', 'x.NDJSON.GZ'])(
    'packs %s, however many batches',
    async (name) => {
      const folder = await temporaryFolder();
      const rows = Array.from({ length: 1_000 }, (_, n) => [`name ${n}`, `+33 ${n}`]);
      const path = join(folder, name);
      const writer = await openTableWriter(path, columns, writerOptions());
      for (let n = 0; n < rows.length; n += 300) await writer.write(rows.slice(n, n + 300));
      await writer.commit();
      const plain = await writeTable(join(folder, name.replace(/\.gz$/i, '')), columns, rows);
      const packed = await readFile(path);
      expect(gunzipSync(packed).toString()).toBe(plain);
      expect(packed.length).toBeLessThan(plain.length / 3);
    },
  );

  it('writes to standard output for -, in the format that is told, without ending it', async () => {
    await expect(
      openTableWriter('-', columns, writerOptions({ standardOutput: undefined })),
    ).rejects.toMatchObject({ code: 'usage' });
    const standardOutput = new PassThrough();
    const options = writerOptions({ standardOutput, format: 'ndjson' });
    const writer = await openTableWriter('-', columns, options);
    await writer.write([['Ann', '+33 1']]);
    await writer.commit();
    expect(standardOutput.writableEnded).toBe(false);
    standardOutput.end();
    expect(await text(standardOutput)).toBe('{"name":"Ann","phone":"+33 1"}\n');
  });

  it('tells of what it changed, and changes nothing else', async () => {
    const path = join(await temporaryFolder(), 'x.csv');
    const columns = [column('name', 'original'), column('phone', 'original')];
    const writer = await openTableWriter(path, columns, writerOptions());
    await writer.write([
      ['fine \0', '\u0001'],
      ['a\uD800b', null],
    ]);
    await writer.write([['\uDC00', '\uDBFF']]);
    await writer.commit();
    expect(await readFile(path, 'utf8')).toBe(
      'name,phone\nfine \0,\u0001\na\uFFFDb,\n\uFFFD,\uFFFD\n',
    );
    expect(writer.changes()).toEqual([
      { column: 'name', change: 'characters', cells: 2 },
      { column: 'phone', change: 'characters', cells: 1 },
    ]);
  });

  it('tells of digits of the user that Excel changes in a CSV for it, and leaves them as they are', async () => {
    const columns = [column('zip', 'original'), column('id', 'original'), column('phone', 'phone')];
    const rows = [
      ['01234', '123456789012', '+33123456'],
      ['0', '12345', '+33123456'],
      ['+33123456', 'A0123', null],
    ];
    for (const [name, excel] of [
      ['x.csv', true],
      ['plain.csv', false],
      ['x.xlsx', true],
    ] as const) {
      const path = join(await temporaryFolder(), name);
      const writer = await openTableWriter(path, columns, writerOptions({ excel }));
      await writer.write(rows);
      await writer.commit();
      const told = [
        { column: 'zip', change: 'excel', cells: 2 },
        { column: 'id', change: 'excel', cells: 1 },
      ];
      expect(writer.changes()).toEqual(name === 'x.csv' ? told : []);
      if (name === 'x.csv')
        expect(await readFile(path, 'utf8')).toContain('01234,123456789012,"=""+33123456"""\r\n');
    }
  });

  it('leaves out what could steer a terminal of what the platform said, and of nothing else', async () => {
    const folder = await temporaryFolder();
    const steers = '\u001b[31m\u009d0;x\u009c\u202e\u2066\u200f\0\u007f\r';
    const stays = 'é\t王\n👩‍👩‍👧\r\n\u200cfin';
    const all = [column('own', 'original'), column('said'), column('data', 'json')];
    const cell = `${steers}=a${stays}`;
    const row = [cell, cell, { [`k${steers}`]: [cell, 1] }];
    const left = `[31m0;x=a${stays}`;
    const json = { [`k[31m0;x`]: [left, 1] };
    for (const name of ['x.csv', 'x.ndjson', 'x.xlsx', 'x.parquet']) {
      const path = join(folder, name);
      const writer = await openTableWriter(path, all, writerOptions());
      await writer.write([row, ['a', 'b', null]]);
      await writer.commit();
      expect(writer.changes().filter(({ change }) => change === 'controls')).toEqual([
        { column: 'said', change: 'controls', cells: 1 },
        { column: 'data', change: 'controls', cells: 1 },
      ]);
    }
    const read: string[][] = parse(await readFile(join(folder, 'x.csv'), 'utf8'));
    expect(read[1]).toEqual([cell, left, JSON.stringify(json)]);
    const [line = ''] = (await readFile(join(folder, 'x.ndjson'), 'utf8')).split('\n');
    expect(JSON.parse(line)).toEqual({ own: cell, said: left, data: json });
    const [sheet] = await readWorkbook(await readFile(join(folder, 'x.xlsx')));
    expect(sheet?.rows[1]?.[1]).toBe(left);
  });

  it('guards a formula that begins behind what was left out', async () => {
    const path = join(await temporaryFolder(), 'x.csv');
    expect(await writeTable(path, [column('a')], [['\u0001\u202e=1+1']])).toBe("a\n'=1+1\n");
  });

  it.each(['x.csv', 'x.xlsx', 'x.parquet'])(
    'replaces %s in one step at commit, and leaves it alone at discard',
    async (name) => {
      const folder = await temporaryFolder();
      const path = join(folder, name);
      await writeFile(path, 'old');
      const left = await openTableWriter(path, columns, writerOptions());
      await left.write([['Ann', null]]);
      await left.discard();
      await left.discard();
      expect(await readdir(folder)).toEqual([name]);
      expect(await readFile(path, 'utf8')).toBe('old');
      const writer = await openTableWriter(path, columns, writerOptions());
      await writer.write([['Ann', null]]);
      expect(await readFile(path, 'utf8')).toBe('old');
      await writer.commit();
      const written = await readFile(path);
      await writer.commit();
      await writer.discard();
      expect((await readFile(path)).equals(written)).toBe(true);
      expect(written.toString('latin1')).toMatch(/^(?:PK|PAR1|name,phone\nAnn,\n$)/);
      expect(await readdir(folder)).toEqual([name]);
    },
  );

  it('writes bytes to standard output where it is told a format', async () => {
    const standardOutput = new PassThrough();
    const options = writerOptions({ standardOutput, format: 'xlsx' });
    const writer = await openTableWriter('-', columns, options);
    await writer.write([['Ann', '+33 1']]);
    await writer.commit();
    standardOutput.end();
    const [sheet] = await readWorkbook(await buffer(standardOutput));
    expect(sheet?.rows).toEqual([
      ['name', 'phone'],
      ['Ann', '+33 1'],
    ]);
  });

  it('writes CSV from which csv-parse reads the same cells', async () => {
    const path = join(await temporaryFolder(), 'x.csv');
    const three = [column('a', 'original'), column('b', 'original'), column('c', 'original')];
    const awkward = fc.string({
      unit: fc.constantFrom('a', 'é', '😀', ',', '"', '\n', '\r', ' ', ';', "'", '=', '\t'),
      maxLength: 6,
    });
    const cells = fc.oneof(awkward, fc.string({ unit: 'grapheme' }));
    const tables = fc.array(fc.tuple(cells, cells, cells), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(tables, fc.boolean(), async (rows, excel) => {
        const written = await writeTable(path, three, rows, { excel });
        expect(parse(written, { bom: true })).toEqual([['a', 'b', 'c'], ...rows]);
      }),
      { numRuns: tries(60) },
    );
  });

  it('writes CSV that gives guarded text back but for the apostrophe', async () => {
    const path = join(await temporaryFolder(), 'x.csv');
    const starts = fc.constantFrom('=', '+', '-', '@', '\t', '\r\n', '＝', 'a', "'", '1', '');
    const cells = fc.tuple(starts, fc.string()).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(cells, { minLength: 1, maxLength: 40 }), async (values) => {
        const rows = values.map((value) => [value, 'end']);
        const written = await writeTable(path, [column('a'), column('b')], rows);
        const read: string[][] = parse(written);
        expect(
          read.slice(1).map(([cell]) => cell?.replace(/^'(?=[=+\-@\t\r＝＋－＠])/, '')),
        ).toEqual(values.map((value) => value.replace(/^'(?=[=+\-@\t\r＝＋－＠])/, '')));
        for (const [cell] of read) expect(cell).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
      }),
      { numRuns: tries(60) },
    );
  });
});
