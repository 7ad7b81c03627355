import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTableWriter } from '../../src/output/open-table-writer.js';
import { column, temporaryFolder, writerOptions } from './temporary-folder.js';

const hasLimits = spawnSync('prlimit', ['--version']).status === 0;
const tooLarge = { name: 'SluiceError', code: 'output' };

/** From here to the end of the test, no file of this process grows beyond so many bytes. */
function limitFileSize(bytes: number): void {
  const ignore = () => undefined;
  process.on('SIGXFSZ', ignore);
  setLimit(String(bytes));
  onTestFinished(() => {
    setLimit('unlimited');
    process.off('SIGXFSZ', ignore);
  });
}

function setLimit(bytes: string): void {
  const { status } = spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
  expect(status).toBe(0);
}

describe.runIf(hasLimits)('a table for which there is no room', () => {
  it('fails as an output error, is never published half, and leaves the old one', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'x.csv');
    await writeFile(path, 'old');
    const writer = await openTableWriter(path, [column('a')], writerOptions());
    limitFileSize(4096);
    await expect(writer.write([['x'.repeat(10_000)]])).rejects.toMatchObject(tooLarge);
    await expect(writer.commit()).rejects.toMatchObject(tooLarge);
    expect(await readFile(path, 'utf8')).toBe('old');
    await writer.discard();
    expect(await readdir(folder)).toEqual(['x.csv']);
  });

  it.each(['x.xlsx', 'x.parquet'])(
    'is not published where the end of %s has none',
    async (name) => {
      const folder = await temporaryFolder();
      const writer = await openTableWriter(join(folder, name), [column('a')], writerOptions());
      await writer.write([['x']]);
      limitFileSize(64);
      await expect(writer.end()).rejects.toMatchObject(tooLarge);
      await expect(writer.commit()).rejects.toMatchObject(tooLarge);
      await expect(writer.commit()).rejects.toMatchObject(tooLarge);
      await writer.discard();
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('leaves nothing behind where not even the header has room', async () => {
    const folder = await temporaryFolder();
    limitFileSize(0);
    const opening = openTableWriter(join(folder, 'x.csv'), [column('a')], writerOptions());
    await expect(opening).rejects.toMatchObject(tooLarge);
    expect(await readdir(folder)).toEqual([]);
  });
});
