import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { versionOf } from '../../../../src/store/schema.js';
import Database from '../../../../src/store/sqlite/database/better-sqlite3.js';
import { openDatabase } from '../../../../src/store/sqlite/database/open-database.js';
import { STEPS } from '../../../../src/store/sqlite/database/steps.js';
import { sqliteExaminer } from '../../../../src/store/sqlite/state-checkup.js';
import { tempFolder } from '../../../helpers/temp-folder.js';

const folder = tempFolder();
const pristine = join(folder, 'pristine.db');
openDatabase(pristine).close();
let count = 0;

/** A place where nothing is. */
function newPath(): string {
  count += 1;
  return join(folder, `${count}.db`);
}

/** A state file, changed like this by a person who has it. */
function alter(sql: string): string {
  const path = newPath();
  copyFileSync(pristine, path);
  const db = new Database(path);
  db.unsafeMode();
  db.exec(sql);
  db.close();
  return path;
}

/** What a kill leaves: the file and its log, as they are while a process has them open. */
function copyKilled(from: string, to: string): void {
  for (const end of ['', '-wal', '-shm']) copyFileSync(from + end, to + end);
}

describe('opening a state file', () => {
  it('makes it for the owner alone, and its folder', () => {
    const path = join(folder, 'new', 'deep', 'state.db');
    openDatabase(path).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('syncs every commit to disk', () => {
    const db = openDatabase(join(folder, 'pragmas.db'));
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    db.close();
  });

  it.each([
    [
      'text that is no database',
      'hello, this is a shopping list, not a database at all\n'.repeat(40),
    ],
    ['a file that only begins like one', `SQLite format 3\0${'x'.repeat(4096)}`],
  ])('leaves %s untouched', (name, content) => {
    const path = join(folder, `${name}.db`);
    writeFileSync(path, content);
    expect(() => openDatabase(path)).toThrow(
      expect.objectContaining({ code: 'store', message: expect.stringContaining(path) }),
    );
    expect(readFileSync(path, 'utf8')).toBe(content);
  });

  it('refuses a backup beside the log of another one, and says what to remove', async () => {
    const live = join(folder, 'live.db');
    const path = join(folder, 'restored.db');
    const db = openDatabase(live);
    db.exec(`VACUUM INTO '${join(folder, 'backup.db')}'`);
    db.exec(`INSERT INTO pauses VALUES ('nightly', 1)`);
    copyKilled(live, path);
    db.close();
    const backup = readFileSync(join(folder, 'backup.db'));
    writeFileSync(path, backup);
    const refusal = `The state file ${path} is a copy beside the log of another one, ${path}-wal: together they would be neither.`;
    expect(() => openDatabase(path)).toThrow(refusal);
    await expect(sqliteExaminer.openCheckup(path)).rejects.toThrow(refusal);
    expect(readFileSync(path).equals(backup)).toBe(true);
    for (const end of ['-wal', '-shm']) rmSync(path + end);
    const restored = openDatabase(path);
    expect(restored.prepare('SELECT * FROM pauses').all()).toEqual([]);
    restored.close();
  });

  it('begins anew with a schema whose making was killed half-way', () => {
    const [path, killed] = [join(folder, 'half.db'), join(folder, 'killed.db')];
    const half = new Database(path);
    half.pragma('journal_mode = WAL');
    // With hardly any memory of its own SQLite writes pages to the log before the commit.
    half.pragma('cache_size = 1');
    half.exec('BEGIN IMMEDIATE');
    for (const step of STEPS) half.exec(step);
    half.exec(`INSERT INTO holders VALUES ('weekly', 4711, 'here', 5)`);
    copyKilled(path, killed);
    half.close();
    const db = openDatabase(killed);
    expect(db.pragma('user_version', { simple: true })).toBe(versionOf(STEPS));
    expect(db.prepare('SELECT job FROM holders').all()).toEqual([]);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
  });

  it('says of a damaged one what to do, and that a new one would pay again', () => {
    const path = join(folder, 'damaged.db');
    openDatabase(path).close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, 100, 4_096));
    expect(() => openDatabase(path)).toThrow(
      `The state file ${path} cannot be opened: it is damaged. Restore it from a backup`,
    );
  });

  it('says where no file can be made', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => openDatabase(join(file, 'state.db'))).toThrow(
      /cannot be opened: its folder is a file\. Fix that\./,
    );
  });

  it('leaves the database of another program untouched', () => {
    const path = join(folder, 'other.db');
    const other = new Database(path);
    other.exec('CREATE TABLE songs (title TEXT)');
    other.close();
    const before = readFileSync(path);
    expect(() => openDatabase(path)).toThrow(/database of another program/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('refuses a newer schema, and says so', () => {
    const path = join(folder, 'newer.db');
    const db = openDatabase(path);
    db.pragma('user_version = 999');
    db.close();
    expect(() => openDatabase(path)).toThrow(/newer Sluice \(schema 999/);
  });

  it.each([
    ['a trigger', 'CREATE TRIGGER evil AFTER INSERT ON runs BEGIN DELETE FROM enrichments; END'],
    ['a view', 'CREATE VIEW evil AS SELECT * FROM enrichments'],
    ['an index that refuses rows', 'CREATE UNIQUE INDEX evil ON enrichments (run_id, ask)'],
    ['a virtual table', 'CREATE VIRTUAL TABLE evil USING fts5 (text)'],
    [
      'an index that no longer refuses a second payment',
      'DROP INDEX one_payment; CREATE INDEX one_payment ON enrichments (fingerprint)',
    ],
    ['a column', 'ALTER TABLE results ADD COLUMN cost INTEGER NOT NULL DEFAULT 0'],
    ['no index of payments', 'DROP INDEX one_payment'],
    ['no trigger of arrows', 'DROP TRIGGER arrows'],
    [
      'a default, written right into its schema',
      `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'since INTEGER NOT NULL', 'since INTEGER NOT NULL DEFAULT 7') WHERE name = 'pauses'`,
    ],
  ])('refuses one that was given %s from outside', async (_, sql) => {
    const path = alter(sql);
    const before = readFileSync(path);
    const refusal = `The tables of ${path} are not those that this Sluice makes`;
    expect(() => openDatabase(path)).toThrow(refusal);
    await expect(sqliteExaminer.openCheckup(path)).rejects.toThrow(refusal);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('refuses one of an earlier checkout, and names the commit that reads it', () => {
    const path = alter('PRAGMA user_version = 30');
    expect(() => openDatabase(path)).toThrow(/earlier checkout.*Commit [0-9a-f]{8} /);
  });

  it('takes its copy for its own', () => {
    const path = newPath();
    const db = openDatabase(path);
    db.exec(`VACUUM; VACUUM INTO '${path}.copy'`);
    db.close();
    openDatabase(path).close();
    openDatabase(`${path}.copy`).close();
  });

  it('takes the statistics of ANALYZE for what they are', () => {
    const db = openDatabase(alter(`INSERT INTO pauses VALUES ('nightly', 1); ANALYZE`));
    for (const table of ['sqlite_stat1', 'sqlite_stat4'])
      expect(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBeGreaterThan(0);
    db.close();
  });

  it('lets nothing in its schema call what acts outside of it', () => {
    const db = openDatabase(join(folder, 'schema-code.db'));
    db.function('acts', () => {
      throw new Error('it has acted');
    });
    db.exec('CREATE TRIGGER evil AFTER INSERT ON runs BEGIN SELECT acts(); END');
    expect(() =>
      db.exec(
        `INSERT INTO runs (job, state, account, plan, started_at) VALUES ('j', 'reading', 'a', '{}', 1)`,
      ),
    ).toThrow('unsafe use of acts()');
    db.close();
  });

  it('opens an older or empty file again without losing anything', () => {
    const path = join(folder, 'again.db');
    const first = openDatabase(path);
    first.exec(
      `INSERT INTO runs (job, state, account, plan, started_at) VALUES ('j', 'reading', 'a', '{}', 1)`,
    );
    first.close();
    const second = openDatabase(path);
    expect(second.prepare('SELECT count(*) AS n FROM runs').get()).toEqual({ n: 1 });
    second.close();
  });
});
