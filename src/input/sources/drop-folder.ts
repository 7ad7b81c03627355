// A drop folder: patterns whose files come and stay, and are told apart by their content.
import type { BigIntStats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errnoOf, SluiceError } from '../../model/errors.js';
import { readText } from '../stream-decoder.js';
import { describeFileError, digestFile, fileBytes } from './file-bytes.js';
import { eachOnce, foldersOf, isPattern, matchesOf, noMatch, partsOf } from './pattern.js';
import { unpackBytes } from './unpack-bytes.js';

export interface DropFile {
  readonly path: string;
  /** The SHA-256 of its bytes, in hex. */
  readonly digest: string;
}

export interface DropFolder {
  /** One file of each content, the first by the order of the patterns and by name. */
  readonly files: readonly DropFile[];
  /** Files without a visible character: they may still be written, so they are left for later. */
  readonly empty: readonly string[];
  /** Every file that was not changed while it was read. */
  readonly known: readonly KnownFile[];
  readonly hashed: number;
}

export interface KnownFile extends DropFile {
  readonly path: string;
  readonly look: string;
}

/** Whether all inputs are patterns; a list with a file or `-` in it is read whole each time. */
export async function isDropFolder(inputs: readonly string[]): Promise<boolean> {
  for (const input of inputs) if (!(await isPattern(input))) return false;
  return inputs.length > 0;
}

/**
 * Reads every file that matches, to identify it by its content; one that is `trusted` only if its look has changed.
 * @throws SluiceError `input` for a missing folder, and a file that cannot be read
 */
export async function lookIntoFolder(
  patterns: readonly string[],
  trusted: readonly KnownFile[] = [],
): Promise<DropFolder> {
  const files = new Map<string, DropFile>();
  const empty: string[] = [];
  const known: KnownFile[] = [];
  let hashed = 0;
  const looks = new Map(trusted.map((file) => [file.path, file]));
  for (const path of await pathsIn(patterns)) {
    const file = await identify(path, looks);
    if (file === undefined) continue;
    if (file.isRead) hashed += 1;
    if (file.known !== undefined) known.push(file.known);
    const { digest } = file;
    if (digest === null) empty.push(path);
    else if (!files.has(digest)) files.set(digest, { path, digest });
  }
  return { files: [...files.values()], empty, known, hashed };
}

interface Identified {
  /** Null for a file without a visible character. */
  readonly digest: string | null;
  readonly isRead: boolean;
  readonly known?: KnownFile;
}

async function identify(
  path: string,
  trusted: ReadonlyMap<string, KnownFile>,
): Promise<Identified | undefined> {
  const before = await factsOf(path);
  if (before === undefined) return undefined;
  const place = resolve(path);
  const look = lookOf(before);
  const former = trusted.get(place);
  if (former?.look === look) return { digest: former.digest, isRead: false, known: former };
  if (await isBlank(path)) return { digest: null, isRead: true };
  const digest = await digestFile(path);
  const after = await factsOf(path);
  const isSame = after !== undefined && lookOf(after) === look;
  return isSame
    ? { digest, isRead: true, known: { path: place, look, digest } }
    : { digest, isRead: true };
}

/** A copy that keeps its time of change has another inode, and nothing but the clock sets `ctime`. */
function lookOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

/** The unchanged file, at its old path or under another name among `found`; undefined if it is gone or changed. */
export async function findAgain(
  { path, digest }: DropFile,
  found: readonly DropFile[],
): Promise<DropFile | undefined> {
  const facts = await factsOf(path).catch(() => undefined);
  if (facts !== undefined && (await digestFile(path)) === digest) return { path, digest };
  return found.find((file) => file.digest === digest);
}

/**
 * Whether no file has come yet, for a job that has never run. A pattern that matches none of the existing files is a
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

async function factsOf(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return undefined;
    throw describeFileError(path, cause);
  }
}

/** Whether a file has no visible character. It is read only up to the first one. */
async function isBlank(path: string): Promise<boolean> {
  try {
    for await (const { text } of readText(unpackBytes(path, fileBytes(path)))) {
      if (text.trim() !== '') return false;
    }
    return true;
  } catch (error) {
    // The reader reports the error in its content.
    if (error instanceof SluiceError) return false;
    throw error;
  }
}

function noFolder(pattern: string, folder: string, cause: unknown): SluiceError {
  return new SluiceError(
    'input',
    `The folder ${folder} of the input pattern ${pattern} cannot be read; create it, or check the folder you start from.`,
    {},
    { cause },
  );
}
