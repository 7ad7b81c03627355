// Looks at a state file. It and the files beside it stay as they are.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { NOTHING_HELD, type Rate, wholeWindow } from '../../model/schedule/rate.js';
import type { Moment } from '../../ports/clock.js';
import type { OtherSenders } from '../../ports/store/accounts.js';
import type { LockHolder } from '../../ports/store/jobs.js';
import type {
  BusyJob,
  StateCheckup,
  StateExaminer,
  StatePlace,
} from '../../ports/store/state-checkup.js';
import { refuseMarked } from '../moved.js';
import { cannotOpen, guardDatabase } from './database/failures.js';
import { MIGRATIONS } from './database/migrations.js';
import { checkIdentity } from './database/open-database.js';
import { isInUse, refuseForeignLog } from './database/state-file.js';
import { isJobLocked, preparePauses } from './jobs.js';
import { lookAtSenders } from './limit.js';
import { prepareReadMark } from './maintenance/mark.js';
import { sizeAt } from './maintenance/size.js';

const PATIENCE_MS = 2_000;
const DAMAGES_MAX = 5;
const OTHERS_MAY_READ = 0o044;
/** A larger file is not looked through for indices that lack a row: it would take minutes. */
const WHOLE_CHECK_BYTES_MAX = 2 ** 30;

/** File systems of other machines, by what Linux calls them (statfs(2)). */
const REMOTE: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2
  0x01021997, // 9P
  0x5346414f, // AFS
  0x00c36400, // Ceph
  0x0bd00bd0, // Lustre
]);
/** A file system that a program provides: sshfs, and some local ones. */
const FUSE = 0x65735546;

export const sqliteExaminer: StateExaminer = {
  lookAtPlace: async (path) => lookAtPlace(path),
  openCheckup: async (path) => openCheckup(path),
};

/** @throws whatever keeps the library from being loaded */
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

/** Null where that is unknown. */
export function isRemoteType(type: number, platform: NodeJS.Platform): boolean | null {
  // On other systems the numbers mean something else.
  if (platform !== 'linux' || type === FUSE) return null;
  return REMOTE.has(type);
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

function openCheckup(path: string): StateCheckup | null {
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
    if (hasTable(db, 'moved')) refuseMarked(path, prepareReadMark(db)());
    return prepareCheckup(db, path, found.size, version);
  } catch (error) {
    db?.close();
    throw error instanceof Error && error.name === 'SluiceError' ? error : cannotOpen(path, error);
  }
}

/**
 * With a log beside the file, another process uses it, or was killed: a connection that only reads leaves the log to
 * its owner. Without a log, only a connection that may write removes the files it makes; `query_only` keeps it from
 * writing.
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
  const has = (table: string): boolean => hasTable(db, table);
  return {
    version,
    versionKnown: MIGRATIONS.length,
    size: guard((at: number) => sizeAt(db, at)),
    findDamage: async () => findDamage(db, bytes),
    busyJobs: guard(() => (has('holders') ? busyJobs(db, path) : [])),
    senders: guard((account: string, limit: Rate, now: Moment): OtherSenders => {
      if (has('limits')) return lookAtSenders(db, account, limit, now);
      // An older state keeps it in another way: it is unknown.
      const isUnknown = has('senders') || has('sending');
      return { held: isUnknown ? wholeWindow(limit) : NOTHING_HELD, isSending: isUnknown };
    }),
    pausedSince: guard((job: string) =>
      has('pauses') ? preparePauses(db).pausedSince(job) : null,
    ),
    signingKey: guard(() => {
      if (!has('signing_key')) return null;
      return db.prepare<[], { key: Uint8Array }>('SELECT key FROM signing_key').get()?.key ?? null;
    }),
    close: async () => void db.close(),
  };
}

function hasTable(db: Database.Database, name: string): boolean {
  const found = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  return found.get(name) !== undefined;
}

function findDamage(db: Database.Database, bytes: number): readonly string[] {
  const check = bytes > WHOLE_CHECK_BYTES_MAX ? 'quick_check' : 'integrity_check';
  try {
    const said = (db.pragma(`${check}(${DAMAGES_MAX})`) as Record<string, string>[]).map(
      (row) => Object.values(row)[0] ?? '',
    );
    const damages = said.filter((line) => line !== 'ok');
    if (damages.length > 0) return damages;
    const broken = db.pragma('foreign_key_check') as { table: string; parent: string }[];
    return broken
      .slice(0, DAMAGES_MAX)
      .map(({ table, parent }) => `a row of ${table} refers to one of ${parent} that is not there`);
  } catch (error) {
    // The file may be so broken that the check itself fails.
    if (error instanceof Database.SqliteError) return [error.message];
    throw error;
  }
}

/** Those that processes work on at this moment. */
export function busyJobs(db: Database.Database, path: string): BusyJob[] {
  const holders = db
    .prepare<[], LockHolder & { job: string }>('SELECT job, pid, host, since FROM holders')
    .all();
  return holders
    .filter(({ job }) => isJobLocked(path, job))
    .map(({ job, ...holder }) => ({ job, holder, leftMs: null }));
}
