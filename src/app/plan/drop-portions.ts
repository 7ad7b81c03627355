// Divides the files of a drop folder among runs: first the files of a run that was interrupted, alone; then the new
// files, in one run, or in one run each if the table's name contains {input}.

import { resolve } from 'node:path';
import {
  type DropFile,
  type DropFolder,
  findAgain,
  isStillEmpty,
  type KnownFile,
  lookIntoFolder,
} from '../../input/sources/drop-folder.js';
import { SluiceError } from '../../model/errors.js';
import type { OutputPlan, Run } from '../../model/run.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import { formatCount } from '../../model/text/count.js';
import { hasPlaceholder } from '../../model/text/placeholders.js';
import type { Clock } from '../../ports/clock.js';
import type { LeadReader } from '../../ports/lead-reader.js';
import type { Store } from '../../ports/store/store.js';
import type { DoneAdvice } from '../files/check-writes.js';
import type { JobSettings } from '../settings/job-settings.js';

/** The input of one run. */
export interface Portion {
  readonly reader: LeadReader;
  /** The files of a drop folder, in the order of the reader's sources; undefined for any other input. */
  readonly files?: readonly DropFile[];
  /** The place of the table, if that was decided when the run began. */
  readonly output?: OutputPlan | undefined;
  /** An open run whose leads are all in, which goes on from the store alone. */
  readonly goesOn?: Run;
  readonly ifDone?: DoneAdvice;
}

interface DropLook {
  readonly store: Store;
  readonly clock: Clock;
  /** The digest of the terms; a file that was done under other terms is new. */
  readonly termsDigest: string;
  /** Whether to read every file. */
  readonly verify: boolean;
}

type Drop = Pick<JobSettings, 'input' | 'job' | 'out'>;

/**
 * A file that is not done is always read: its look never decides that.
 * @throws SluiceError `input` if the folder or a file cannot be read
 */
export async function lookIntoDrop(
  { input, job }: Drop,
  { store, termsDigest, verify }: DropLook,
): Promise<DropFolder & { readonly earlier: readonly KnownFile[] }> {
  const earlier = await store.hashedFiles(job);
  const isDone = await doneAmong(earlier, job, termsDigest, store);
  const trusted = verify ? [] : earlier.filter(isDone);
  const found = await lookIntoFolder(input, trusted);
  return { ...found, earlier };
}

