import { EventEmitter, once } from 'node:events';
import { mkdir, readdir, readlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openLeadReader } from '../../src/input/open-lead-reader.js';
import { bytesOf, cutBytes, openFolder, readAll, readPipe } from './read-all.js';

const folder = await openFolder();
const options = { standardInput: bytesOf([]) };

describe('a source that cannot be read', () => {
  it.each([
    ['a missing file', 'missing.csv', /^There is no input file \S+; check its name and the folder/],
    [
      'a folder',
      '',
      /^The input \S+ is a folder; name a file in it, or a pattern such as \S+\*\.csv\.$/,
    ],
    [
      'a pattern without matches',
      'nothing-*.csv',
      /^No file matches the input pattern \S+-\*\.csv/,
    ],
  ])('%s is an input error', async (_, name, message) => {
    const opening = openLeadReader([join(folder.path, name)], options);
    await expect(opening).rejects.toMatchObject({
      code: 'input',
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ['no bytes', ''],
    ['only white space', ' \n\r\n\t\n'],
    ['only a byte order mark', '\uFEFF'],
    ['only white space, packed', gzipSync('\n\n')],
  ])('a file with %s is empty', async (_, content) => {
    const path = await folder.write('empty.csv', content);
    await expect(readAll(path)).rejects.toThrow(/is empty; it needs a header line/);
  });

  it('empty standard input is an input error', async () => {
    await expect(readPipe('')).rejects.toThrow('Standard input is empty');
  });

  it('broken gzip is an input error, at once where its beginning is broken', async () => {
    const packed = gzipSync('email\nann@example.com\n');
    packed.fill(0xff, 10, 20);
    const path = await folder.write('broken.gz', packed);
    await expect(openLeadReader([path], options)).rejects.toThrow('is broken gzip');
  });

  it('gzip whose end is missing is an input error and never a short input', async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `${index * 7919},x${index}\n`);
    const packed = gzipSync(`id,name\n${lines.join('')}`);
    const path = await folder.write('short.csv.gz', packed.subarray(0, packed.length - 2_000));
    await expect(readAll(path)).rejects.toMatchObject({ code: 'input' });
  });

  it('a damaged workbook is refused with advice', async () => {
    const path = await folder.write('leads.xlsx', Buffer.from('PK\u0003\u0004rest'));
    await expect(readAll(path)).rejects.toThrow('save it again');
    if (process.platform === 'linux') expect(await openFilesAt(path)).toBe(0);
  });

  it.each([
    ['an old spreadsheet', 'leads.xls', '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1', 'is an old Excel file'],
    ['a PDF', 'leads.csv', '%PDF-1.7\n', 'is no table that Sluice reads; unpack it, or save it'],
    ['a database', 'leads.db', 'SQLite format 3\0', 'is no table that Sluice reads'],
    ['packed by another program', 'leads.csv', '\x28\xB5\x2F\xFD', 'unpack it, or save it'],
    ['an archive', 'leads.tar', `a.csv${'\0'.repeat(252)}ustar`, 'is no text on its first line'],
    [
      'a table of HTML',
      'leads.xls',
      '\n<html><table><tr>',
      'is a web page or XML, whatever its name',
    ],
    [
      'a spreadsheet of XML',
      'leads.xls',
      '\xEF\xBB\xBF<?xml version="1.0"?>',
      'is a web page or XML',
    ],
    ['no text at all', 'leads.csv', 'a,\0\x01\x02\nb', 'is no text on its first line'],
  ])('%s is refused with advice, packed or not', async (_, name, bytes, sentence) => {
    const content = Buffer.from(bytes, 'latin1');
    const paths = [
      await folder.write(name, content),
      await folder.write(`${name}.gz`, gzipSync(content)),
    ];
    for (const path of paths) {
      await expect(readAll(path)).rejects.toMatchObject({ code: 'input' });
      await expect(readAll(path)).rejects.toThrow(sentence);
    }
  });

  it('a header with a broken quote is an input error', async () => {
    const path = await folder.write('header.csv', 'id,"na"me\n1,Ann\n');
    await expect(readAll(path)).rejects.toThrow(/broken header on line 1 \(stray_quote/);
  });

  it('a mistake in the second file shows before anything of the first is read', async () => {
    const first = await folder.write('first.csv', 'id\n1\n');
    await expect(openLeadReader([first, `${first}.not`], options)).rejects.toThrow('no input file');
  });

  it('standard input is read once only', async () => {
    await expect(openLeadReader(['-', '-'], options)).rejects.toThrow('named twice');
    const reader = await openLeadReader(['-'], {
      standardInput: bytesOf([Buffer.from('id\n1\n')]),
    });
    for await (const batch of reader.batches()) expect(batch.columns).toHaveLength(1);
    await expect(reader.batches()[Symbol.asyncIterator]().next()).rejects.toThrow('read already');
  });
});

describe('sources', () => {
  it('are the matches of a pattern by name, each file once', async () => {
    await mkdir(join(folder.path, 'many'));
    for (const name of ['b', 'a', 'c']) await folder.write(`many/${name}.csv`, 'id\n1\n');
    const paths = ['a', 'b', 'c'].map((name) => join(folder.path, `many/${name}.csv`));
    const reader = await openLeadReader(
      [join(folder.path, 'many/c.csv'), join(folder.path, 'many/*.csv')],
      options,
    );
    expect(reader.sources).toEqual([paths[2], paths[0], paths[1]]);
  });

  it('a path that exists is taken to the letter though it reads like a pattern', async () => {
    const path = await folder.write('leads[1].csv', 'id\nbrackets\n');
    await folder.write('leads1.csv', 'id\nplain\n');
    expect((await readAll(path)).records[0]?.cells).toEqual(['brackets']);
  });

  it('are merged by column, and each record says where it stood', async () => {
    const first = await folder.write('merge-1.csv', 'id,name\n1,Ann\n');
    const second = await folder.write('merge-2.csv', 'name;email\nBob;bob@example.com\n');
    const third = await folder.write('merge-3.jsonl', '{"email":"c@example.com","age":3}\n');
    const { batches, columns, records } = await readAll([first, second, third]);
    expect(columns.map((column) => column.key)).toEqual(['id', 'name', 'email', 'age']);
    expect(batches).toHaveLength(1);
    expect(records).toEqual([
      { source: 0, line: 2, cells: ['1', 'Ann', ''] },
      { source: 1, line: 2, cells: ['', 'Bob', 'bob@example.com'] },
      { source: 2, line: 1, cells: [null, null, 'c@example.com', 3] },
    ]);
  });

  it('a header alone is an input without leads, and its columns are told', async () => {
    const path = await folder.write('header-only.csv', 'id,name\n');
    const { batches } = await readAll(path);
    expect(batches).toEqual([
      {
        columns: [
          { key: 'id', name: 'id' },
          { key: 'name', name: 'name' },
        ],
        records: [],
        rejects: [],
      },
    ]);
  });

  it('read again, they are read from the start', async () => {
    const path = await folder.write('again.csv', 'id\n1\n2\n');
    const reader = await openLeadReader([path], options);
    for (let round = 0; round < 2; round += 1) {
      const ids: unknown[] = [];
      for await (const batch of reader.batches()) {
        ids.push(...batch.records.map((record) => record.cells[0]));
      }
      expect(ids).toEqual(['1', '2']);
    }
  });
});

describe('gzip', () => {
  const text = 'id,name\n1,Ann\n';

  it.each(['packed.csv.gz', 'packed.csv', 'packed'])('is told by content in %s', async (name) => {
    const path = await folder.write(name, gzipSync(text));
    expect((await readAll(path)).records).toEqual([{ source: 0, line: 2, cells: ['1', 'Ann'] }]);
  });

  it('is unpacked on standard input, in chunks of one byte too', async () => {
    const { records } = await readPipe(cutBytes(gzipSync(text), [1]));
    expect(records).toEqual([{ source: 0, line: 2, cells: ['1', 'Ann'] }]);
  });

  it('may consist of several members', async () => {
    const path = await folder.write('two.gz', Buffer.concat([gzipSync(text), gzipSync('2,Bob\n')]));
    expect((await readAll(path)).records).toHaveLength(2);
  });
});

describe('signature', () => {
  it('changes with the size and with the time of a file, and not otherwise', async () => {
    const path = await folder.write('signed.csv', 'id\n1\n');
    const reader = await openLeadReader([path], options);
    const before = await reader.signature();
    expect(await reader.signature()).toBe(before);
    await utimes(path, 1, 1);
    const touched = await reader.signature();
    expect(touched).not.toBe(before);
    await folder.write('signed.csv', 'id\n1\n2\n');
    await utimes(path, 1, 1);
    expect(await reader.signature()).not.toBe(touched);
  });

  it('is null where standard input takes part', async () => {
    const path = await folder.write('with-pipe.csv', 'id\n1\n');
    const standardInput = bytesOf([Buffer.from('id\n2\n')]);
    const reader = await openLeadReader([path, '-'], { standardInput });
    expect(await reader.signature()).toBeNull();
  });
});

describe('batches', () => {
  it('hold at most 500 records', async () => {
    const rows = Array.from({ length: 1_201 }, (_, index) => `${index}\n`).join('');
    const { batches } = await readAll(await folder.write('many.csv', `id\n${rows}`));
    expect(batches.map((batch) => batch.records.length)).toEqual([500, 500, 201]);
  });

  it('hold fewer where the records are large', async () => {
    const rows = `${'x'.repeat(1024 * 1024)}\n`.repeat(6);
    const { batches, records } = await readAll(await folder.write('large.csv', `id\n${rows}`));
    expect(records).toHaveLength(6);
    expect(batches.map((batch) => batch.records.length)).toEqual([4, 2]);
  });

  it('the first lead of a slow pipe leaves before the second one comes', async () => {
    const latch = new EventEmitter();
    const released = once(latch, 'first lead seen');
    async function* slowPipe(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('id,name\n1,Ann\n');
      await released;
      yield Buffer.from('2,Bob\n');
    }
    const reader = await openLeadReader(['-'], { standardInput: slowPipe() });
    const seen: unknown[] = [];
    for await (const batch of reader.batches()) {
      seen.push(batch.records.map((record) => record.cells[1]));
      latch.emit('first lead seen');
    }
    expect(seen).toEqual([['Ann'], ['Bob']]);
  });

  it('the first 500 leads of a pipe come together where it is not silent', async () => {
    const rows = Array.from({ length: 600 }, (_, index) => Buffer.from(`${index}\n`));
    const standardInput = bytesOf([Buffer.from('id\n'), ...rows]);
    const reader = await openLeadReader(['-'], { standardInput });
    const counts: number[] = [];
    for await (const { records } of reader.batches()) counts.push(records.length);
    expect(counts).toEqual([500, ...Array<number>(100).fill(1)]);
  });

  it.skipIf(process.platform !== 'linux').each([
    ['plain', (text: string) => text],
    ['packed', (text: string) => gzipSync(text, { level: 0 })],
  ])('no file stays open when the consumer leaves early: %s', async (name, pack) => {
    const rows = Array.from({ length: 4_000 }, (_, index) => `${index},${'n'.repeat(200)}\n`).join(
      '',
    );
    const path = await folder.write(`early-${name}.csv`, pack(`id,name\n${rows}`));
    const reader = await openLeadReader([path], options);
    expect(await openFilesAt(path)).toBe(0);
    let isOpenWhileRead = false;
    for await (const batch of reader.batches()) {
      expect(batch.records).toHaveLength(500);
      isOpenWhileRead = (await openFilesAt(path)) === 1;
      break;
    }
    expect(isOpenWhileRead).toBe(true);
    expect(await openFilesAt(path)).toBe(0);
  });
});

async function openFilesAt(path: string): Promise<number> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.filter((link) => link === path).length;
}

