// Reads the files of a job's drop folder. Files that are done, and look as they did when they were read, are not read
// again.
import {
  type DropFolder,
  type KnownFile,
  lookIntoFolder,
} from '../../input/sources/drop-folder.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store/store.js';
import type { JobSettings } from '../settings/job-settings.js';

export interface DropLook {
  readonly store: Store;
  readonly clock: Clock;
  /** The digest of the terms; a file that was done under other terms is new. */
  readonly termsDigest: string;
  /** Whether to read every file. */
  readonly verify: boolean;
}

type Drop = Pick<JobSettings, 'input' | 'job'>;

/**
 * A file that is not done is always read: its look never decides that.
 * @throws SluiceError `input` if the folder or a file cannot be read
 */
export async function lookIntoDrop(
  { input, job }: Drop,
  { store, termsDigest, verify }: DropLook,
): Promise<DropFolder & { readonly earlier: readonly KnownFile[] }> {
  const earlier = await store.hashedFiles(job, termsDigest);
  const trusted = verify ? [] : earlier.filter(({ isDone }) => isDone);
  const found = await lookIntoFolder(input, trusted);
  return { ...found, earlier };
}

/** As `lookIntoDrop`, and notes the present looks of the files, and those that are gone. */
export async function lookAndNote(drop: Drop, options: DropLook): Promise<DropFolder> {
  const { earlier, ...found } = await lookIntoDrop(drop, options);
  const before = new Map(earlier.map((file) => [file.path, file]));
  const changed = found.known.filter(({ path, look, digest }) => {
    const file = before.get(path);
    return file?.look !== look || file.digest !== digest;
  });
  const now = new Set(found.known.map(({ path }) => path));
  const gone = earlier.map(({ path }) => path).filter((path) => !now.has(path));
  if (changed.length + gone.length > 0) {
    const { store, clock } = options;
    await store.noteHashed(drop.job, changed, gone, clock.now());
  }
  return found;
}
