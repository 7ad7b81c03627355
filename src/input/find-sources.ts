// From the patterns a user wrote to the sources that will be read, in their order.
import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { SluiceError } from '../domain/errors.js';
import { STANDARD_INPUT } from './source-name.js';

/**
 * Paths, or `-`. A path that exists is taken to the letter even where it reads like a pattern; the
 * matches of a pattern are sorted by name; a file named twice is read once, at its first place.
 * @throws SluiceError `input` for a pattern without matches, for no pattern, and for a second `-`
 */
export async function findSources(patterns: readonly string[]): Promise<string[]> {
  if (patterns.length === 0) {
    throw new SluiceError('input', 'No input is named; give a file, a pattern, or - .');
  }
  if (patterns.filter((pattern) => pattern === STANDARD_INPUT).length > 1) {
    throw new SluiceError('input', 'Standard input (-) is named twice; it can be read only once.');
  }
  const found = new Map<string, string>();
  for (const pattern of patterns) {
    for (const path of await pathsFor(pattern)) {
      const identity = path === STANDARD_INPUT ? path : resolve(path);
      if (!found.has(identity)) found.set(identity, path);
    }
  }
  return [...found.values()];
}

/** Whether it is a pattern: not `-`, and not a file whose name only reads like one. */
export async function isPattern(text: string): Promise<boolean> {
  return text !== STANDARD_INPUT && isDynamicPattern(text) && !(await isThere(text));
}

/** The files that a pattern matches, sorted by name; hidden ones are not among them. */
export async function matchesOf(pattern: string): Promise<string[]> {
  const paths = await glob([pattern], {
    absolute: isAbsolute(pattern),
    expandDirectories: false,
    onlyFiles: true,
  });
  return paths.sort();
}

async function pathsFor(pattern: string): Promise<readonly string[]> {
  if (!(await isPattern(pattern))) return [pattern];
  const paths = await matchesOf(pattern);
  if (paths.length === 0) {
    throw new SluiceError(
      'input',
      `No file matches the input pattern ${pattern}; check it, and the folder you start from.`,
      { pattern },
    );
  }
  return paths;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
