// Whether a pattern would match a file that is not there yet: a table in the drop folder would be read as leads.
import { type Dirent, readdir, realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { matchesOf } from './pattern.js';

type Listed = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void;

/** Of a folder that is not there, or no longer, nothing matches. */
export async function wouldMatch(patterns: readonly string[], path: string): Promise<boolean> {
  const folder = realPathOf(dirname(path));
  if (folder === undefined) return false;
  const name = basename(path);
  let isMatched = false;
  for (const pattern of patterns) {
    // The pattern is tried by the one that reads it, on a folder in which the file stands besides.
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

/** Undefined where it cannot be told: others may remove a folder while it is read. */
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
