// The failures of a state file, by the codes of SQLite and of the system: what each means, and what a person can do
// about it.

import { errnoOf, SluiceError } from '../../../model/errors.js';
import Database, { PACKAGE } from './better-sqlite3.js';

export const RESTORE = 'Restore it from a backup (made by sluice state backup)';
export const NEW_ONE = 'Another file, named with --state, knows nothing of what is paid for.';
const FIX = `Fix that. ${NEW_ONE}`;
const AGAIN = 'run the same command again: it continues';

/**
 * The cause of a failure, and the advice: if the file cannot be opened, and if it fails in use. Only SQLite's codes
 * have the last. The key is the beginning of a code: SQLITE_IOERR_WRITE and the like count as SQLITE_IOERR.
 */
const FAILURES: Readonly<Record<string, readonly [why: string, opening: string, inUse?: string]>> =
  {
    SQLITE_FULL: ['the disk is full', FIX, `Make room and ${AGAIN}`],
    SQLITE_IOERR: ['the disk failed', FIX, `Check it and ${AGAIN}`],
    SQLITE_BUSY: [
      'another process has kept it locked for 10 s',
      'Try again when that has ended.',
      'Run the same command again: it continues',
    ],
    SQLITE_READONLY: ['it is read-only', FIX, `Make it writable and ${AGAIN}`],
    SQLITE_CORRUPT: ['it is damaged', `${RESTORE}. ${NEW_ONE}`, RESTORE],
    SQLITE_NOTADB: [
      'it is not a state file',
      `${RESTORE} if it was one. ${NEW_ONE}`,
      `It was one before. ${RESTORE}`,
    ],
    EACCES: ['permission is denied', FIX],
    EROFS: ['the file system is read-only', FIX],
    EISDIR: ['it is a folder', 'Name a file in it with --state.'],
    ENOENT: ['no file can be made in its folder', FIX],
    EEXIST: ['its folder is a file', FIX],
    ENOTDIR: ['its folder is a file', FIX],
    ENOSPC: ['the disk is full', FIX],
  };

interface Failure {
  readonly why: string;
  readonly opening: string;
  readonly inUse?: string | undefined;
}

export function failureOf(code: string): Failure | undefined {
  const [name, failure] = Object.entries(FAILURES).find(([known]) => code.startsWith(known)) ?? [];
  if (failure === undefined) return undefined;
  const [why, opening, inUse] = failure;
  // Disks fail in many ways, so the code is shown.
  return { why: name === 'SQLITE_IOERR' ? `${why} (${code})` : why, opening, inUse };
}

/** Whether another connection has kept the lock for longer than we wait. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY';
}

/** Whether the disk is full. A quota that is used up shows as any other failure to write. */
export function isFull(error: unknown): boolean {
  return /^(ENOSPC|EDQUOT|SQLITE_FULL|SQLITE_IOERR)/.test(errnoOf(error) ?? '');
}

/** Each verb returns a promise, and an error of SQLite becomes a sentence. */
export function guardDatabase(path: string) {
  return <A extends unknown[], R>(verb: (...args: A) => R | Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await verb(...args);
      } catch (error) {
        if (!(error instanceof Database.SqliteError)) throw error;
        const { why, inUse } = failureOf(error.code) ?? {};
        if (why === undefined || inUse === undefined) throw error;
        throw new SluiceError(
          'store',
          `The state file ${path} cannot be used: ${why}. ${inUse}.`,
          {},
          { cause: error },
        );
      }
    };
}

export function cannotOpen(path: string, cause: unknown): SluiceError {
  const library = libraryProblem(cause);
  if (library !== undefined) {
    return new SluiceError('store', `${library.says} ${library.advice}`, {}, { cause });
  }
  const code = errnoOf(cause) ?? 'unknown error';
  const message = cause instanceof Error ? cause.message : String(cause);
  const unknown = message.startsWith(code) ? message : `${code}: ${message}`;
  const { why, opening } = failureOf(code) ?? { why: unknown, opening: FIX };
  return new SluiceError(
    'store',
    `The state file ${path} cannot be opened: ${why}. ${opening}`,
    {},
    { cause },
  );
}

const REBUILD = `Run npm rebuild ${PACKAGE} where Sluice is installed, with the Node that runs it`;

/** SQLite's binding is a binary for one version of Node. Undefined if the library was loaded. */
export function libraryProblem(error: unknown): { says: string; advice: string } | undefined {
  const { code, message = '' } = error as { readonly code?: string; readonly message?: string };
  if (message.includes('NODE_MODULE_VERSION')) {
    return {
      says: `SQLite's binding was built for another Node than this one (${process.version}).`,
      advice: `${REBUILD}.`,
    };
  }
  if (message.includes('Could not locate the bindings file')) {
    return { says: "SQLite's binding is not there.", advice: `${REBUILD}.` };
  }
  if (code === 'MODULE_NOT_FOUND') {
    return {
      says: `The package ${PACKAGE}, which Node.js 20 needs for SQLite, could not be built when Sluice was installed.`,
      advice:
        'Install Sluice again with a C++ compiler, make and python3, or use Node.js 22 or 24, which need none.',
    };
  }
  if (code !== 'ERR_DLOPEN_FAILED') return undefined;
  return {
    says: `SQLite's binding cannot be loaded: ${message.replaceAll(/\s*\n\s*/g, ' ').replace(/\.*$/, '.')}`,
    advice: `${REBUILD}; where no ready-made binary fits, that needs a C++ toolchain and python3.`,
  };
}
