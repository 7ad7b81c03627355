import { spawnSync } from 'node:child_process';
import {
  chmod,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTableFile, type ReadyFile } from '../../src/output/table-file.js';
import { temporaryFolder } from './temporary-folder.js';

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

async function replace(path: string, text: string): Promise<void> {
  const sink = await openTableFile(path);
  await sink.write(text);
  await sink.commit();
}

describe('openTableFile', () => {
  it("is the user's alone while it is half-written", async () => {
    const folder = await temporaryFolder();
    const sink = await openTableFile(join(folder, 'x.csv'));
    await sink.write('half');
    const [partial, ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect(partial).toMatch(/^\.x\.csv\.\d+-[0-9a-f]+-[0-9a-f]+\.partial$/);
    expect(await modeOf(join(folder, partial ?? ''))).toBe(0o600);
    await sink.discard();
    expect(await readdir(folder)).toEqual([]);
  });

  it('tells of the whole file before it takes its place, and leaves it where that fails', async () => {
    const path = join(await temporaryFolder(), 'x.csv');
    await writeFile(path, 'old');
    const failing = await openTableFile(path, async (file) => {
      expect(file).toMatchObject({ path, looks: [{ size: 3 }, { size: 3 }] });
      expect(await readFile(path, 'utf8')).toBe('old');
      throw new Error('not known');
    });
    await failing.write('new');
    await expect(failing.commit()).rejects.toThrow('not known');
    await failing.discard();
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(dirname(path))).toEqual(['x.csv']);
    let told: ReadyFile | undefined;
    const sink = await openTableFile(path, async (file) => {
      told = file;
    });
    await sink.write('new');
    await sink.commit();
    const { size, mtimeMs } = await stat(path);
    expect(told).toMatchObject({ path, looks: [{ size, modifiedAt: Math.round(mtimeMs) }, {}] });
  });

  it('gives a new table the permissions of any new file', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'any'), '');
    await replace(join(folder, 'x.csv'), 'x');
    expect(await modeOf(join(folder, 'x.csv'))).toBe(await modeOf(join(folder, 'any')));
  });

  it('keeps the permissions of the table it replaces', async () => {
    const path = join(await temporaryFolder(), 'x.csv');
    for (const mode of [0o640, 0o664, 0o600]) {
      await writeFile(path, 'old');
      await chmod(path, mode);
      await replace(path, 'new');
      expect(await modeOf(path)).toBe(mode);
      expect(await readFile(path, 'utf8')).toBe('new');
    }
  });

  it('replaces the file behind a symbolic link, not the link', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'real'));
    await writeFile(join(folder, 'real', 'x.csv'), 'old');
    await symlink(join(folder, 'real', 'x.csv'), join(folder, 'latest.csv'));
    await replace(join(folder, 'latest.csv'), 'new');
    expect((await lstat(join(folder, 'latest.csv'))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(folder, 'real', 'x.csv'), 'utf8')).toBe('new');
  });

  it('leaves another name of the same file with what it had', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'kept.txt'), 'kept');
    await link(join(folder, 'kept.txt'), join(folder, 'x.csv'));
    await replace(join(folder, 'x.csv'), 'new');
    expect(await readFile(join(folder, 'kept.txt'), 'utf8')).toBe('kept');
    expect(await readFile(join(folder, 'x.csv'), 'utf8')).toBe('new');
  });

  it('writes and sets permissions where it was opened, whatever takes its name meanwhile', async () => {
    const folder = await temporaryFolder();
    const secret = join(folder, 'secret');
    await writeFile(secret, 'kept', { mode: 0o600 });
    const sink = await openTableFile(join(folder, 'x.csv'));
    const partial = (await readdir(folder)).find((name) => name.endsWith('.partial')) ?? '';
    await rm(join(folder, partial));
    await symlink(secret, join(folder, partial));
    await sink.write('people');
    await sink.commit();
    expect(await readFile(secret, 'utf8')).toBe('kept');
    expect(await modeOf(secret)).toBe(0o600);
  });

  it('does not mix two writers of one table: the last to commit has written all of it', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'x.csv');
    const [one, two] = [await openTableFile(path), await openTableFile(path)];
    for (let n = 0; n < 100; n += 1) await Promise.all([one.write('1\n'), two.write('2\n')]);
    await two.commit();
    expect(await readFile(path, 'utf8')).toBe('2\n'.repeat(100));
    await one.commit();
    expect(await readFile(path, 'utf8')).toBe('1\n'.repeat(100));
    expect(await readdir(folder)).toEqual(['x.csv']);
  });

  it('removes what killed processes left of this table, and nothing else', async () => {
    const folder = await temporaryFolder();
    const ended = spawnSync(process.execPath, ['--version']).pid;
    const kept = [
      `.x.csv.${process.ppid}-abcdef-abcdef.partial`,
      `.x.csv.old.${ended}-abcdef-abcdef.partial`,
      `.y.csv.${ended}-abcdef-abcdef.partial`,
      '.x.csv.partial',
    ];
    const left = [
      `.x.csv.${ended}-abcdef-abcdef.partial`,
      // A process of an earlier container, which had our id.
      `.x.csv.${process.pid}-abcdef-abcdef.partial`,
    ];
    for (const name of [...kept, ...left]) await writeFile(join(folder, name), 'half');
    await replace(join(folder, 'x.csv'), 'new');
    expect((await readdir(folder)).sort()).toEqual([...kept, 'x.csv'].sort());
  });

  it('reports a failure with its cause and what to do, and can still be discarded', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'sub', 'x.csv');
    await mkdir(join(folder, 'sub'));
    const sink = await openTableFile(path);
    await rm(join(folder, 'sub'), { recursive: true });
    await expect(sink.commit()).rejects.toMatchObject({
      name: 'SluiceError',
      code: 'output',
      message: expect.stringMatching(/x\.csv failed: .* has disappeared\..*sluice export/),
    });
    await sink.discard();
  });
});
