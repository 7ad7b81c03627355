import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openLeadReader } from '../../../src/input/open-lead-reader.js';
import {
  findAgain,
  isDropFolder,
  isStillEmpty,
  lookIntoFolder,
} from '../../../src/input/sources/drop-folder.js';
import { digestFile } from '../../../src/input/sources/file-bytes.js';
import { wouldMatch } from '../../../src/input/sources/pattern.js';
import { nextTurn } from '../../helpers/driven-clock.js';
import { folderOfEachTest } from '../../helpers/temp-folder.js';

const { at, put } = folderOfEachTest();
const names = async (pattern = '*.csv') =>
  (await lookIntoFolder([at(pattern)])).files.map(({ path }) => path.slice(at('').length + 1));

async function* nothing() {}

describe('what is a drop folder', () => {
  it('patterns are, files and standard input are not, alone or among them', async () => {
    put('[a].csv', 'name\nada\n');
    expect(await isDropFolder([at('*.csv'), at('more/*')])).toBe(true);
    for (const plain of [at('[a].csv'), at('b.csv'), '-']) {
      expect(await isDropFolder([plain])).toBe(false);
      expect(await isDropFolder([at('*.csv'), plain])).toBe(false);
    }
  });
});

describe('the files of a drop folder', () => {
  it('are told apart by content: a copy is no other file, and the first by name stands for both', async () => {
    put('b.csv', 'name\nada\n');
    put('a.csv', 'name\nada\n');
    put('c.csv', 'name\nbob\n');
    expect(await names()).toEqual(['a.csv', 'c.csv']);
  });

  it('are not the lock that lies beside a workbook while it is open', async () => {
    put('leads.csv', 'name\nada\n');
    put('~$leads.csv', 'Ada Lovelace');
    expect(await names()).toEqual(['leads.csv']);
    expect(await names('*')).toEqual(['leads.csv']);
  });

  it('are not those that are still written under another name, or only begun', async () => {
    for (const name of ['.a.csv', '.a.csv.Xa81', 'a.csv.part', 'a.csv.filepart']) put(name, 'name');
    put('b.csv', '');
    put('blank.csv', '\ufeff\n \r\n');
    writeFileSync(at('c.csv'), gzipSync('\n\n'));
    put('d.csv', '\n\nname\nada\n');
    put('e.csv', 'PK\u0003\u0004');
    expect(await lookIntoFolder([at('*.csv')])).toMatchObject({
      files: [{ path: at('d.csv') }, { path: at('e.csv') }],
      empty: ['b.csv', 'blank.csv', 'c.csv'].map(at),
    });
  });

  it('need a folder', async () => {
    await expect(lookIntoFolder([at('none/*/x*.csv')])).rejects.toMatchObject({
      code: 'input',
      message: expect.stringContaining(`The folder ${at('none')} of the input pattern`),
    });
  });

  it('may not be there yet, unless others are there and the pattern is a slip', async () => {
    expect(await isStillEmpty([at('*.csv')])).toBe(true);
    put('.hidden', 'x');
    expect(await isStillEmpty([at('*.csv')])).toBe(true);
    put('a.csv', 'x');
    expect(await isStillEmpty([at('*.csv')])).toBe(false);
    await expect(isStillEmpty([at('*.cvs')])).rejects.toMatchObject({ code: 'input' });
  });

  it('are found again where they were, or by another name', async () => {
    put('a.csv', 'name\nada\n');
    const { files } = await lookIntoFolder([at('*.csv')]);
    const [ada] = files;
    if (ada === undefined) throw new Error('it is there');
    expect(await findAgain(ada, [])).toEqual(ada);
    put('z.csv', 'name\nada\n');
    put('a.csv', 'name\nbob\n');
    const now = await lookIntoFolder([at('*.csv')]);
    expect(await findAgain(ada, now.files)).toEqual({ ...ada, path: at('z.csv') });
    rmSync(at('z.csv'));
    expect(await findAgain(ada, [])).toBeUndefined();
  });
});

describe('a file that is written to while it is read', () => {
  // More than is read at once, so that a change comes in between.
  const LINES = 4_000;
  const ADA = `${'ada'.repeat(60)}\n`;
  const read = async (change: () => void) => {
    put('a.csv', `name\n${ADA.repeat(LINES)}`);
    const digests = new Map([[at('a.csv'), await digestFile(at('a.csv'))]]);
    const reader = await openLeadReader([at('a.csv')], { standardInput: nothing(), digests });
    let records = 0;
    for await (const batch of reader.batches()) {
      if (records === 0) change();
      records += batch.records.length;
    }
    return records;
  };

  it('ends the reading, whatever was done to it', async () => {
    expect(await read(() => undefined)).toBe(LINES);
    const changes = [
      () => appendFileSync(at('a.csv'), 'bob\n'),
      () => put('a.csv', `name\n${ADA.repeat(LINES - 1)}`),
      () => put('a.csv', `name\n${ADA.repeat(LINES - 1)}${'bob'.repeat(60)}\n`),
    ];
    for (const change of changes) {
      await expect(read(change)).rejects.toMatchObject({
        code: 'input',
        message: expect.stringContaining('was changed while it was read'),
      });
    }
  });
});

describe('a table', () => {
  it.each([
    ['*.csv', 'out.csv', true],
    ['*.csv', 'in.csv', true],
    ['*.csv', 'out.ndjson', false],
    ['*', 'out.ndjson', true],
    ['in*.csv', 'out.csv', false],
    ['*.csv', 'deep/out.csv', false],
    ['**/*.csv', 'deep/out.csv', true],
    ['{in,out}.csv', 'out.csv', true],
    ['*.csv', '.out.csv', false],
    ['*.csv', 'linked/out.csv', true],
  ])(
    'with the pattern %s, that %s would be read is %s, be it there or not',
    async (pattern, out, is) => {
      put('in.csv', 'name');
      mkdirSync(at('deep'));
      symlinkSync(at(''), at('linked'));
      expect(await wouldMatch([at('none*'), at(pattern)], at(out))).toBe(is);
      const before = process.cwd();
      process.chdir(at(''));
      try {
        expect(await wouldMatch([pattern], out)).toBe(is);
        expect(await wouldMatch([pattern], `./${out}`)).toBe(is);
      } finally {
        process.chdir(before);
      }
      expect(readdirSync(at(''))).toEqual(['deep', 'in.csv', 'linked']);
    },
  );

  it('matches nothing in a folder that vanishes, at whatever moment', async () => {
    const others = Array.from({ length: 5 }, (_, n) => `in${n}`);
    mkdirSync(at('out'));
    for (let turns = 0; turns < 30; turns += 1) {
      for (const other of others) mkdirSync(at(other));
      const work = wouldMatch([at('*/*.csv')], at('out/out.csv'));
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
      // By another process: what is being read meanwhile is read, and told of only afterwards.
      spawnSync('rmdir', others.map(at));
      expect(await work).toBe(true);
    }
    expect(await wouldMatch([at('*/*.csv')], at('none/out.csv'))).toBe(false);
  });
});
