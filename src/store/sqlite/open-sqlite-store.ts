// The store in a state file: the verbs of verbs.ts, and those that only a file has in its own way. Each verb is one
// transaction, with one sync for a whole batch.
import { realpathSync } from 'node:fs';
import { SluiceError } from '../../model/errors.js';
import type { StateMark } from '../../ports/store/archive.js';
import type { Store } from '../../ports/store/store.js';
import { MARK_COLUMNS, readMark, refuseHalf, refuseMoved, unlessMoved } from '../moved.js';
import type { Sql } from '../sql.js';
import { readsOf, writesOf } from '../verbs.js';
import { cannotOpen, guardDatabase } from './database/failures.js';
import { openDatabase } from './database/open-database.js';
import { type Connection, connect } from './driver.js';
import { jobReads, lockJob } from './jobs.js';
import { limitVerbs } from './limit.js';
import { fileVerbs, sizesOf } from './maintenance/file-verbs.js';
import { createReserve } from './reserve.js';

/** Verbs of the hot path: they share their syncs, and fail once the reserve is given up. */
const HOT: ReadonlySet<string> = new Set<keyof Store>([
  'ingest',
  'claim',
  'recordSubmits',
  'postpone',
  'settle',
  'keepUnread',
  'keepArrivals',
  'addRefused',
  'handleDeliveries',
  'noteRequests',
]);
/** Verbs that save the answers to paid requests: these may use the disk reserve (reserve.ts). */
const SAVING: ReadonlySet<string> = new Set<keyof Store>(['recordSubmits', 'recordList']);

type Verb = (...args: never[]) => Promise<unknown>;

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
    const sizes = sizesOf(path);
    const guard = guardDatabase(path);
    const verbs: Record<string, Verb> = {};
    for (const [name, work] of Object.entries({
      ...readsOf(place),
      ...jobReads(path),
      ...sizes.reads,
    })) {
      verbs[name] = guard((...args: never[]) => connection.read((sql) => perform(work, sql, args)));
    }
    for (const [name, work] of Object.entries({
      ...writesOf(place),
      ...limits.writes,
      ...sizes.writes,
    })) {
      const write: Verb = (...args) =>
        connection[HOT.has(name) ? 'join' : 'write']((sql) => perform(work, sql, args));
      const kept = SAVING.has(name) ? reserve.serves(write) : write;
      verbs[name] = guard(HOT.has(name) && !SAVING.has(name) ? reserve.shuts(kept) : kept);
    }
    const lock = guard((job: string, holder: Parameters<Store['lockJob']>[1]) =>
      lockJob(connection, path, job, holder),
    );
    const all = verbs as unknown as Omit<Store, 'lockJob' | 'maySend' | 'close'>;
    const store: Store = {
      ...all,
      noteWritten: unlessMoved(all.noteWritten),
      noteRemoved: unlessMoved(all.noteRemoved),
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

function perform(work: unknown, sql: Sql, args: readonly never[]): Promise<unknown> {
  return (work as (sql: Sql, ...args: readonly never[]) => Promise<unknown>)(sql, ...args);
}
