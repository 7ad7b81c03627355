// What a pattern is, where it begins to be one, and which files it matches.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type GlobOptions, glob, isDynamicPattern } from 'tinyglobby';
import { STANDARD_INPUT } from './source-name.js';

/** `(1)`: nothing to choose from, so no part of a pattern. Downloads are called so. */
const ROUND = /(?<![!@+?*\\])\(([^()|]*)\)/g;
/** `[1]` and `[final]`: alone they make no pattern, as `[0-9]`, `@(a|b)` and `*` do. */
const SQUARE = /\[[^\]!^-]*\]/g;

/** What a pattern is tried on. */
export interface PatternParts {
  /** As much of it as names a folder to the letter, read from where the command was started. */
  readonly folder: string;
  /** What is behind that; its first part is missing where it is no pattern and yet not the last one. */
  readonly rest: string;
  readonly missing?: string;
}

/** Whether it is a pattern: not `-`, and not a file whose name only reads like one. */
export async function isPattern(text: string): Promise<boolean> {
  return text !== STANDARD_INPUT && readsLikePattern(text) && !(await isThere(text));
}

/** The files that a pattern matches, sorted by name; hidden ones are not among them. */
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
  return paths.map((path) => beside(folder, path)).sort();
}

/** The folders in which it looks for its files, as far as they are there. */
export async function foldersOf(pattern: string): Promise<string[]> {
  const { folder, rest } = await partsOf(pattern);
  const end = rest.lastIndexOf('/');
  if (end === -1) return [folder];
  const options = { cwd: folder, expandDirectories: false, onlyDirectories: true };
  const paths = await glob([rest.slice(0, end)], options);
  return paths.map((path) => join(folder, path)).sort();
}

/** A folder that is there is taken to the letter, whatever it is called; so is what does not read like a pattern. */
export async function partsOf(pattern: string): Promise<PatternParts> {
  const parts = pattern.split('/');
  let folder = pattern.startsWith('/') ? '/' : '.';
  for (const [i, part] of parts.slice(0, -1).entries()) {
    const names = [part, part.replace(/\\(.)/g, '$1')].map((name) => join(folder, name));
    const there = await firstThere(names);
    if (there === undefined) {
      const rest = parts.slice(i).join('/');
      // A brace may close behind a slash.
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

/** A file called `-` is no standard input. */
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
