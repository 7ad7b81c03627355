// A drop folder: patterns whose files come and stay, and differ by their content.
import { readdir, stat } from 'node:fs/promises';
import { SluiceError } from '../../model/errors.js';
import { readText } from '../stream-decoder.js';
import { describeFileError, digestFile, fileBytes } from './file-bytes.js';
import { eachOnce, foldersOf, isPattern, matchesOf, noMatch, partsOf } from './pattern.js';
import { unpackBytes } from './unpack-bytes.js';

export interface DropFile {
  readonly path: string;
  /** SHA-256 of its bytes, in hex. */
  readonly digest: string;
}

export interface DropFolder {
  /** One of each content, the first by the order of the patterns and by name. */
  readonly files: readonly DropFile[];
  /** Files without a visible character: they may still be written, so they are left for later. */
  readonly empty: readonly string[];
}

/** Whether all of them are patterns; a list with a file or `-` in it is read whole each time. */
export async function isDropFolder(inputs: readonly string[]): Promise<boolean> {
  for (const input of inputs) if (!(await isPattern(input))) return false;
  return inputs.length > 0;
}

/**
 * Reads every file that matches, to know it by its content.
 * @throws SluiceError `input` for a folder that is missing, and a file that cannot be read
 */
export async function lookIntoFolder(patterns: readonly string[]): Promise<DropFolder> {
  const files = new Map<string, DropFile>();
  const empty: string[] = [];
  for (const path of await pathsIn(patterns)) {
    if (!(await isThere(path))) continue;
    if (await isBlank(path)) {
      empty.push(path);
      continue;
    }
    const digest = await digestFile(path);
    if (!files.has(digest)) files.set(digest, { path, digest });
  }
  return { files: [...files.values()], empty };
}

/** The same file as it was, at its old path or by another name among `found`; undefined where it is gone or changed. */
export async function findAgain(
  { path, digest }: DropFile,
  found: readonly DropFile[],
): Promise<DropFile | undefined> {
  const isIt = await isThere(path).catch(() => false);
  if (isIt && (await digestFile(path)) === digest) return { path, digest };
  return found.find((file) => file.digest === digest);
}

/**
 * Whether nothing has come yet, for a job that has never run. A pattern that matches none of the files there is a
 * slip, which would stay unnoticed night after night.
 * @throws SluiceError `input` for such a slip
 */
export async function isStillEmpty(patterns: readonly string[]): Promise<boolean> {
  if ((await pathsIn(patterns)).length > 0) return false;
  for (const pattern of patterns) {
    for (const folder of await foldersOf(pattern)) {
      const entries = await readdir(folder, { withFileTypes: true });
      const isOther = entries.some((entry) => entry.isFile() && !entry.name.startsWith('.'));
      if (isOther) throw noMatch(pattern);
    }
  }
  return true;
}

async function pathsIn(patterns: readonly string[]): Promise<string[]> {
  const paths: string[] = [];
  for (const pattern of patterns) {
    const { folder, missing } = await partsOf(pattern);
    await readdir(missing ?? folder).catch((cause: unknown) => {
      throw noFolder(pattern, missing ?? folder, cause);
    });
    paths.push(...(await matchesOf(pattern)));
  }
  return eachOnce(paths);
}

/** False where the file was just taken away. */
async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw describeFileError(path, cause);
  }
}

/** Reads no further than to the first character that can be seen. */
async function isBlank(path: string): Promise<boolean> {
  try {
    for await (const { text } of readText(unpackBytes(path, fileBytes(path)))) {
      if (text.trim() !== '') return false;
    }
    return true;
  } catch (error) {
    // The reader says what is wrong with its content.
    if (error instanceof SluiceError) return false;
    throw error;
  }
}

function noFolder(pattern: string, folder: string, cause: unknown): SluiceError {
  return new SluiceError(
    'input',
    `The folder ${folder} of the input pattern ${pattern} cannot be read; create it, or check the folder you start from.`,
    { pattern, path: folder },
    { cause },
  );
}
