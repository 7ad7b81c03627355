// Opens a state file so that no commit can be lost, and refuses any other file.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { SluiceError } from '../../../model/errors.js';
import { refuseUnpublished, stepsAfter, versionOf } from '../../schema.js';
import Database from './better-sqlite3.js';
import { checkSchema } from './check-schema.js';
import { cannotOpen, isBusy, RESTORE } from './failures.js';
import {
  APPLICATION_ID,
  isInUse,
  noteInUse,
  refuseForeignLog,
  refuseTwoNames,
} from './state-file.js';
import { STEPS } from './steps.js';

const ATTEMPTS_MAX = 50;
const PAUSE_MS = 20;

/** @throws SluiceError `store` if it is no state file, is newer, or cannot be written; it is left untouched */
export function openDatabase(path: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (!isInUse(path)) {
      // People's data: only the owner may read it. SQLite gives -wal and -shm the same mode.
      closeSync(openSync(path, 'a', 0o600));
      refuseTwoNames(path);
      refuseForeignLog(path);
    }
    db = new Database(path, { timeout: 10_000 });
    noteInUse(db);
    // This is one transaction, because another process may be creating the file right now.
    const version = db.transaction(checkIdentity).deferred(db, path);
    applyPragmas(db);
    addFunctions(db);
    if (version < versionOf(STEPS)) migrate(db, path);
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof SluiceError) throw error;
    throw cannotOpen(path, error);
  }
}

/**
 * The version of the file's schema; 0 for an empty file.
 * @throws SluiceError `store` if the file is another program's or newer than this program, or its schema was changed
 */
export function checkIdentity(db: Database.Database, path: string): number {
  const version = Math.max(0, db.pragma('user_version', { simple: true }) as number);
  const application = db.pragma('application_id', { simple: true }) as number;
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (!isEmpty && application !== APPLICATION_ID) {
    throw new SluiceError(
      'store',
      `${path} is a database of another program. Choose another file with --state. ${RESTORE} if it was a state: a new one pays for everything again.`,
    );
  }
  refuseUnpublished(path, version);
  if (version > versionOf(STEPS)) {
    throw new SluiceError(
      'store',
      `${path} was written by a newer Sluice (schema ${version}; this one knows ${versionOf(STEPS)}). Upgrade Sluice, or choose another file with --state.`,
    );
  }
  checkSchema(db, path, version);
  return version;
}

function applyPragmas(db: Database.Database): void {
  // Readers never wait for the writer, and a commit is one append to the log.
  useLog(db);
  // Every commit reaches the disk before it counts: the intent to send must survive a power cut.
  db.pragma('synchronous = FULL');
  // 8 MB: a run works on the rows that it read or wrote last.
  db.pragma('cache_size = -8000');
  // A file from elsewhere must not run its own code through its schema.
  db.pragma('trusted_schema = OFF');
}

/**
 * If two processes turn a new file's journal into a log, SQLite answers BUSY at once and does not wait, so this
 * retries.
 */
function useLog(db: Database.Database): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      db.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || attempt === ATTEMPTS_MAX) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

function migrate(db: Database.Database, path: string): void {
  const apply = db.transaction(() => {
    // The version is read again inside the transaction: another process may have been faster.
    const version = checkIdentity(db, path);
    for (const step of stepsAfter(version, STEPS)) db.exec(step);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${versionOf(STEPS)}`);
  });
  apply.immediate();
}

const OPTIONS = { deterministic: true, directOnly: true };

export function addFunctions(db: Database.Database): void {
  db.function('greatest', OPTIONS, (a, b) => pick(a, b, (one, other) => one > other));
  db.function('least', OPTIONS, (a, b) => pick(a, b, (one, other) => one < other));
  db.function('strpos', OPTIONS, (text, part) =>
    text === null || part === null ? null : String(text).indexOf(String(part)) + 1,
  );
  db.function('json_field', OPTIONS, jsonField);
}

/** One of two values; a null is passed over. */
function pick(a: unknown, b: unknown, isFirst: (a: never, b: never) => boolean): unknown {
  if (a === null || b === null) return a ?? b;
  return isFirst(a as never, b as never) ? a : b;
}

/** A field of a JSON object, as text. Null if it is absent, or the text is not JSON. */
function jsonField(body: unknown, name: unknown): string | null {
  try {
    const value = (JSON.parse(String(body)) as Record<string, unknown> | null)?.[String(name)];
    if (value === undefined || value === null) return null;
    return typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    return null;
  }
}
