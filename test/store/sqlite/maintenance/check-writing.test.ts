import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import Database from '../../../../src/store/sqlite/database/better-sqlite3.js';
import { connect } from '../../../../src/store/sqlite/driver.js';
import { openSqliteStore, sizesOf } from '../../../../src/store/sqlite/open-sqlite-store.js';
import { tempFolder } from '../../../helpers/temp-folder.js';

const folder = tempFolder();

it('writes to the disk, so that a full one is noticed, and leaves the version as it is', async () => {
  const path = join(folder, 'state.db');
  const store = openSqliteStore(path);
  await store.signingKey();
  const before = statSync(`${path}-wal`).size;
  await store.checkWriting();
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(before);
  await store.close();
  await openSqliteStore(path).close();
});

it('fails where the file cannot be written', async () => {
  const path = join(folder, 'read-only.db');
  await openSqliteStore(path).close();
  const db = new Database(path, { readonly: true });
  const { checkWriting } = sizesOf(path);
  await expect(connect(db).write(checkWriting.work)).rejects.toThrow(/readonly/);
  db.close();
});
