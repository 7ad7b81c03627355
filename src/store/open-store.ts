// Opens the state that `--state` names: the path of a file, or the address of a database. `pg` is loaded only for an
// address, so that users of files need no such package.
import { lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { SluiceError } from '../model/errors.js';
import { installing } from '../model/optional-packages.js';
import type { StateArchive } from '../ports/store/archive.js';
import type { Store } from '../ports/store/store.js';
import { isDatabase, parseDatabaseAddress } from './postgres/database/address.js';
import type * as Postgres from './postgres/open-postgres-store.js';
import { openSqliteArchive } from './sqlite/maintenance/archive.js';
import { openSqliteStore } from './sqlite/open-sqlite-store.js';

export { isDatabase, parseDatabaseAddress };

/** An address has two letters or more before the colon: one letter is a drive of Windows. */
const LIKE_AN_ADDRESS = /^\s*([a-z][a-z0-9+.-]+):\//i;
/** SQLite takes these for a database that ends with the process. */
const IN_MEMORY = /^\s*(?::memory:)?\s*$/;

/**
 * @throws SluiceError `usage` for the address of a database that has a password or cannot be read, and for a text that
 * looks like an address of something else or names no file: the next run would know nothing of earlier payments
 */
export function checkState(state: string): void {
  if (isDatabase(state)) {
    parseDatabaseAddress(state);
    return;
  }
  if (IN_MEMORY.test(state)) {
    throw new SluiceError(
      'usage',
      `The state "${state}" would end with the process, and the next run would pay for everything again. Name a file, or a database as postgres://USER@HOST:PORT/DATABASE.`,
    );
  }
  const [, scheme] = LIKE_AN_ADDRESS.exec(state) ?? [];
  if (scheme === undefined) return;
  throw new SluiceError(
    'usage',
    `The state ${scheme}:/… looks like an address, and is none that can be used. A database is written postgres://USER@HOST:PORT/DATABASE, in small letters and without a blank before it; a file of such a name ./${scheme}:/….`,
  );
}

export function nameState(state: string): string {
  return `the ${isDatabase(state) ? 'database' : 'state file'} ${state}`;
}

/** A database always counts as one, and so does a file that cannot be looked at: opening it says what is wrong. */
export function isStateThere(state: string): boolean {
  return isDatabase(state) || isThere(state);
}

export function isStateFolderThere(path: string): boolean {
  return isThere(dirname(path));
}

/** A link to nowhere is there, and so is all below a folder that is none: it may be on a disk that is not mounted. */
function isThere(path: string): boolean {
  try {
    const quietly = { throwIfNoEntry: false } as const;
    if (lstatSync(path, quietly) !== undefined) return true;
    const folder = dirname(path);
    if (lstatSync(folder, quietly) === undefined) return false;
    return statSync(folder, quietly)?.isDirectory() !== true;
  } catch {
    return true;
  }
}

/**
 * Opens a state: the file at a path, which is created with its folder if it is missing; or the database at an address,
 * `postgres://USER@HOST:PORT/DATABASE?schema=NAME`, whose schema `sluice state migrate` has made.
 * @throws SluiceError `store` if it cannot be opened; `usage` for an address with a password or one that cannot be
 * read, and if the package `pg` is missing
 */
export async function openStore(
  state: string,
  options?: Postgres.PostgresStoreOptions,
): Promise<Store> {
  checkState(state);
  if (!isDatabase(state)) return openSqliteStore(state);
  const { openPostgresStore } = await loadPostgres();
  return openPostgresStore(state, options);
}

/** Whatever its marks; a target is created if it is missing. Throws SluiceError as `openStore` does. */
export async function openArchive(state: string, role: 'source' | 'target'): Promise<StateArchive> {
  if (!isDatabase(state)) return openSqliteArchive(state);
  const { openPostgresArchive } = await loadPostgres();
  return openPostgresArchive(state, role === 'target');
}

/** @throws SluiceError `usage` if the package `pg` is missing */
export function loadPostgres(): Promise<typeof Postgres> {
  return loadWithPg(() => import('./postgres/open-postgres-store.js'));
}

/** @throws SluiceError `usage` if the package `pg` is missing */
export async function loadWithPg<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'pg'")) throw cause;
    throw new SluiceError(
      'usage',
      `A state in a database needs the package pg, which is not installed. Install it where Sluice is: ${installing('pg')} (without -g where Sluice was installed so).`,
      {},
      { cause },
    );
  }
}
