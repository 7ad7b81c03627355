import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.js';
import { describeStore } from '../../contract/store.js';
import { miscounts } from '../../helpers/miscounts.js';
import { tempFolder } from '../../helpers/temp-folder.js';

const folder = tempFolder();
let count = 0;

let path = '';

afterEach(() => {
  expect(miscounts(path)).toEqual([]);
});

describeStore('SQLite', () => {
  path = join(folder, `state-${(count += 1)}.db`);
  const own = path;
  return {
    open: async () => openSqliteStore(own),
    openAgain: async () => openSqliteStore(own),
    copies: {
      newPath: () => join(folder, `copy-${(count += 1)}.db`),
      openCopy: async (copy) => openSqliteStore(copy),
    },
  };
});
