import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { sqliteExaminer } from '../../src/store/examine-state.js';
import { MIGRATIONS } from '../../src/store/migrations.js';
import { openDatabase } from '../../src/store/open-database.js';
import { tempFolder } from '../helpers/temp-folder.js';

const folder = tempFolder();

/** What a kill leaves: the file and its log, as they are while somebody has them open. */
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

  it('begins anew with a migration that was killed half-way', () => {
    const [path, killed] = [join(folder, 'half.db'), join(folder, 'killed.db')];
    const old = new Database(path);
    old.pragma('journal_mode = WAL');
    for (const step of MIGRATIONS.slice(0, 1)) old.exec(step);
    old.pragma('application_id = 0x536c7569');
    old.pragma('user_version = 1');
    const insert = `INSERT INTO holders VALUES ('nightly', 4711, 'here', 5)`;
    old.exec(insert);
    // With hardly any memory of its own SQLite writes pages to the log before the commit.
    old.pragma('cache_size = 1');
    old.exec('BEGIN IMMEDIATE');
    for (const step of MIGRATIONS.slice(1, 5)) old.exec(step);
    old.exec(insert.replace('nightly', 'weekly'));
    copyKilled(path, killed);
    old.close();
    const db = openDatabase(killed);
    expect(db.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
    expect(db.prepare('SELECT job FROM holders').pluck().all()).toEqual(['nightly']);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
  });

  it('says of a damaged one what to do, and that a new one would pay again', () => {
    const path = join(folder, 'damaged.db');
    openDatabase(path).close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, 100, 4_096));
    expect(() => openDatabase(path)).toThrow(
      `The state file ${path} cannot be opened: it is damaged. Restore it from a backup (made by sluice backup). Another file, named with --state, knows nothing of what is paid for.`,
    );
  });

  it('says where no file can be made', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(() => openDatabase(join(file, 'state.db'))).toThrow(
      /cannot be opened: its folder is a file\. Mend that\./,
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
    db.pragma('user_version = 99');
    db.close();
    expect(() => openDatabase(path)).toThrow(/newer Sluice \(schema 99/);
  });

  it.each([
    ['trigger', 'CREATE TRIGGER evil AFTER INSERT ON runs BEGIN DELETE FROM enrichments; END'],
    ['view', 'CREATE VIEW evil AS SELECT * FROM enrichments'],
  ])('refuses one in which somebody has planted a %s', (type, sql) => {
    const path = join(folder, `${type}.db`);
    const db = openDatabase(path);
    db.exec(sql);
    db.close();
    const before = readFileSync(path);
    expect(() => openDatabase(path)).toThrow(new RegExp(`holds the ${type} "evil", which no`));
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('refuses one in which a trigger of its own was changed', () => {
    const path = join(folder, 'changed.db');
    const db = openDatabase(path);
    const [trigger] = db
      .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
      .all();
    const name = trigger?.name ?? '';
    db.exec(
      `DROP TRIGGER ${name}; CREATE TRIGGER ${name} AFTER INSERT ON runs BEGIN SELECT 1; END`,
    );
    db.close();
    expect(() => openDatabase(path)).toThrow(`holds the trigger "${name}"`);
  });

  it('lets nothing in its schema call what acts outside of it', () => {
    const db = openDatabase(join(folder, 'schema-code.db'));
    db.function('acts', () => {
      throw new Error('it has acted');
    });
    db.exec('CREATE TRIGGER evil AFTER INSERT ON runs BEGIN SELECT acts(); END');
    expect(() =>
      db.exec(`INSERT INTO runs (job, state, plan, started_at) VALUES ('j', 'reading', '{}', 1)`),
    ).toThrow('unsafe use of acts()');
    db.close();
  });

  it('opens an older or empty file again without losing anything', () => {
    const path = join(folder, 'again.db');
    const first = openDatabase(path);
    first.exec(`INSERT INTO runs (job, state, plan, started_at) VALUES ('j', 'reading', '{}', 1)`);
    first.close();
    const second = openDatabase(path);
    expect(second.prepare('SELECT count(*) AS n FROM runs').get()).toEqual({ n: 1 });
    second.close();
  });
});
