import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTableFile } from '../../src/output/table-file.js';
import { checkWritable, rejectsPath } from '../../src/output/target-file.js';
import { temporaryFolder } from './temporary-folder.js';

describe('checkWritable', () => {
  it('passes where a table can be made or replaced, and leaves nothing behind', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'old.csv'), 'old');
    await checkWritable(join(folder, 'new.csv'));
    await checkWritable(join(folder, 'old.csv'));
    await checkWritable('-');
    expect(await readdir(folder)).toEqual(['old.csv']);
    expect(await readFile(join(folder, 'old.csv'), 'utf8')).toBe('old');
  });

  it.each([
    ['missing/x.csv', 'its folder does not exist'],
    ['plain/x.csv', 'its folder does not exist'],
    ['folder', 'this is a folder'],
    ['folder/', 'this names a folder'],
    ['new/', 'this names a folder'],
    [`${'x'.repeat(250)}.csv`, 'the name is too long'],
    ...['x.xls', 'x.xlsx.gz', 'x.parquet.gz', 'x.ods', 'x.json', 'x.zip'].map((name) => [
      name,
      'Sluice writes .csv, .tsv, .ndjson and .jsonl, each also with .gz, and .xlsx and .parquet',
    ]),
  ])('refuses %s: %s', async (name, why) => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'folder'));
    await writeFile(join(folder, 'plain'), '');
    const path = `${folder}/${name}`;
    await expect(checkWritable(path)).rejects.toMatchObject({
      name: 'SluiceError',
      code: 'usage',
      message: expect.stringContaining(why),
    });
  });

  it('refuses an empty path, which would be the working folder', async () => {
    await expect(checkWritable('')).rejects.toMatchObject({ code: 'usage' });
  });

  it('refuses a device, which a rename would replace', async () => {
    await expect(checkWritable('/dev/null')).rejects.toMatchObject({ code: 'usage' });
    await expect(openTableFile('/dev/null')).rejects.toMatchObject({ code: 'usage' });
  });

  it.skipIf(process.platform !== 'linux')('names a folder that takes no files', async () => {
    await expect(checkWritable('/proc/x.csv')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/no file can be made in the folder \/proc: .* elsewhere/),
    });
  });

  it.skipIf(process.getuid?.() === 0)('refuses a folder in which no file can be made', async () => {
    const folder = join(await temporaryFolder(), 'locked');
    await mkdir(folder, { mode: 0o500 });
    await expect(checkWritable(join(folder, 'x.csv'))).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(
        `no file can be made in the folder ${folder}: it is not allowed. Name a file elsewhere`,
      ),
    });
  });
});

it.each([
  ['data/out/x.csv', 'data/out/x.rejects.csv'],
  ['data/out/x.ndjson', 'data/out/x.rejects.csv'],
  ['x.JSONL', 'x.rejects.csv'],
  ['x.xlsx', 'x.rejects.csv'],
  ['x.parquet', 'x.rejects.csv'],
  ['x.csv.gz', 'x.rejects.csv'],
  ['data.csv/x', 'data.csv/x.rejects.csv'],
  ['leads.2024', 'leads.2024.rejects.csv'],
  ['out/.csv', 'out/.csv.rejects.csv'],
  ['.csv', '.csv.rejects.csv'],
  ['-', null],
])('puts the rejects of %s in %s', (output, rejects) => {
  expect(rejectsPath(output)).toBe(rejects);
});
