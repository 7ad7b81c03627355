// Files of a drop folder that are known by their look: which changes of a real file it shows, and when it is not believed.
import { copyFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type KnownFile, lookIntoFolder } from '../../../src/input/sources/drop-folder.js';
import { nextTurn } from '../../helpers/driven-clock.js';
import { folderOfEachTest } from '../../helpers/temp-folder.js';

const { at, put } = folderOfEachTest();
const look = (trusted: readonly KnownFile[] = []) => lookIntoFolder([at('*.csv')], trusted);
const OLD = new Date('2026-01-02T03:04:05Z');

describe('a file that looks as it did', () => {
  it('is not read, and is still told apart by its content', async () => {
    put('a.csv', 'name\nada\n');
    put('b.csv', 'name\nada\n');
    put('c.csv', 'name\nbob\n');
    const first = await look();
    expect(first.hashed).toBe(3);
    expect(first.known.map(({ path }) => path)).toEqual(['a.csv', 'b.csv', 'c.csv'].map(at));
    expect(await look(first.known)).toEqual({ ...first, hashed: 0 });
  });

  const rewrite = () => put('a.csv', 'name\nbob\n');
  it.each<[string, () => void]>([
    ['was written anew, as long as before', rewrite],
    [
      'was written anew, and its time of change set back',
      () => {
        rewrite();
        utimesSync(at('a.csv'), OLD, OLD);
      },
    ],
    [
      'was replaced by another of the same time and length',
      () => {
        put('new', 'name\nbob\n');
        utimesSync(at('new'), OLD, OLD);
        renameSync(at('new'), at('a.csv'));
      },
    ],
    [
      'was taken away, and put back in its inode',
      () => {
        rmSync(at('a.csv'));
        rewrite();
        utimesSync(at('a.csv'), OLD, OLD);
      },
    ],
    [
      'is a link that leads elsewhere now',
      () => {
        rewrite();
        renameSync(at('a.csv'), at('elsewhere'));
        utimesSync(at('elsewhere'), OLD, OLD);
        symlinkSync(at('elsewhere'), at('a.csv'));
      },
    ],
  ])('is read where it %s', async (_, change) => {
    put('a.csv', 'name\nada\n');
    utimesSync(at('a.csv'), OLD, OLD);
    const first = await look();
    change();
    expect(statSync(at('a.csv')).size).toBe('name\nada\n'.length);
    const now = await look(first.known);
    expect(now.hashed).toBe(1);
    expect(now.files[0]?.digest).not.toBe(first.files[0]?.digest);
  });

  it('is read where only its times changed, and is the same file', async () => {
    put('a.csv', 'name\nada\n');
    const first = await look();
    utimesSync(at('a.csv'), OLD, OLD);
    const touched = await look(first.known);
    expect(touched).toMatchObject({ hashed: 1, files: first.files });
    expect((await look(touched.known)).hashed).toBe(0);
  });

  it('is read where it has another name', async () => {
    put('a.csv', 'name\nada\n');
    const { known } = await look();
    renameSync(at('a.csv'), at('b.csv'));
    expect((await look(known)).hashed).toBe(1);
    copyFileSync(at('b.csv'), at('a.csv'));
    expect((await look(known)).hashed).toBe(2);
  });
});

describe('a file whose look could hide a change', () => {
  it('is not known by it: it was changed while it was read', async () => {
    put('a.csv', `name\n${'ada\n'.repeat(4_000_000)}`);
    let isRead = false;
    const looking = look().finally(() => {
      isRead = true;
    });
    for (let i = 1; !isRead; i += 1) {
      utimesSync(at('a.csv'), OLD, new Date(OLD.getTime() + i));
      await nextTurn();
    }
    expect((await looking).known).toEqual([]);
  });

  it('is not known by it: it is empty, and may still be written', async () => {
    put('a.csv', '\n');
    expect(await look()).toMatchObject({ known: [], empty: [at('a.csv')], hashed: 1 });
  });
});
