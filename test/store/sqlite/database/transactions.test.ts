import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/store/sqlite/database/open-database.js';
import { atomic, groupCommits } from '../../../../src/store/sqlite/database/transactions.js';
import { tempFolder } from '../../../helpers/temp-folder.js';

const folder = tempFolder();
let files = 0;

/** Commits in a log (https://www.sqlite.org/fileformat2.html#walformat): frames that tell the file's new size. */
function countCommits(path: string): number {
  const log = readFileSync(`${path}-wal`);
  const salt = log.readUInt32BE(16);
  let commits = 0;
  for (let at = 32; at < log.length && log.readUInt32BE(at + 8) === salt; at += 24 + 4_096) {
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}

describe('group commit', () => {
  let db: Database.Database;
  let path: string;
  let commits: ReturnType<typeof groupCommits>;
  let add: (id: number) => Promise<number>;
  let stored: () => unknown[];

  beforeEach(() => {
    path = join(folder, `group-${++files}.db`);
    db = openDatabase(path);
    db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY)');
    const insert = db.prepare<[number]>('INSERT INTO notes VALUES (?)');
    commits = groupCommits(db);
    add = commits.join(
      atomic(db, (id: number): number => {
        insert.run(id);
        insert.run(id + 100);
        return id * 2;
      }),
    );
    const other = new Database(path, { readonly: true });
    stored = () => other.prepare('SELECT id FROM notes ORDER BY id').pluck().all();
    return () => {
      other.close();
      db.close();
    };
  });

  it('writes verbs that are called together with one sync, and answers each when it is durable', async () => {
    const before = countCommits(path);
    const answers = [add(1), add(2), add(3)];
    expect(stored()).toEqual([]);
    expect(await Promise.all(answers)).toEqual([2, 4, 6]);
    expect(countCommits(path) - before).toBe(1);
    expect(stored()).toEqual([1, 2, 3, 101, 102, 103]);
  });

  it('one that fails takes no other with it, and leaves nothing of its own', async () => {
    await add(7);
    // The second of its two rows is there already.
    db.exec('INSERT INTO notes VALUES (105)');
    const ended = await Promise.allSettled([add(4), add(5), add(6)]);
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(stored()).toEqual([4, 6, 7, 104, 105, 106, 107]);
  });

  it('fails as a whole, and with one try, where the file stays locked', async () => {
    db.pragma('busy_timeout = 10');
    const other = new Database(path);
    other.exec('BEGIN IMMEDIATE');
    const ended = await Promise.allSettled([add(1), add(2), add(3)]);
    other.close();
    const reasons = ended.map((one) => (one.status === 'rejected' ? one.reason : undefined));
    expect(reasons[0]).toMatchObject({ code: 'SQLITE_BUSY' });
    expect(new Set(reasons).size).toBe(1);
    expect(stored()).toEqual([]);
  });

  it('flushed, commits at once what waits', async () => {
    const answer = add(1);
    commits.flush();
    expect(stored()).toEqual([1, 101]);
    expect(await answer).toBe(2);
  });
});
