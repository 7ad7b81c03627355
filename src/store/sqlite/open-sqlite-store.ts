// The store in a state file: the verbs of verbs.ts, and those that only a file has in its own way. Each verb is one
// transaction, with one sync for a whole batch.
import { realpathSync } from 'node:fs';
import { SluiceError } from '../../model/errors.js';
import type { StateMark } from '../../ports/store/archive.js';
import type { Store } from '../../ports/store/store.js';
import { MARK_COLUMNS, readMark, refuseHalf, refuseMoved } from '../moved.js';
import type { Sql } from '../sql.js';
import { callsOf } from '../verb.js';
import { verbsOf } from '../verbs.js';
import { cannotOpen, guardDatabase } from './database/failures.js';
import { openDatabase } from './database/open-database.js';
import { type Connection, connect } from './driver.js';
import { jobVerbs, lockJob } from './jobs.js';
import { limitVerbs } from './limit.js';
import { fileVerbs, sizesOf } from './maintenance/file-verbs.js';
import { createReserve } from './reserve.js';

/**
 * Opens the state file at `path`, and creates it and its folder if they are missing.
 * @throws SluiceError `store`
 */
export function openSqliteStore(path: string): Store {
  const db = openDatabase(path);
  try {
    const mark = db.prepare<[], StateMark>(`SELECT ${MARK_COLUMNS} FROM identity`).get();
    refuseHalf(path, mark as StateMark);
    const connection = unmoved(connect(db), path);
    const place = realpathSync(path);
    const reserve = createReserve(path);
    const limits = limitVerbs(path, reserve);
    const guard = guardDatabase(path);
    const verbs = {
      ...verbsOf(place),
      ...jobVerbs(path),
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
      lockJob(connection, path, job, holder),
    );
    const store: Store = {
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

/** The connection, which writes nothing once the state was moved: also where it was opened before. */
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
