// The store in a state file: the verbs of verbs.ts, and those that only a file has in its own way. Each verb is one
// transaction, with one sync for a whole batch.
import { realpathSync } from 'node:fs';
import { SluiceError } from '../../model/errors.js';
import type { Store } from '../../ports/store/store.js';
import { readMark } from '../maintenance/mark.js';
import {
  MARK_COLUMNS,
  type MarkRow,
  readingOnly,
  refuseHalf,
  refuseMoved,
  toMark,
} from '../moved.js';
import type { Sql } from '../sql.js';
import { readsOf, UNMARKED, writesOf } from '../verbs.js';
import { cannotOpen, guardDatabase } from './database/failures.js';
import { openDatabase } from './database/open-database.js';
import { connect } from './driver.js';
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
    const connection = connect(db);
    const mark = toMark(db.prepare<[], MarkRow>(`SELECT ${MARK_COLUMNS} FROM identity`).get());
    refuseHalf(path, mark);
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
      const within = async (sql: Sql, args: readonly never[]): Promise<unknown> => {
        if (UNMARKED.has(name)) refuseMoved(path, await readMark(sql));
        return perform(work, sql, args);
      };
      const write: Verb = (...args) =>
        connection[HOT.has(name) ? 'join' : 'write']((sql) => within(sql, args));
      const kept = SAVING.has(name) ? reserve.serves(write) : write;
      verbs[name] = guard(HOT.has(name) && !SAVING.has(name) ? reserve.shuts(kept) : kept);
    }
    const lock = guard((job: string, holder: Parameters<Store['lockJob']>[1]) =>
      lockJob(connection, path, job, holder),
    );
    const store: Store = {
      ...(verbs as unknown as Omit<Store, 'lockJob' | 'maySend' | 'close'>),
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
    return mark === null ? store : readingOnly(store, path, mark);
  } catch (cause) {
    db.close();
    throw cause instanceof SluiceError ? cause : cannotOpen(path, cause);
  }
}

function perform(work: unknown, sql: Sql, args: readonly never[]): Promise<unknown> {
  return (work as (sql: Sql, ...args: readonly never[]) => Promise<unknown>)(sql, ...args);
}
