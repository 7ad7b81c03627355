// Which files of a drop folder are done in which run: first those of a run that was cut off, and no others;
// then the new ones, in one run, or in one each where the table's name says so.
import { SluiceError } from '../domain/errors.js';
import { hasPlaceholder } from '../domain/output-name.js';
import type { LeadReader } from '../domain/ports/lead-reader.js';
import type { Store } from '../domain/ports/store.js';
import type { OutputPlan, Run } from '../domain/run.js';
import { type DropFile, findAgain, isStillEmpty, lookIntoFolder } from '../input/drop-folder.js';
import type { JobSettings } from './job-settings.js';

/** What one run reads. */
export interface Portion {
  readonly reader: LeadReader;
  /** Those of a drop folder, in the order of the reader's sources; undefined for an input that is read whole. */
  readonly files?: readonly DropFile[];
  /** Where the table goes, where that was settled when the run began. */
  readonly output?: OutputPlan;
}

export interface DropWish {
  readonly store: Store;
  /** Digest of what is asked; a file that is done under other terms is new. */
  readonly terms: string;
  /** Do what is done once more; what this command itself has done is left out all the same. */
  readonly again: boolean;
  readonly warn: (message: string) => void;
}

export interface DropPortion {
  readonly files: readonly DropFile[];
  /** The run to continue with them, or null for a new one. */
  readonly open: Run | null;
}

/**
 * Each is to be run to its end before the next one is asked for. Yields nothing where all is done.
 * @returns the number of files that were there
 * @throws SluiceError `input` where the folder or a file cannot be read, or files of an open run are gone
 */
export async function* dropPortions(
  { input, job, out }: Pick<JobSettings, 'input' | 'job' | 'out'>,
  { store, terms, again, warn }: DropWish,
): AsyncGenerator<DropPortion, number> {
  const doneNow = new Set<string>();
  let lost: SluiceError | undefined;
  const open = await store.findOpenRun(job);
  if (open !== null && open.terms === terms) {
    const { files, gone } = await filesOf(open, input);
    if (gone === undefined) {
      yield { files, open };
      for (const { digest } of files) doneNow.add(digest);
    } else lost = fileIsGone(open, gone);
  }
  const { files, empty } = await lookIntoFolder(input);
  for (const path of empty) warn(`${path} is empty, and left for a later run.`);
  const fresh = again
    ? files.filter(({ digest }) => !doneNow.has(digest))
    : await notDone(files, job, terms, store);
  if (lost !== undefined) {
    if (fresh.length === 0) throw lost;
    warn(`${lost.message.replace(/\. .*/, '.')} A new run takes over.`);
  }
  if (files.length === 0 && !(await store.hasRun(job))) await isStillEmpty(input);
  for (const portion of portionsOf(fresh, out)) yield { files: portion, open: null };
  return files.length;
}

/** What is read by one run each; nothing of no files. */
export function portionsOf(
  files: readonly DropFile[],
  out: string | undefined,
): readonly (readonly DropFile[])[] {
  if (isForEach(out)) return files.map((file) => [file]);
  return files.length === 0 ? [] : [files];
}

/** The files that no run of the job with these terms has done. */
export async function notDone(
  files: readonly DropFile[],
  job: string,
  terms: string,
  store: Store,
): Promise<readonly DropFile[]> {
  const digests = files.map(({ digest }) => digest);
  const done = new Set(await store.doneFiles(job, terms, digests));
  return files.filter(({ digest }) => !done.has(digest));
}

/** A reader of nothing. */
export function readNothing(sources: readonly string[] = []): LeadReader {
  return { sources, signature: async () => null, batches: noBatches };
}

async function* noBatches(): AsyncGenerator<never> {}

/** Whether each file gets a run and a table of its own. */
export function isForEach(out: string | undefined): boolean {
  return out !== undefined && hasPlaceholder(out, 'input');
}

/** The files of an open run; where all its leads are in, wherever they are. `gone` is one that is not as it was. */
async function filesOf(
  run: Run,
  patterns: readonly string[],
): Promise<{ readonly files: DropFile[]; readonly gone?: string }> {
  const known = (run.digests ?? []).map((digest, i) => ({ digest, path: run.sources[i] ?? '' }));
  if (run.state !== 'reading') return { files: known };
  const there = await lookIntoFolder(patterns);
  const files: DropFile[] = [];
  for (const file of known) {
    const again = await findAgain(file, there.files);
    if (again === undefined) return { files, gone: file.path };
    files.push(again);
  }
  return { files };
}

function fileIsGone({ id }: Run, path: string): SluiceError {
  return new SluiceError(
    'input',
    `Run ${id} has not read its input to the end, and its file ${path} is gone or has changed. Put it back, or give the run up: sluice cancel ${id}.`,
    { run: id, path },
  );
}
