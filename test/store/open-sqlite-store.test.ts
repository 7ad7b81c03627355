import { join } from 'node:path';
import { openSqliteStore } from '../../src/store/open-sqlite-store.js';
import { describeStore } from '../contract/store.js';
import { tempFolder } from '../helpers/temp-folder.js';

const folder = tempFolder();
let count = 0;

describeStore('SQLite', () => {
  const path = join(folder, `state-${(count += 1)}.db`);
  return {
    open: async () => openSqliteStore(path),
    openAgain: async () => openSqliteStore(path),
    newPath: () => join(folder, `copy-${(count += 1)}.db`),
    openCopy: async (copy) => openSqliteStore(copy),
  };
});
