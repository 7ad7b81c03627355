// From the patterns a user wrote to the sources that will be read, in their order.
import { resolve } from 'node:path';
import { SluiceError } from '../../model/errors.js';
import { isPattern, matchesOf } from './pattern.js';
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
  const found: string[] = [];
  for (const pattern of patterns) found.push(...(await pathsFor(pattern)));
  return eachOnce(found);
}

/** Each file once, at its first place. */
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
    { pattern },
  );
}
