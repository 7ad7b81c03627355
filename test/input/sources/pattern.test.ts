// What counts as a pattern, and which folder it begins in: files are called almost anything.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isDropFolder,
  isStillEmpty,
  lookIntoFolder,
} from '../../../src/input/sources/drop-folder.js';
import {
  findSources,
  foldersOf,
  isPattern,
  matchesOf,
} from '../../../src/input/sources/pattern.js';
import { textOfSigns } from '../../helpers/signs.js';
import { folderOfEachTest } from '../../helpers/temp-folder.js';

const { at } = folderOfEachTest();
const put = (...names: string[]) => {
  for (const name of names) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), `name\n${name}\n`);
  }
};
const matches = async (pattern: string) =>
  (await matchesOf(at(pattern))).map((path) => path.slice(at('').length + 1));

/** As a user writes it, who stands in the folder. */
async function inside<T>(work: () => Promise<T>): Promise<T> {
  const before = process.cwd();
  process.chdir(at(''));
  try {
    return await work();
  } finally {
    process.chdir(before);
  }
}

describe('a text among the inputs', () => {
  it.each([
    ['*.csv', true],
    ['a?.csv', true],
    ['{a,b}.csv', true],
    ['leads-[0-9].csv', true],
    ['[!a].csv', true],
    ['@(a|b).csv', true],
    ['leads (1)*.csv', true],
    ['leads.csv', false],
    ['leads (1).csv', false],
    ['leads[1].csv', false],
    ['leads [final] (2).csv', false],
    ['-', false],
  ])('%s is a pattern: %s', async (text, is) => {
    expect(await isPattern(text)).toBe(is);
  });

  it('that names a missing file is no pattern that matches nothing, whatever the file is called', async () => {
    put('in/leads 1.csv', 'in/leads1.csv');
    for (const name of ['in/leads (1).csv', 'in/leads[1].csv']) {
      expect(await isDropFolder([at(name)])).toBe(false);
      expect(await findSources([at(name)])).toEqual([at(name)]);
    }
  });
});

describe('the files of a pattern', () => {
  it('are looked for, whatever characters it has', async () => {
    put('a.csv');
    const text = textOfSigns({ minLength: 1 });
    await fc.assert(
      fc.asyncProperty(text, async (pattern) => {
        fc.pre(!pattern.includes('..') && (await isPattern(at(pattern))));
        await matches(pattern);
        await foldersOf(at(pattern));
      }),
    );
  });

  it.each([
    ['in (1)/*.csv', ['in (1)/a.csv', 'in (1)/b (2).csv']],
    ['in \\(1\\)/*.csv', ['in (1)/a.csv', 'in (1)/b (2).csv']],
    ['in (1)/b (*).csv', ['in (1)/b (2).csv']],
    ['[x]/*.csv', ['[x]/a.csv']],
    ['{[[]x],y}/*.csv', ['[x]/a.csv', 'y/a.csv']],
    ['{y/a,z/b}.csv', ['y/a.csv', 'z/b.csv']],
    ['./y/../z/[a-b].csv', ['z/b.csv']],
    ['?/deep/*.csv', ['z/deep/a.csv']],
  ])('%s are found, however its folders are called', async (pattern, names) => {
    put('in (1)/a.csv', 'in (1)/b (2).csv', '[x]/a.csv', 'x/a.csv');
    put('y/a.csv', 'z/b.csv', 'z/deep/a.csv');
    expect(await matches(pattern)).toEqual(names);
    await inside(async () => expect(await matchesOf(pattern)).toEqual(names));
    expect((await lookIntoFolder([at(pattern)])).files).toHaveLength(names.length);
  });

  it('do not become standard input where one is called so', async () => {
    put('-', 'a.csv');
    await inside(async () => {
      expect(await findSources(['*'])).toEqual(['./-', 'a.csv']);
      expect((await lookIntoFolder(['*'])).files[0]?.path).toBe('./-');
    });
  });

  it.each([
    ['none/*.csv', 'none'],
    ['none (1)/*/a.csv', 'none (1)'],
    ['y/none/{a,b}.csv', 'y/none'],
  ])('%s need the folder %s', async (pattern, missing) => {
    put('y/a.csv');
    await expect(lookIntoFolder([at(pattern)])).rejects.toMatchObject({
      code: 'input',
      message: expect.stringContaining(`The folder ${at(missing)} of the input pattern`),
    });
  });

  it('may not be there yet, where nothing else lies in the folders that it looks in', async () => {
    put('y/a.csv', 'readme.txt');
    mkdirSync(at('x'));
    for (const pattern of ['x/*.csv', '{x,none}/*.csv', '{x/a,x/b}.csv', 'x/**/*.csv']) {
      expect(await isStillEmpty([at(pattern)])).toBe(true);
    }
    for (const slip of ['y/*.cvs', '{x,y}/*.cvs', '**/*.cvs', '*.cvs']) {
      await expect(isStillEmpty([at(slip)])).rejects.toMatchObject({ code: 'input' });
    }
  });
});