describe('what was told from the content', () => {
  const detectedIn = async (path: string, fixed = {}) => {
    const reader = await openLeadReader([path], { ...options, ...fixed });
    const all = [];
    for await (const { detected = [] } of reader.batches()) all.push(...detected);
    return all;
  };

  it('is handed over where it is not UTF-8 with commas, and no setting says so', async () => {
    const latin = Buffer.from('name;city\nJos\u00e9;K\u00f6ln\n', 'latin1');
    const path = await folder.write('latin.csv', latin);
    expect(await detectedIn(path)).toEqual([
      { what: 'delimiter', value: ';', source: path },
      { what: 'encoding', value: 'windows-1252', source: path },
    ]);
    expect(await detectedIn(path, { delimiter: ';', encoding: 'windows-1252' })).toEqual([]);
  });

  it('is told once for each value, over all files, also where it shows late', async () => {
    const late = Buffer.from(
      `name;city\n${`${'a'.repeat(80)};b\n`.repeat(2_000)}Jos\u00e9;x\n`,
      'latin1',
    );
    await folder.write('late-1.csv', late);
    await folder.write('late-2.csv', late);
    const found = await detectedIn(join(folder.path, 'late-*.csv'));
    expect(found.map(({ value }) => value)).toEqual([';', 'windows-1252']);
  });

  it('says how many lines are UTF-8 where others are not, before the first batch', async () => {
    const ZOE = `Zo\u00eb,${'x'.repeat(60)}\n`;
    const utf8 = Buffer.from(`name,city\n${ZOE.repeat(6_000)}`);
    const bytes = Buffer.concat([utf8, Buffer.from(ZOE, 'latin1')]);
    const path = await folder.write('mixed.csv', bytes);
    const said = '6000 of 6001 lines are UTF-8; line 6002 is read as windows-1252';
    const { batches } = await readAll(path);
    expect(batches[0]?.detected).toEqual([{ what: 'encoding', value: said, source: path }]);
    const names = new Set(batches.flatMap(({ records }) => records.map(({ cells }) => cells[0])));
    expect([...names]).toEqual(['Zo\u00eb']);
    const piped = await readPipe([utf8, bytes.subarray(utf8.length)]);
    expect(piped.batches.flatMap(({ detected = [] }) => detected)).toMatchObject([{ value: said }]);
  });

  it('is not enough where a line shows that a guess is wrong: the user names the encoding', async () => {
    const odd = Buffer.from(`name\n${`${'Eve'.repeat(13)}\n`.repeat(9_000)}Ren\u008f\n`, 'latin1');
    const path = await folder.write('odd.csv', odd);
    await expect(openLeadReader([path], options)).rejects.toThrow(
      /odd\.csv has no encoding that can be guessed: line 9002 .* Name the encoding with the key encoding/,
    );
    const { records } = await readAll(path, { encoding: 'macintosh' });
    expect(records.at(-1)?.cells).toEqual(['Ren\u00e8']);
    await expect(readPipe(odd)).rejects.toThrow(/^Standard input has no encoding that can be/);
    await folder.write('odd.csv', Buffer.concat([Buffer.from('name\nZo\u00eb\n'), odd]));
    await expect(openLeadReader([path], options)).rejects.toThrow('save the whole file as UTF-8');
  });

  it('is nothing where all is usual', async () => {
    const path = await folder.write('usual.csv', '\uFEFFname,city\nJos\u00e9,K\u00f6ln\n');
    expect(await detectedIn(path)).toEqual([]);
  });
});
