// The file and those beside it stay as they are.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { StateCheckup, StateExaminer, StatePlace } from '../../ports/store/state-checkup.js';
import { keptKey } from '../deliveries/signing-key.js';
import { pausedSince } from '../jobs.js';
import { sizeAt } from '../maintenance/size.js';
import { STRAYS } from '../maintenance/strays.js';
import { readMark, refuseHalf, refuseMoved } from '../moved.js';
import { versionOf } from '../schema.js';
import type { Sql } from '../sql.js';
import Database from './database/better-sqlite3.js';
import { cannotOpen, guardDatabase } from './database/failures.js';
import { checkIdentity } from './database/open-database.js';
import { isInUse, isRemoteType, refuseForeignLog } from './database/state-file.js';
import { STEPS } from './database/steps.js';
import { connect } from './driver.js';
import { busyJobs } from './jobs.js';
import { lookAtSenders } from './limit.js';
import { measure } from './maintenance/disk.js';

const PATIENCE_MS = 2_000;
const DAMAGES_MAX = 5;
const OTHERS_MAY_READ = 0o044;
/** A larger file is not searched for indices that lack a row: that would take minutes. */
const WHOLE_CHECK_BYTES_MAX = 2 ** 30;

export const sqliteExaminer: StateExaminer = {
  lookAtPlace: async (path) => lookAtPlace(path),
  openCheckup: async (path) => openCheckup(path),
};

/** @throws any error that keeps the library from being loaded */
export function sqliteVersion(): string {
  const db = new Database(':memory:');
  try {
    return (
      db.prepare<[], { version: string }>('SELECT sqlite_version() AS version').get()?.version ?? ''
    );
  } finally {
    db.close();
  }
}

function lookAtPlace(path: string): StatePlace {
  const own = dirname(resolve(path));
  let folder = own;
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  const { type, bavail, bsize } = statfsSync(folder);
  return {
    folder,
    isFolderThere: folder === own,
    obstacle: obstacleAt(folder, path),
    isReadByOthers: mayOthersRead(path),
    freeBytes: bavail * bsize,
    isRemote: isRemoteType(type, process.platform),
  };
}

function obstacleAt(folder: string, path: string): string | null {
  if (!statSync(folder).isDirectory()) return `${folder} is no folder`;
  const { R_OK, W_OK, X_OK } = constants;
  if (!mayAccess(folder, W_OK | X_OK)) return `no file can be made in the folder ${folder}`;
  if (!existsSync(path) || mayAccess(path, R_OK | W_OK)) return null;
  return `${path} may not be read and written`;
}

function mayOthersRead(path: string): boolean {
  if (process.platform === 'win32' || !existsSync(path)) return false;
  return (statSync(path).mode & OTHERS_MAY_READ) !== 0;
}

function mayAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

async function openCheckup(path: string): Promise<StateCheckup | null> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  let db: Database.Database | undefined;
  try {
    accessSync(path, constants.R_OK);
    if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
    if (!isInUse(path)) refuseForeignLog(path);
    db = new Database(path, { ...modeFor(path), fileMustExist: true, timeout: PATIENCE_MS });
    db.pragma('query_only = ON');
    db.pragma('trusted_schema = OFF');
    const version = checkIdentity(db, path);
    if (version === 0) {
      db.close();
      return null;
    }
    const mark = await connect(db).read(readMark);
    refuseHalf(path, mark);
    refuseMoved(path, mark);
    return prepareCheckup(db, path, found.size, version);
  } catch (error) {
    db?.close();
    throw error instanceof Error && error.name === 'SluiceError' ? error : cannotOpen(path, error);
  }
}

/**
 * How to open the file. If a log stands beside it, another process uses it, or was killed: a connection that only reads
 * leaves the log to its owner. Without a log, only a connection that may write removes the files it makes; `query_only`
 * keeps it from writing.
 */
function modeFor(path: string): { readonly: boolean } {
  const isInUse = existsSync(`${path}-wal`) || existsSync(`${path}-journal`);
  return { readonly: isInUse || !mayAccess(path, constants.W_OK) };
}

function prepareCheckup(
  db: Database.Database,
  path: string,
  bytes: number,
  version: number,
): StateCheckup {
  const guard = guardDatabase(path);
  const { read } = connect(db);
  const look = <R>(work: (sql: Sql) => Promise<R>): Promise<R> => guard(() => read(work))();
  return {
    version,
    versionKnown: versionOf(STEPS),
    size: (at) => look((sql) => sizeAt(sql, (own) => measure(own, path), at)),
    findDamage: async () => findDamage(db, bytes),
    busyJobs: () => look((sql) => busyJobs(sql, path)),
    senders: (account, now) => look((sql) => lookAtSenders(sql, account, now)),
    pausedSince: (job) => look((sql) => pausedSince(sql, job)),
    signingKey: () => look(async (sql) => (await keptKey(sql)) ?? null),
    close: async () => void db.close(),
  };
}

function findDamage(db: Database.Database, bytes: number): readonly string[] {
  const check = bytes > WHOLE_CHECK_BYTES_MAX ? 'quick_check' : 'integrity_check';
  try {
    const said = (db.pragma(`${check}(${DAMAGES_MAX})`) as Record<string, string>[]).map(
      (row) => Object.values(row)[0] ?? '',
    );
    const damages = said.filter((line) => line !== 'ok');
    if (damages.length > 0) return damages;
    const strays = db.prepare<[], { stray: string; parent: string }>(STRAYS).all();
    return strays
      .slice(0, DAMAGES_MAX)
      .map(({ parent, stray }) => `a row of ${stray} refers to one of ${parent} that is not there`);
  } catch (error) {
    // The file may be so damaged that the check itself fails.
    if (error instanceof Database.SqliteError) return [error.message];
    throw error;
  }
}
