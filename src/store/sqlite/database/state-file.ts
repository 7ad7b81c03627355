// State files in the file system: which of them this process has open, and the contents of their headers.
import { closeSync, openSync, readdirSync, readSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { SluiceError } from '../../../model/errors.js';
import type Database from './better-sqlite3.js';

/** "Slui" in ASCII: it tells a state file from any other SQLite file (PRAGMA application_id). */
export const APPLICATION_ID = 0x536c7569;

// The offsets in the header of an SQLite file (sqlite.org/fileformat2.html): the way it is written, 1 without a log and
// 2 with one; and the id of its program, as 32 bits.
const VERSION_AT = 18;
const WITHOUT_LOG = 1;
const ID_AT = 68;

/** The number of entries of a folder that are searched: more would keep a command waiting. */
const FILES_MAX = 1_000;
const OF_A_STATE = /-(?:wal|shm|journal)$|-(?:lock|senders|reserve)-[\da-f]+$/;

/** File systems of other machines, by Linux's numbers (statfs(2)). */
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

// If a process opened a state file that it already uses in any other way, and closed it again, that would drop SQLite's
// locks on it (fcntl(2)): another process could then remove the log that this process still writes.
const databases = new Set<Database.Database>();

export function noteInUse(db: Database.Database): void {
  databases.add(db);
}

export function isInUse(path: string): boolean {
  for (const db of databases) if (!db.open) databases.delete(db);
  return [...databases].some((db) => isSameFile(db.name, path));
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && a.dev === b?.dev && a.ino === b.ino;
}

/**
 * Refuses a file with a second name (a hard link): SQLite has a log by each name, which the other one does not read, so
 * that what was sent by one is sent again by the other.
 * @throws SluiceError `store`
 */
export function refuseTwoNames(path: string): void {
  if (statSync(path).nlink === 1) return;
  throw new SluiceError(
    'store',
    `The state file ${path} has another name as well (a hard link), by which it would be another state: what was paid for under one could be paid for again under the other. Remove the other name ("find . -samefile FILE" shows it). A symbolic link may lead to a state.`,
  );
}

/**
 * Refuses a copy that was put in the place of a state file, beside the log of the earlier file: SQLite would write that
 * log into the copy without an error. A backup is written without a log; a state file in use has one.
 * @throws SluiceError `store`
 */
export function refuseForeignLog(path: string): void {
  const log = `${path}-wal`;
  const logBytes = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (logBytes === 0 || readHeader(path, VERSION_AT, 1)?.[0] !== WITHOUT_LOG) return;
  throw new SluiceError(
    'store',
    `The state file ${path} is a copy beside the log of another one, ${log}: together they would be neither. If the copy shall count, end everything that uses it, remove ${log} and ${path}-shm, and start again.`,
  );
}

/** Null if there is none. A new file beside another may have a mistyped name. */
export function stateBeside(path: string): string | null {
  try {
    const files = readdirSync(dirname(path), { withFileTypes: true }).slice(0, FILES_MAX);
    const others = files.filter((file) => file.isFile() && file.name !== basename(path));
    const states = others.filter(
      ({ name }) => extname(name) === extname(path) && !OF_A_STATE.test(name),
    );
    const paths = states.map(({ name }) => join(dirname(path), name)).filter(isState);
    return paths.toSorted((a, b) => usedAt(b) - usedAt(a))[0] ?? null;
  } catch {
    // A file that cannot be read is not mentioned.
    return null;
  }
}

function usedAt(path: string): number {
  return statSync(path).mtimeMs;
}

function isState(path: string): boolean {
  return isInUse(path) || readHeader(path, ID_AT, 4)?.readUInt32BE() === APPLICATION_ID;
}

/** Undefined if the file is shorter. Only for a file that is not in use. */
function readHeader(path: string, position: number, length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length);
  const file = openSync(path, 'r');
  try {
    return readSync(file, bytes, 0, length, position) === length ? bytes : undefined;
  } finally {
    closeSync(file);
  }
}

/** Whether the file system is on another machine; null if that is unknown. */
export function isRemoteType(type: number, platform: NodeJS.Platform): boolean | null {
  // On other systems these numbers have other meanings.
  if (platform !== 'linux' || type === FUSE) return null;
  return REMOTE.has(type);
}

/** Whether the disk of an existing file is on another machine: locks and the log are not reliable there. */
export function isRemoteFile(path: string): boolean {
  return isRemoteType(statfsSync(path).type, process.platform) === true;
}
