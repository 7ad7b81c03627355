// What SQLite and the system call a failure of the state file, what it means for us, and what a person can do about it.
import Database from 'better-sqlite3';
import { SluiceError } from '../../model/errors.js';

/** Of what is broken beyond repair. */
export const RESTORE = 'Restore it from a backup (made by sluice backup)';
export const NEW_ONE = 'Another file, named with --state, knows nothing of what is paid for.';
const FIX = `Fix that. ${NEW_ONE}`;
const AGAIN = 'run the same command again: it continues';

interface Failure {
  readonly why: string;
  /** What to do where the file cannot be opened. */
  readonly atOpening: string;
  /** What to do where it fails in use. Only SQLite's codes come there. */
  readonly inUse?: string;
}

/** By how the code begins: SQLITE_IOERR_WRITE and the like count as what they begin with. */
const FAILURES: Readonly<Record<string, Failure>> = {
  SQLITE_FULL: { why: 'the disk is full', atOpening: FIX, inUse: `Make room and ${AGAIN}` },
  SQLITE_IOERR: { why: 'the disk failed', atOpening: FIX, inUse: `Check it and ${AGAIN}` },
  SQLITE_BUSY: {
    why: 'another process has kept it locked for 10 s',
    atOpening: 'Try again when that has ended.',
    inUse: 'Run the same command again: it continues',
  },
  SQLITE_READONLY: {
    why: 'it is read-only',
    atOpening: FIX,
    inUse: `Make it writable and ${AGAIN}`,
  },
  SQLITE_CORRUPT: { why: 'it is damaged', atOpening: `${RESTORE}. ${NEW_ONE}`, inUse: RESTORE },
  SQLITE_NOTADB: {
    why: 'it is not a state file',
    atOpening: `${RESTORE} if it was one. ${NEW_ONE}`,
    inUse: `It was one before. ${RESTORE}`,
  },
  EACCES: { why: 'permission is denied', atOpening: FIX },
  EROFS: { why: 'the file system is read-only', atOpening: FIX },
  EISDIR: { why: 'it is a folder', atOpening: 'Name a file in it with --state.' },
  ENOENT: { why: 'no file can be made in its folder', atOpening: FIX },
  EEXIST: { why: 'its folder is a file', atOpening: FIX },
  ENOTDIR: { why: 'its folder is a file', atOpening: FIX },
  ENOSPC: { why: 'the disk is full', atOpening: FIX },
};

/** What is known of a code of SQLite or of the system. */
export function failureOf(code: string): Failure | undefined {
  const known = Object.keys(FAILURES).find((name) => code.startsWith(name));
  if (known === undefined) return undefined;
  const failure = FAILURES[known] as Failure;
  // Disks fail in many ways.
  return known === 'SQLITE_IOERR' ? { ...failure, why: `${failure.why} (${code})` } : failure;
}

/** Another connection has the lock, and kept it for longer than this one waits. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY';
}

/** There is no room. A quota that is used up shows as any other failure to write. */
export function isFull(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return false;
  return code === 'ENOSPC' || code === 'EDQUOT' || /^SQLITE_(FULL|IOERR)/.test(code);
}

/** Wraps verbs of the state file at `path`: each becomes a promise, and a failure of SQLite a sentence. */
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
          { path, reason: error.code },
          { cause: error },
        );
      }
    };
}

/** The error for a state file that fails before its first verb. */
export function cannotOpen(path: string, cause: unknown): SluiceError {
  const library = libraryProblem(cause);
  if (library !== undefined) {
    return new SluiceError('store', `${library.says} ${library.advice}`, {}, { cause });
  }
  const code = (cause as { code?: string }).code ?? 'unknown error';
  const message = cause instanceof Error ? cause.message : String(cause);
  const unknown = message.startsWith(code) ? message : `${code}: ${message}`;
  const { why, atOpening } = failureOf(code) ?? { why: unknown, atOpening: FIX };
  return new SluiceError(
    'store',
    `The state file ${path} cannot be opened: ${why}. ${atOpening}`,
    { path, reason: code },
    { cause },
  );
}

const REBUILD =
  'Run npm rebuild better-sqlite3 where Sluice is installed, with the Node that runs it';

/**
 * Why SQLite itself cannot be used: its binding is a binary, made for one Node. Undefined where the library was
 * loaded, and something else went wrong.
 */
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
  if (code !== 'ERR_DLOPEN_FAILED') return undefined;
  return {
    says: `SQLite's binding cannot be loaded: ${message.replaceAll(/\s*\n\s*/g, ' ').replace(/\.*$/, '.')}`,
    advice: `${REBUILD}; where no ready-made binary fits, that needs a C++ toolchain and python3.`,
  };
}
