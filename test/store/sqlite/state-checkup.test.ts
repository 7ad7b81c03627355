import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import Database from '../../../src/store/sqlite/database/better-sqlite3.js';
import { isRemoteType } from '../../../src/store/sqlite/database/state-file.js';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { sqliteExaminer, sqliteVersion } from '../../../src/store/sqlite/state-checkup.js';
import { describeCheckup } from '../../contract/state-checkup.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const root = tempFolder();
let count = 0;

function newFolder(): string {
  const folder = join(root, String((count += 1)));
  mkdirSync(folder);
  return folder;
}

describeCheckup('SQLite', () => {
  const path = join(newFolder(), 'state.db');
  return { examiner: sqliteExaminer, path, open: async () => openSqliteStore(path) };
});

/** Every file of a folder, by what it holds and when it was written. */
function imageOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => {
      const path = join(folder, name);
      const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
      return [name, `${digest} ${statSync(path).mtimeMs}`];
    }),
  );
}

async function lookAround(path: string): Promise<void> {
  const checkup = await sqliteExaminer.openCheckup(path);
  await checkup?.findDamage();
  await checkup?.busyJobs();
  await checkup?.senders('acc', { at: 0, steady: null });
  await checkup?.signingKey();
  await checkup?.close();
  await sqliteExaminer.lookAtPlace(path);
}

async function stateIn(folder: string): Promise<string> {
  const path = join(folder, 'state.db');
  const store = openSqliteStore(path);
  const lock = await store.lockJob('nightly', { pid: 1, host: 'here', since: 0 });
  if (lock.kind === 'taken') await lock.release();
  await store.signingKey();
  await store.close();
  return path;
}

describe('a state file that is looked at', () => {
  it('stays as it is, to the byte, and nothing comes to lie beside it', async () => {
    const folder = newFolder();
    const path = await stateIn(folder);
    const before = imageOf(folder);
    await lookAround(path);
    expect(imageOf(folder)).toEqual(before);
  });

  it('keeps the log that a killed process left', async () => {
    const [alive, dead] = [newFolder(), newFolder()];
    const path = join(alive, 'state.db');
    const store = openSqliteStore(path);
    await store.pauseJob('nightly', 1);
    // As it lies on the disk at this moment: what is committed is in the log alone.
    cpSync(alive, dead, { recursive: true });
    await store.close();
    const left = join(dead, 'state.db');
    const before = imageOf(dead);
    await lookAround(left);
    const after = imageOf(dead);
    expect([after['state.db'], after['state.db-wal']]).toEqual([
      before['state.db'],
      before['state.db-wal'],
    ]);
    const again = openSqliteStore(left);
    expect(await again.jobNow('nightly')).toMatchObject({ pausedAt: 1 });
    await again.close();
  });

  it('of before the first release is refused, and stays as it is', async () => {
    const path = join(newFolder(), 'state.db');
    const db = new Database(path);
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE runs (id INTEGER PRIMARY KEY)');
    db.pragma('application_id = 1399616873');
    db.pragma('user_version = 31');
    db.close();
    const before = imageOf(dirname(path));
    await expect(sqliteExaminer.openCheckup(path)).rejects.toThrow('earlier checkout');
    expect(imageOf(dirname(path))['state.db']).toEqual(before['state.db']);
  });

  it('that is empty is none yet', async () => {
    const path = join(newFolder(), 'state.db');
    writeFileSync(path, '');
    expect(await sqliteExaminer.openCheckup(path)).toBeNull();
  });
});

describe('damage is found', () => {
  it('where bytes in the middle have changed', async () => {
    const path = await stateIn(newFolder());
    const db = new Database(path);
    db.exec(`INSERT INTO pauses WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000)
             SELECT 'a job with a name that is rather long ' || i, i FROM n`);
    db.close();
    const bytes = readFileSync(path);
    const at = Math.floor(bytes.length * 0.75);
    bytes.fill(0xa5, at, at + 8_192);
    writeFileSync(path, bytes);
    const checkup = await sqliteExaminer.openCheckup(path);
    expect((await checkup?.findDamage())?.length).toBeGreaterThan(0);
    await checkup?.close();
  });

  it('where the end is gone', async () => {
    const path = await stateIn(newFolder());
    truncateSync(path, statSync(path).size - 16_384);
    const looked = (async () => {
      const checkup = await sqliteExaminer.openCheckup(path);
      const damage = (await checkup?.findDamage()) ?? [];
      await checkup?.close();
      return damage.join();
    })();
    // SQLite may notice it at the first page already.
    await expect(looked.catch((error: Error) => error.message)).resolves.toMatch(
      /damaged|page|malformed/,
    );
  });

  it('where a row refers to one that is not there', async () => {
    const path = await stateIn(newFolder());
    const db = new Database(path);
    db.exec("INSERT INTO lists (run_id, name) VALUES (99, 'a list of no run')");
    db.close();
    const checkup = await sqliteExaminer.openCheckup(path);
    expect(await checkup?.findDamage()).toEqual([
      'a row of lists refers to one of runs that is not there',
    ]);
    await checkup?.close();
  });
});

describe('what is no state file is refused', () => {
  it.each<[string, (path: string) => void, string]>([
    ['text', (path) => writeFileSync(path, 'not a database\n'.repeat(100)), 'is not a state file'],
    ['a folder', (path) => mkdirSync(path), 'it is a folder'],
    [
      "another program's database",
      (path) => new Database(path).exec('CREATE TABLE bookmarks (url TEXT)').close(),
      'is a database of another program',
    ],
  ])('%s', async (_, make, says) => {
    const path = join(newFolder(), 'state.db');
    make(path);
    await expect(sqliteExaminer.openCheckup(path)).rejects.toThrow(says);
  });
});

describe('the place of a state file', () => {
  it('is the nearest folder that is there', async () => {
    const folder = newFolder();
    const path = join(folder, 'a', 'b', 'state.db');
    expect(await sqliteExaminer.lookAtPlace(path)).toMatchObject({
      folder,
      isFolderThere: false,
      obstacle: null,
    });
  });

  it('cannot be below a file', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'file'), '');
    const { obstacle } = await sqliteExaminer.lookAtPlace(join(folder, 'file', 'state.db'));
    expect(obstacle).toBe(`${join(folder, 'file')} is no folder`);
  });

  it.each<[string, number, NodeJS.Platform, boolean | null]>([
    ['NFS', 0x6969, 'linux', true],
    ['SMB', 0xfe534d42, 'linux', true],
    ['ext4', 0xef53, 'linux', false],
    ['FUSE', 0x65735546, 'linux', null],
    ['anything on a Mac', 0x6969, 'darwin', null],
  ])('is told to be remote by its file system: %s', (_, type, platform, isRemote) => {
    expect(isRemoteType(type, platform)).toBe(isRemote);
  });
});

it('the library tells its version', () => {
  expect(sqliteVersion()).toMatch(/^3\.\d+\.\d+$/);
});
