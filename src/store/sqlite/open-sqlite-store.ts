import { realpathSync } from 'node:fs';
import { SluiceError } from '../../model/errors.js';
import type { StateMark } from '../../ports/store/archive.js';
import type { Store } from '../../ports/store/store.js';
import { forget } from '../maintenance/forget.js';
import { prune } from '../maintenance/prune.js';
import { sizeVerbs } from '../maintenance/size.js';
import { readMark, refuseHalf, refuseMoved } from '../moved.js';
import type { Sql, TransactionOptions } from '../sql.js';
import { callsOf, type Verbs, write } from '../verb.js';
import { verbsOf } from '../verbs.js';
import type Database from './database/better-sqlite3.js';
import { cannotOpen, guardDatabase } from './database/failures.js';
import { openDatabase } from './database/open-database.js';
import type { Connection } from './driver.js';
import { connect } from './driver.js';
import { jobVerbs, lockJob } from './jobs.js';
import { limitVerbs } from './limit.js';
import { backUp } from './maintenance/backup.js';
import { diskOf, measure } from './maintenance/disk.js';
import { createReserve } from './reserve.js';

/** @throws SluiceError `store` */
export function openSqliteStore(path: string): Store {
  const db = openDatabase(path);
  try {
    const marks = db.prepare<[], StateMark>(
      'SELECT moved_to AS movedTo, filled_from AS filledFrom FROM identity',
    );
    const mark = marks.get() as StateMark;
    refuseHalf(path, mark);
    const connection = unmoved(connect(db), path);
    // Locks stand where SQLite has its log: links to one file share them.
    const place = realpathSync(path);
    const reserve = createReserve(place);
    const limits = limitVerbs(place, reserve);
    const guard = guardDatabase(path);
    const verbs = {
      ...verbsOf(place),
      ...jobVerbs(place),
      ...limits.verbs,
      ...sizesOf(path),
    };
    const calls = callsOf(verbs, ({ kind, marks }) => {
      if (kind === 'read') return guard(connection.read);
      const perform = marks.includes('hot') ? connection.join : connection.write;
      if (marks.includes('saving')) return guard(reserve.serves(perform));
      return guard(marks.includes('hot') ? reserve.shuts(perform) : perform);
    });
    const lock = guard((job: string, holder: Parameters<Store['lockJob']>[1]) =>
      lockJob(connection, place, job, holder),
    );
    const store: Store = {
      movedTo: mark.movedTo,
      ...calls,
      ...fileVerbs(connection, db, guard),
      lockJob: async (job, holder) => {
        const taken = await lock(job, holder);
        return taken.kind === 'taken' ? { ...taken, store } : taken;
      },
      // The lock lasts as long as this process.
      maySend: async () => true,
      close: async () => {
        await connection.end();
        limits.close();
        db.close();
      },
    };
    return store;
  } catch (cause) {
    db.close();
    throw cause instanceof SluiceError ? cause : cannotOpen(path, cause);
  }
}

/** It writes nothing once the state was moved: also where it was opened before. */
function unmoved(connection: Connection, path: string): Connection {
  const within =
    <R>(work: (sql: Sql) => Promise<R>) =>
    async (sql: Sql): Promise<R> => {
      refuseMoved(path, await readMark(sql));
      return work(sql);
    };
  return {
    ...connection,
    write: (work) => connection.write(within(work)),
    join: (work) => connection.join(within(work)),
  };
}

function fileVerbs(
  connection: Connection,
  db: Database.Database,
  guard: ReturnType<typeof guardDatabase>,
): Pick<Store, 'forget' | 'prune' | 'backup'> {
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
    ...sizeVerbs((sql) => measure(sql, path)),
    checkWriting: write(checkWriting),
  } satisfies Partial<Verbs>;
}

async function checkWriting(sql: Sql): Promise<void> {
  // SQLite writes no page for a row that does not change; for this number it does.
  const version = await sql.value<number>('PRAGMA user_version');
  await sql.run(`PRAGMA user_version = ${Number(version)}`);
}
