import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PACKAGE } from '../../../../src/store/sqlite/database/better-sqlite3.js';
import { stateBeside } from '../../../../src/store/sqlite/database/state-file.js';
import { openSqliteStore } from '../../../../src/store/sqlite/open-sqlite-store.js';
import { runPlan } from '../../../helpers/leads.js';
import { tempFolder } from '../../../helpers/temp-folder.js';

const SQLITE = createRequire(import.meta.url).resolve(PACKAGE);

/** Another process that looks at the file and ends: the last one removes the log. */
function lookFromOutside(path: string): void {
  const script = `const db = new (require(${JSON.stringify(SQLITE)}))(${JSON.stringify(path)});
    db.prepare('SELECT 1 FROM runs').get(); db.close();`;
  expect(spawnSync(process.execPath, ['-e', script]).status).toBe(0);
}

it('a state file that is opened again in the same process keeps its locks, and its log', async () => {
  const path = join(tempFolder(), 'state.db');
  const store = openSqliteStore(path);
  await store.startRun(runPlan(), 1);
  const log = statSync(`${path}-wal`);
  const again = openSqliteStore(path);
  expect(stateBeside(join(path, '..', 'other.db'))).toBe(path);
  lookFromOutside(path);
  expect(statSync(`${path}-wal`).ino).toBe(log.ino);
  expect(await again.listRuns(2)).toHaveLength(1);
  await again.close();
  await store.close();
});

it('a job, and a sender, keep their locks when another one begins in the same process', async () => {
  const path = join(tempFolder(), 'state.db');
  const [store, again] = [openSqliteStore(path), openSqliteStore(path)];
  const now = { at: 1, steady: null };
  const holder = { pid: 1, host: 'here', since: 1 };
  await store.joinLimit('acc', [], now);
  await again.joinLimit('acc', [], now);
  await store.lockJob('nightly', holder);
  expect(await again.lockJob('nightly', holder)).toMatchObject({ kind: 'busy' });
  // From outside both are held.
  const script = `const Database = require(${JSON.stringify(SQLITE)});
    for (const file of require('node:fs').readdirSync(process.argv[1])) {
      if (!/-(lock|senders)-/.test(file)) continue;
      try {
        new Database(process.argv[1] + '/' + file, { timeout: 0 }).exec('BEGIN EXCLUSIVE');
        console.log('free');
      } catch (error) { console.log(error.code); }
    }`;
  const { stdout } = spawnSync(process.execPath, ['-e', script, join(path, '..')]);
  expect(String(stdout).trim().split('\n')).toEqual(['SQLITE_BUSY', 'SQLITE_BUSY']);
  await again.close();
  await store.close();
});
