// The file that a table will replace: checked before anything is paid for, and again before it is written.
import { access, constants, open, realpath, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { SluiceError } from '../model/errors.js';
import { errnoOf, reasonOf } from './output-problem.js';
import { partialPath } from './partial-file.js';

export interface TargetFile {
  /** Absolute; what a symbolic link points to, so that the link survives the replacement. */
  readonly path: string;
  /** The permissions of the file that stands there; undefined where there is none. */
  readonly mode: number | undefined;
}

/** Endings that promise something else than CSV or NDJSON; what is behind them would not open. */
const OTHER_FORMAT = /\.(?:xlsx?|ods|json|parquet|gz|zip)$/i;

/**
 * Finds out whether a table can be written here, by making a file beside it and removing it again.
 * `-` is standard output and always passes.
 * @throws SluiceError `usage`
 */
export async function checkWritable(path: string, what?: string): Promise<void> {
  const target = await checkTarget(path, what);
  if (target === undefined) return;
  const probe = partialPath(target.path);
  try {
    await (await open(probe, 'wx', 0o600)).close();
    await rm(probe);
  } catch (cause) {
    throw closedFolder(path, target, cause, what);
  }
}

/**
 * The same as far as it can be known without making a file; undefined for `-`.
 * @throws SluiceError `usage`
 */
export async function checkTarget(path: string, what?: string): Promise<TargetFile | undefined> {
  if (path === '-') return undefined;
  if (OTHER_FORMAT.test(path)) {
    throw usage(
      path,
      'Sluice writes .csv, .ndjson and .jsonl; --excel makes a .csv that Excel opens',
    );
  }
  const target = await findTarget(path, what);
  try {
    await access(dirname(target.path), constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw closedFolder(path, target, cause, what);
  }
  return target;
}

/**
 * The file behind a path, which need not exist.
 * @throws SluiceError `usage` where its folder is missing, or it is anything but a plain file
 */
export async function findTarget(path: string, what?: string): Promise<TargetFile> {
  const refuse = (why: string) => usage(path, why, undefined, what);
  if (path === '' || /[/\\]$/.test(path)) throw refuse('this names a folder, not a file');
  const folder = await statOf(path, dirname(resolve(path)));
  if (folder?.isDirectory() !== true) {
    throw refuse('its folder does not exist: create the folder, or name another file');
  }
  const found = await statOf(path, path);
  if (found === undefined) return { path: resolve(path), mode: undefined };
  if (found.isDirectory()) throw refuse('this is a folder; name a file in it');
  // Renaming over a device or a named pipe would replace it instead of writing to it.
  if (!found.isFile()) throw refuse('this is not a plain file; use - and redirect the output');
  return { path: await realpath(path), mode: found.mode & 0o777 };
}

/** Undefined where nothing stands there. */
async function statOf(path: string, place: string) {
  try {
    return await stat(place);
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(cause) ?? '')) return undefined;
    throw usage(path, reasonOf(cause), cause);
  }
}

function closedFolder(
  path: string,
  target: TargetFile,
  cause: unknown,
  what?: string,
): SluiceError {
  // The folder is there, and is none for files.
  const isOdd = errnoOf(cause) === 'ENOENT';
  const why = isOdd ? 'the system makes none there' : reasonOf(cause);
  return usage(
    path,
    `no file can be made in the folder ${dirname(target.path)}: ${why}. Name a file elsewhere, or let the user who runs Sluice write there`,
    cause,
    what,
  );
}

function usage(path: string, why: string, cause?: unknown, what = 'The table'): SluiceError {
  return new SluiceError(
    'usage',
    `${what} cannot be written to "${path}": ${why}.`,
    { path },
    { cause },
  );
}
