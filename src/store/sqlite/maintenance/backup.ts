// Copies the state file while other processes write to it. VACUUM INTO reads the view of one moment, so it ends however
// busy the file is; the backup API of SQLite begins anew whenever another process writes.
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, lstatSync, openSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errnoOf, SluiceError } from '../../../model/errors.js';
import Database from '../database/better-sqlite3.js';
import { failureOf, isFull } from '../database/failures.js';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EPERM: 'the file system knows no hard links, by which it would appear complete',
  EOPNOTSUPP: 'the file system knows no hard links, by which it would appear complete',
};

export function backUp(db: Database.Database, path: string): number {
  if (isThere(path)) throw isTaken(path);
  const target = resolve(path);
  const unique = `${process.pid}-${randomBytes(4).toString('hex')}`;
  const partial = join(dirname(target), `.${basename(target)}.${unique}.partial`);
  try {
    // People's data, and the key of the webhooks: only the owner may read it.
    closeSync(openSync(partial, 'wx', 0o600));
    db.prepare('VACUUM INTO ?').run(partial);
    checkCopy(partial);
    // SQLite does not sync the copy.
    sync(partial);
    // A link, unlike a rename, never replaces a file that was made meanwhile.
    linkSync(partial, target);
    sync(dirname(target));
    return statSync(target).size;
  } catch (error) {
    throw toProblem(path, error);
  } finally {
    rmSync(partial, { force: true });
  }
}

function checkCopy(path: string): void {
  const copy = new Database(path, { readonly: true });
  try {
    const said = copy.pragma('integrity_check', { simple: true });
    if (said === 'ok') return;
  } finally {
    copy.close();
  }
  throw new SluiceError(
    'store',
    'The state file is damaged, and a copy of it would be too: nothing was written. Restore it from an earlier backup.',
  );
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function toProblem(path: string, error: unknown): unknown {
  const code = errnoOf(error) ?? '';
  if (error instanceof SluiceError) return error;
  if (code === 'EEXIST') return isTaken(path);
  const isOfCopy = isFull(error) || code === 'SQLITE_CANTOPEN';
  if (error instanceof Database.SqliteError && !isOfCopy) return error;
  const why = REASONS[code] ?? failureOf(code)?.why ?? code;
  return new SluiceError(
    'output',
    `The backup cannot be written to "${path}": ${why}. Fix that, or name another file.`,
    {},
    { cause: error },
  );
}

function isTaken(path: string): SluiceError {
  return new SluiceError(
    'usage',
    `${path} exists already, and a backup never takes the place of anything: name another file, or remove it first.`,
  );
}
