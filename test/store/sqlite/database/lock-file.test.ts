import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lockFileOf } from '../../../../src/store/sqlite/database/lock-file.js';
import { openSqliteStore } from '../../../../src/store/sqlite/open-sqlite-store.js';
import { tempFolder } from '../../../helpers/temp-folder.js';

it('one that cannot be opened is told in a sentence, and not as a bug', async () => {
  const path = join(tempFolder(), 'state.db');
  mkdirSync(lockFileOf(path, 'senders', 'acc'));
  mkdirSync(lockFileOf(path, 'lock', 'nightly'));
  const store = openSqliteStore(path);
  const refusal = {
    code: 'store',
    message: expect.stringContaining('cannot be opened: '),
  };
  const now = { at: 1, steady: null };
  await expect(store.joinLimit('acc', [], now)).rejects.toMatchObject(refusal);
  await expect(store.lockJob('nightly', { pid: 1, host: 'here', since: 1 })).rejects.toMatchObject(
    refusal,
  );
  await store.close();
});
