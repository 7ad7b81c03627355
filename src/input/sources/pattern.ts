import { type Dirent, readdir, realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type GlobOptions, glob, isDynamicPattern } from 'tinyglobby';
import { SluiceError } from '../../model/errors.js';
import { STANDARD_INPUT } from './source-name.js';

/** `(1)`: it offers no choice, so it is not part of a pattern. Downloads have such names. */
const ROUND = /(?<![!@+?*\\])\(([^()|]*)\)/g;
/** `[1]` and `[final]`: alone they make no pattern, as `[0-9]`, `@(a|b)` and `*` do. */
const SQUARE = /\[[^\]!^-]*\]/g;

/** A spreadsheet program that has `leads.xlsx` open keeps `~$leads.xlsx` beside it, which holds no leads. */
const LOCK = '~$';

export interface PatternParts {
  /** The part that names a folder to the letter, from where the command was started. */
  readonly folder: string;
  /** The rest after it; its first part does not exist if that is not a pattern and not the last part either. */
  readonly rest: string;
  readonly missing?: string;
}

/** Whether it is a pattern: not `-`, and not a file whose name only reads like one. */
export async function isPattern(text: string): Promise<boolean> {
  return text !== STANDARD_INPUT && readsLikePattern(text) && !(await isThere(text));
}

/** The files that a pattern matches, sorted by name; hidden ones, and locks of open workbooks, are not among them. */
export async function matchesOf(
  pattern: string,
  fs?: NonNullable<GlobOptions['fs']>,
): Promise<string[]> {
  const { folder, rest } = await partsOf(pattern);
  const paths = await glob([rest.replace(ROUND, '\\($1\\)')], {
    cwd: folder,
    expandDirectories: false,
    onlyFiles: true,
    ...(fs === undefined ? {} : { fs }),
  });
  const files = paths.filter((path) => !basename(path).startsWith(LOCK));
  return files.map((path) => beside(folder, path)).sort();
}

export async function foldersOf(pattern: string): Promise<string[]> {
  const { folder, rest } = await partsOf(pattern);
  const end = rest.lastIndexOf('/');
  if (end === -1) return [folder];
  const options = { cwd: folder, expandDirectories: false, onlyDirectories: true };
  const paths = await glob([rest.slice(0, end)], options);
  return paths.map((path) => join(folder, path)).sort();
}

/**
 * Splits a pattern. An existing folder is taken to the letter, whatever its name; so is a part that does not read like
 * a pattern.
 */
export async function partsOf(pattern: string): Promise<PatternParts> {
  const parts = pattern.split('/');
  let folder = pattern.startsWith('/') ? '/' : '.';
  for (const [i, part] of parts.slice(0, -1).entries()) {
    const names = [part, part.replace(/\\(.)/g, '$1')].map((name) => join(folder, name));
    const there = await firstThere(names);
    if (there === undefined) {
      const rest = parts.slice(i).join('/');
      // A brace may close after a slash.
      const isOpen = part.includes('{') || readsLikePattern(part);
      return isOpen ? { folder, rest } : { folder, rest, missing: names[1] ?? part };
    }
    folder = there;
  }
  return { folder, rest: parts.at(-1) ?? '' };
}

function readsLikePattern(text: string): boolean {
  return isDynamicPattern(text.replace(ROUND, '').replace(SQUARE, ''));
}

/** A path in a folder; a file called `-` is not standard input. */
function beside(folder: string, path: string): string {
  const joined = join(folder, path);
  return joined === STANDARD_INPUT ? `./${joined}` : joined;
}

async function firstThere(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await isThere(path)) return path;
  return undefined;
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/**
 * The sources that patterns name, in their order: paths, or `-`. An existing path is taken to the letter even if it
 * reads like a pattern; the matches of a pattern are sorted by name; a file named twice is read once, at its first
 * place.
 * @throws SluiceError `input` for a pattern without matches, for no pattern, and for a second `-`
 */
export async function findSources(patterns: readonly string[]): Promise<string[]> {
  if (patterns.length === 0) {
    throw new SluiceError('input', 'No input is named; give a file, a pattern, or - .');
  }
  if (patterns.filter((pattern) => pattern === STANDARD_INPUT).length > 1) {
    throw new SluiceError('input', 'Standard input (-) is named twice; it can be read only once.');
  }
  const found: string[] = [];
  for (const pattern of patterns) found.push(...(await pathsFor(pattern)));
  return eachOnce(found);
}

export function eachOnce(paths: readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const path of paths) {
    const identity = path === STANDARD_INPUT ? path : resolve(path);
    if (!found.has(identity)) found.set(identity, path);
  }
  return [...found.values()];
}

async function pathsFor(pattern: string): Promise<readonly string[]> {
  if (!(await isPattern(pattern))) return [pattern];
  const paths = await matchesOf(pattern);
  if (paths.length === 0) throw noMatch(pattern);
  return paths;
}

export function noMatch(pattern: string): SluiceError {
  return new SluiceError(
    'input',
    `No file matches the input pattern ${pattern}; check it, and the folder you start from.`,
  );
}

type Listed = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void;

/**
 * Whether a pattern would match a file that does not exist yet: a table in the drop folder would be read as leads. In a
 * missing folder nothing matches.
 */
export async function wouldMatch(patterns: readonly string[], path: string): Promise<boolean> {
  const folder = realPathOf(dirname(path));
  if (folder === undefined) return false;
  const name = basename(path);
  let isMatched = false;
  for (const pattern of patterns) {
    // The usual library tries the pattern, on a listing that has the file as well.
    const readdirWithIt = (at: string, options: { withFileTypes: true }, done: Listed): void =>
      readdir(at, options, (error, entries) => {
        const isHere = error === null && realPathOf(at) === folder;
        done(error, isHere ? [...without(entries, name), fileCalled(name)] : entries);
      });
    const paths = await matchesOf(pattern, { readdir: readdirWithIt as typeof readdir });
    isMatched ||= paths.some(
      (found) => basename(found) === name && realPathOf(dirname(found)) === folder,
    );
  }
  return isMatched;
}

/** The real path; undefined if the folder is gone: another program may remove it while it is read. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function without(entries: readonly Dirent[], name: string): Dirent[] {
  return entries.filter((entry) => entry.name !== name);
}

const no = (): boolean => false;

function fileCalled(name: string): Dirent {
  const kinds = { isDirectory: no, isSymbolicLink: no, isFIFO: no, isSocket: no };
  return { name, isFile: () => true, isBlockDevice: no, isCharacterDevice: no, ...kinds } as Dirent;
}
