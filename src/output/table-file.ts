// A file that takes the place of another in one step: until commit the old table is there, afterwards the new one, and
// at no moment, not even after a power cut, half of one.
import type { Stats } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { outputProblem } from './output-problem.js';
import { endingOf, type TableSink } from './table-format.js';
import { findTarget, partialPath, removeLeftovers, type TargetFile } from './target-file.js';

const pack = promisify(gzip);

export interface ReadyFile {
  /** The path, absolute and real. */
  readonly path: string;
  /** Its own look, and that of the file whose place it takes. */
  readonly looks: readonly { readonly size: number; readonly modifiedAt: number }[];
}

/**
 * Opens the file. `onReady` is waited for before it takes its place. With `isPrivate` a new file is its owner's alone.
 * @throws SluiceError `usage` if no table can stand there (see `findTarget`)
 * @throws SluiceError `output` here and from every method, when a system call fails
 */
export async function openTableFile(
  path: string,
  onReady: (file: ReadyFile) => Promise<void> = () => Promise.resolve(),
  isPrivate = false,
): Promise<TableSink> {
  const { isPacked } = endingOf(path);
  const target = await findTarget(path);
  const { handle, partial, mode } = await orProblem(path, () => openPartial(target, isPrivate));
  let isOpen = true;
  let failure: unknown;

  return {
    async write(piece) {
      try {
        // Each piece is a gzip member of its own, which RFC 1952 (section 2.2) allows and every reader follows.
        await handle.appendFile(isPacked ? await pack(piece) : piece, 'utf8');
      } catch (cause) {
        failure = outputProblem(path, cause);
        throw failure;
      }
    },
    async commit() {
      if (!isOpen) return;
      // Part of a batch may have been written: never publish a table that ends in the middle.
      if (failure !== undefined) throw failure;
      const looks = await orProblem(path, async () => {
        await handle.chmod(mode);
        await handle.sync();
        const former = target.mode === undefined ? [] : [await stat(target.path)];
        return [await handle.stat(), ...former].map(lookOf);
      });
      await onReady({ path: target.path, looks });
      await orProblem(path, async () => {
        await handle.close();
        await rename(partial, target.path);
        await syncFolder(dirname(target.path));
      });
      isOpen = false;
    },
    async discard() {
      if (!isOpen) return;
      isOpen = false;
      await orProblem(path, async () => {
        await handle.close();
        await rm(partial, { force: true });
      });
    },
  };
}

export function lookOf({ mtimeMs, size }: Stats): ReadyFile['looks'][number] {
  return { size, modifiedAt: Math.round(mtimeMs) };
}

interface PartialFile {
  readonly handle: FileHandle;
  readonly partial: string;
  readonly mode: number;
}

/**
 * Opens the half-written file, which is the user's alone. The finished table has the permissions of the file that it
 * replaces, else those that the umask gives a new file; only creating a file shows these without changing them for the
 * whole process.
 */
async function openPartial(target: TargetFile, isPrivate: boolean): Promise<PartialFile> {
  await removeLeftovers(target.path);
  const partial = partialPath(target.path);
  const handle = await open(partial, 'wx', target.mode === undefined && !isPrivate ? 0o666 : 0o600);
  const mode = target.mode ?? (await handle.stat()).mode & 0o777;
  await handle.chmod(0o600);
  return { handle, partial, mode };
}

/** Makes the rename durable. Windows cannot open a folder, and needs no sync of it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function orProblem<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    throw outputProblem(path, cause);
  }
}
