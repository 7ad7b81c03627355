// The file that a table will replace: checked before anything is paid for, and again before it is written.
import { randomBytes } from 'node:crypto';
import { access, constants, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errnoOf, SluiceError } from '../model/errors.js';
import { reasonOf } from './output-problem.js';
import { TABLE_ENDING } from './table-format.js';

export interface TargetFile {
  /** The absolute path; for a symbolic link that of its target, so that the link survives the replacement. */
  readonly path: string;
  /** The permissions of the file there; undefined if there is none. */
  readonly mode: number | undefined;
}

/** Endings of formats that Sluice does not write; a table under such a name would not open. */
const OTHER_FORMAT = /\.(?:xls[mb]?|ods|json|gz|zip)$/i;

/**
 * Finds out whether a table can be written here, by making a file beside it and removing it again. `-` is standard
 * output and always passes.
 * @throws SluiceError `usage`
 */
export async function checkWritable(path: string, what?: string, isTable?: boolean): Promise<void> {
  const target = await checkTarget(path, what, isTable);
  if (target === undefined) return;
  const probe = partialPath(target.path);
  try {
    await (await open(probe, 'wx', 0o600)).close();
    await rm(probe);
  } catch (cause) {
    throw closedFolder(path, target, cause, what);
  }
}

/** As far as it is possible without making a file; undefined for `-`. @throws SluiceError `usage` */
export async function checkTarget(
  path: string,
  what?: string,
  isTable = true,
): Promise<TargetFile | undefined> {
  if (path === '-') return undefined;
  if (isTable && OTHER_FORMAT.test(path) && !TABLE_ENDING.test(path)) {
    throw usage(
      path,
      'Sluice writes .csv, .tsv, .ndjson and .jsonl, each also with .gz, and .xlsx and .parquet',
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

/** @throws SluiceError `usage` if its folder is missing, or it is anything but a plain file; it need not exist */
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
  // The folder exists, but cannot hold files.
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
  return new SluiceError('usage', `${what} cannot be written to "${path}": ${why}.`, {}, { cause });
}

/**
 * The file beside the output for lines of input that could not become a record: `data/out/x.csv` gives
 * `data/out/x.rejects.csv`, whatever the format of the output; only an ending that names a table is replaced, so
 * `leads.2024` gives `leads.2024.rejects.csv`. Null for standard output, which has no place beside it.
 */
export function rejectsPath(output: string): string | null {
  if (output === '-') return null;
  return `${output.replace(TABLE_ENDING, '')}.rejects.csv`;
}

// The half-written files beside a table. Every writer has its own, so that two processes can never mix their rows: the
// last to commit replaces a whole table by a whole table. The file of a killed process is found by its name, and the
// next writer of the same table removes it.

/** The token differs from that of an earlier process with the same id: in a container the id is 1 every time. */
const PROCESS_TOKEN = randomBytes(3).toString('hex');

/** A new path beside the target: `.<name>.<process id>-<process token>-<random>.partial`. */
export function partialPath(target: string): string {
  const unique = `${process.pid}-${PROCESS_TOKEN}-${randomBytes(3).toString('hex')}`;
  return join(dirname(target), `.${basename(target)}.${unique}.partial`);
}

/**
 * Removes the partial files of this target whose process has ended. A fixed name would need no search, but then one
 * process could publish a file that another is still writing; here the worst effect of a wrong guess (two containers
 * that share a folder but not their process ids) is that the other's commit fails with a message. A leftover that
 * cannot be removed does no harm.
 */
export async function removeLeftovers(target: string): Promise<void> {
  const folder = dirname(target);
  const names = await readdir(folder);
  const leftovers = names.filter((name) => isLeftover(name, basename(target)));
  await Promise.allSettled(leftovers.map((name) => rm(join(folder, name), { force: true })));
}

function isLeftover(name: string, base: string): boolean {
  if (!name.startsWith(`.${base}.`)) return false;
  const match = /^(\d+)-([0-9a-f]+)-[0-9a-f]+\.partial$/.exec(name.slice(base.length + 2));
  if (match === null) return false;
  const [, id, token] = match;
  return Number(id) === process.pid ? token !== PROCESS_TOKEN : !isRunning(Number(id));
}
function isRunning(processId: number): boolean {
  try {
    // Signal 0 only asks whether the process exists.
    process.kill(processId, 0);
    return true;
  } catch (cause) {
    return errnoOf(cause) === 'EPERM';
  }
}
