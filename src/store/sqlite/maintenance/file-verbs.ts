// Verbs of maintenance that only a state file has: they have transactions of their own, or none.
import type Database from 'better-sqlite3';
import type { Store } from '../../../ports/store/store.js';
import { forget } from '../../maintenance/forget.js';
import { prune } from '../../maintenance/prune.js';
import { sizeVerbs } from '../../maintenance/size.js';
import type { Sql, TransactionOptions } from '../../sql.js';
import { type Verbs, write } from '../../verb.js';
import type { guardDatabase } from '../database/failures.js';
import type { Connection } from '../driver.js';
import { backUp } from './backup.js';
import { diskOf, measure } from './disk.js';

type Kept = Pick<Store, 'forget' | 'prune' | 'backup'>;

export function fileVerbs(
  connection: Connection,
  db: Database.Database,
  guard: ReturnType<typeof guardDatabase>,
): Kept {
  const disk = diskOf(db, connection);
  const database = {
    shown: db.name,
    perform: <R>(work: (sql: Sql) => Promise<R>, { kind }: TransactionOptions) =>
      kind === 'write' ? connection.write(work) : connection.read(work),
  };
  return {
    forget: guard((...args) => forget(database, disk, ...args)),
    prune: guard((...args) => prune(database, disk, ...args)),
    backup: guard((path) => connection.alone(() => backUp(db, path))),
  };
}

export function sizesOf(path: string) {
  return {
    ...sizeVerbs({ measure: (sql) => measure(sql, path) }),
    checkWriting: write(checkWriting),
  } satisfies Partial<Verbs>;
}

async function checkWriting(sql: Sql): Promise<void> {
  // SQLite writes no page for a row that does not change; for this number it does.
  const row = await sql.row<{ user_version: number }>('PRAGMA user_version');
  await sql.run(`PRAGMA user_version = ${Number(row?.user_version)}`);
}
