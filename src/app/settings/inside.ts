// Whether a path that a stranger may have named stays in a folder.
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';

const SEPARATORS = sep === '/' ? '/' : /[/\\]/;

/** By its words. */
export function isOutside(path: string, folder: string): boolean {
  return path.startsWith('~') || !isInside(resolve(path), folder);
}

/** By its words, or by a link in the folder; the path may lead to a file that is not there yet. */
export function leadsOut(path: string, folder: string): boolean {
  const [real, realFolder] = [realOf(path), realOf(folder)];
  if (real === undefined || realFolder === undefined) return true;
  return isOutside(path, folder) || !isInside(real, realFolder);
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * The path at which the system would find or make it: each link is followed before the parts behind it, so that
 * `link/..` is the folder that holds the link's target. Undefined if a link leads to nothing, or the path cannot be
 * followed.
 */
function realOf(path: string): string | undefined {
  let at = isAbsolute(path) ? parse(path).root : process.cwd();
  const parts = path.slice(isAbsolute(path) ? at.length : 0).split(SEPARATORS);
  for (const part of parts) {
    if (part === '' || part === '.') continue;
    at = part === '..' ? dirname(at) : join(at, part);
    try {
      if (lstatSync(at, { throwIfNoEntry: false }) !== undefined) at = realpathSync(at);
    } catch {
      return undefined;
    }
  }
  return at;
}