/** As `lookIntoDrop`, and notes the present looks of the files, and those that are gone. */
async function lookAndNote(drop: Drop, options: DropLook): Promise<DropFolder> {
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

export interface DropWish extends DropLook {
  /** Whether to run finished files again, except those that this command itself has finished. */
  readonly again: boolean;
  readonly left: LeftOut;
}

export interface DropPortion {
  readonly files: readonly DropFile[];
  /** The run to continue with them, or null for a new one. */
  readonly open: Run | null;
}

export interface Looked {
  readonly files: number;
  readonly hashed: number;
}

/**
 * The caller runs each to its end before it asks for the next. Yields nothing if all files are done.
 * @returns how many files are in the folder, and how many of them were read for that
 * @throws SluiceError `input` if the folder or a file cannot be read
 */
export async function* dropPortions(
  drop: Drop,
  wish: DropWish,
): AsyncGenerator<DropPortion, Looked> {
  const { job } = drop;
  const { store, termsDigest, again, left } = wish;
  const doneNow = new Set<string>();
  const { openRun: found } = await store.jobNow(job);
  const open = found?.terms === termsDigest ? found : null;
  let missing: readonly string[] = [];
  if (open !== null) {
    const known = await filesOf(open, () => lookAndNote(drop, wish));
    ({ missing } = known);
    if (missing.length === 0) {
      yield { files: known.files, open };
      for (const { digest } of known.files) doneNow.add(digest);
    }
  }
  const { files, empty, hashed } = await lookAndNote(drop, wish);
  for (const path of empty) left.warn(`${path} is empty, and left for a later run.`);
  const fresh = again
    ? files.filter(({ digest }) => !doneNow.has(digest))
    : await notDone(files, job, termsDigest, store);
  if (open !== null) reportMissing(open, missing, fresh, left);
  if (files.length === 0) await refuseSlip(drop, store, left);
  for (const portion of portionsOf(fresh, drop.out)) yield { files: portion, open: null };
  return { files: files.length, hashed };
}

/** The files of each run; no run without files. */
export function portionsOf(
  files: readonly DropFile[],
  out: string | undefined,
): readonly (readonly DropFile[])[] {
  if (isForEach(out)) return files.map((file) => [file]);
  return files.length === 0 ? [] : [files];
}

/**
 * Refuses a pattern without matches if other files are there and no run was made: the pattern is wrong. Later the files
 * may have been moved.
 */
async function refuseSlip({ input, job }: Drop, store: Store, left: LeftOut): Promise<void> {
  try {
    await isStillEmpty(input);
  } catch (error) {
    if (!(error instanceof SluiceError) || !(await store.jobNow(job)).hasRun) throw error;
    left.warn(error.message);
  }
}

type WithDigest = Pick<DropFile, 'digest'>;

async function doneAmong(
  files: readonly WithDigest[],
  job: string,
  termsDigest: string,
  store: Store,
): Promise<(file: WithDigest) => boolean> {
  const digests = files.map(({ digest }) => digest);
  const done = new Set(await store.doneFiles(job, termsDigest, digests));
  return ({ digest }) => done.has(digest);
}

export async function notDone(
  files: readonly DropFile[],
  job: string,
  termsDigest: string,
  store: Store,
): Promise<readonly DropFile[]> {
  const isDone = await doneAmong(files, job, termsDigest, store);
  return files.filter((file) => !isDone(file));
}

export function readNothing(sources: readonly string[] = []): LeadReader {
  return { sources, signature: async () => null, batches: noBatches };
}

async function* noBatches(): AsyncGenerator<never> {}

/** Whether each file gets a run and a table of its own. */
export function isForEach(out: string | undefined): boolean {
  return out !== undefined && hasPlaceholder(out, 'input');
}

/** Those of an open run. Once all its leads are read, no file is looked at. */
async function filesOf(
  run: Run,
  look: () => Promise<DropFolder>,
): Promise<{ readonly files: readonly DropFile[]; readonly missing: readonly string[] }> {
  const known = (run.digests ?? []).map((digest, i) => ({ digest, path: run.sources[i] ?? '' }));
  if (run.state !== 'reading') return { files: known, missing: [] };
  const there = await look();
  const files: DropFile[] = [];
  const missing: string[] = [];
  for (const file of known) {
    const again = await findAgain(file, there.files);
    if (again === undefined) missing.push(file.path);
    else files.push(again);
  }
  return { files, missing };
}

function isAmong(path: string, files: readonly DropFile[]): boolean {
  return files.some((file) => resolve(file.path) === resolve(path));
}

/** A changed file is read again from its beginning. The leads of a file that is gone may have been paid for. */
function reportMissing(
  { id }: Run,
  missing: readonly string[],
  fresh: readonly DropFile[],
  left: LeftOut,
): void {
  const [first] = missing;
  if (first === undefined) return;
  const gone = missing.find((path) => !isAmong(path, fresh));
  const sentence = `Run ${id} has not read its input to the end, and its file ${gone ?? first} is gone or has changed.`;
  if (gone === undefined) {
    left.warn(`${sentence} A new run takes over.`);
    return;
  }
  const wayOut =
    fresh.length === 0
      ? `Put it back, or give the run up: sluice cancel ${id}.`
      : 'A new run takes over, without its leads: put it back, and the next run has them, with nothing paid twice.';
  left.add(new SluiceError('input', `${sentence} ${wayOut}`));
}

/**
 * The files of a drop folder that were left out: each is reported at once, and the command ends with the first error
 * when the other files are done.
 */
export class LeftOut {
  #first: SluiceError | undefined;
  #count = 0;

  constructor(private readonly observe: RunObserver) {}

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  warn(message: string): void {
    this.observe({ kind: 'run.warned', warning: 'file_left_out', message });
  }

  add(error: SluiceError): void {
    this.warn(error.logged);
    this.#first ??= error;
    this.#count += 1;
  }

  /** @throws the first error, unless no file was left out */
  throwFirst(): void {
    const more = this.#count - 1;
    if (this.#first === undefined) return;
    if (more === 0) throw this.#first;
    const files = formatCount(more, 'more file was', 'more files were');
    throw this.#first.amended(`${files} left out; without --quiet each is reported.`);
  }

  /** Adds the files left out so far to the error that ends the command early. */
  addTo(stop: unknown): unknown {
    if (!(stop instanceof SluiceError) || this.#first === undefined) return stop;
    const files = formatCount(this.#count, 'file was', 'files were');
    return stop.amended(`Before that ${files} left out: ${this.#first.logged}`);
  }
}
