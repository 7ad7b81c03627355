import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import Database from '../../../src/store/sqlite/database/better-sqlite3.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { createReserve } from '../../../src/store/sqlite/reserve.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const FULL = new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
const NOW = { at: 1_700_000_000_000, steady: null };

/** A disk that is full until the room at `file` is given up. */
function onFullDisk(file: string) {
  const done: string[] = [];
  const write = async (what: string): Promise<number> => {
    if (existsSync(file)) throw FULL;
    return done.push(what);
  };
  return { write, done };
}

it('is given up for what must be saved, and keeps the room from everything else', async () => {
  const path = join(tempFolder(), 'state.db');
  const { write, done } = onFullDisk(`${path}-reserve-7`);
  const reserve = createReserve(path);
  const [save, send] = [reserve.serves(write), reserve.shuts(write)];
  reserve.hold('7');
  expect(statSync(`${path}-reserve-7`)).toMatchObject({ size: 2 ** 20 });

  await expect(send('request')).rejects.toBe(FULL);
  // As they come, at the same time.
  expect(await Promise.all([save('one'), save('two')])).toEqual([1, 2]);
  await expect(send('request')).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  expect(await save('three')).toBe(3);
  expect(done).toEqual(['one', 'two', 'three']);

  // There is room again for the next sender.
  reserve.release('7');
  reserve.hold('8');
  expect(await send('request')).toBe(4);
});

it('is not given up for anything but a full disk, and nothing is repeated where there is none', async () => {
  const path = join(tempFolder(), 'state.db');
  const reserve = createReserve(path);
  let tries = 0;
  const fail = (error: Error) =>
    reserve.serves(() => {
      tries += 1;
      throw error;
    });
  await expect(fail(FULL)()).rejects.toBe(FULL);
  reserve.hold('1');
  const busy = new Database.SqliteError('locked', 'SQLITE_BUSY');
  await expect(fail(busy)()).rejects.toBe(busy);
  expect([tries, existsSync(`${path}-reserve-1`)]).toEqual([2, true]);
  // A quota that is used up, and stays so.
  const quota = new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE');
  await expect(fail(quota)()).rejects.toBe(quota);
  expect([tries, existsSync(`${path}-reserve-1`)]).toEqual([4, false]);
});

it('that cannot be made is told as a failure of the disk', () => {
  const reserve = createReserve(join(tempFolder(), 'gone', 'state.db'));
  expect(() => reserve.hold('1')).toThrow(expect.objectContaining({ code: 'SQLITE_IOERR' }));
});

it('goes with its sender, and what one left that was killed goes with the next one', async () => {
  const folder = tempFolder();
  const path = join(folder, 'state.db');
  const reserves = () => readdirSync(folder).filter((name) => name.includes('-reserve-'));
  const killed = openSqliteStore(path);
  await killed.joinLimit('acc', [], NOW);
  await killed.close();
  expect(reserves()).toHaveLength(1);

  const store = openSqliteStore(path);
  const sender = await store.joinLimit('acc', [], NOW);
  expect(reserves()).toEqual([`state.db-reserve-${sender.id}`]);
  await store.leaveLimit(sender, { endedAgoMs: [], keeps: 0, cleared: [] }, NOW);
  expect(reserves()).toEqual([]);
  await store.close();
});
