// The runs of one command over a drop folder: what was cut off, then what is new.
import { existsSync } from 'node:fs';
import { SluiceError } from '../domain/errors.js';
import { hasPlaceholder } from '../domain/output-name.js';
import type { Store } from '../domain/ports/store.js';
import { digestHex } from '../identity/digest.js';
import { wouldMatch } from '../input/would-match.js';
import { rejectsPath } from '../output/rejects-path.js';
import { askingTerms, termsDigest } from './asking-terms.js';
import { checkTable } from './check-table.js';
import type { RunReport } from './conclude-run.js';
import {
  type DropPortion,
  dropPortions,
  isForEach,
  type Portion,
  readNothing,
} from './drop-portions.js';
import { nameTable } from './name-table.js';
import { accountText } from './open-platform.js';
import { readPending } from './read-gauges.js';
import { readInput } from './read-input.js';
import { type RunTask, runOnce } from './run-once.js';

/** @throws SluiceError as `runOnce`; what is wrong with one file, once those that have runs of their own are done */
export async function runFolder(task: RunTask, store: Store): Promise<readonly RunReport[]> {
  const { again, dialect, environment, measuring, observe, settings } = task;
  const account = digestHex(accountText(settings, environment));
  const terms = termsDigest(settings, askingTerms(settings, dialect, account), true);
  const warn = (message: string): void =>
    observe({ kind: 'run.warned', warning: 'file_left_out', message });
  const portions = dropPortions(settings, { store, terms, again, warn });
  const reports: RunReport[] = [];
  let broken: unknown;
  for (;;) {
    const next = await portions.next();
    if (next.done === true) {
      if (broken !== undefined) throw broken;
      if (reports.length === 0) {
        observe({ kind: 'folder.unchanged', files: next.value });
        await measuring.lookLast(() => readPending(store));
      }
      return reports;
    }
    try {
      const report = await runOnce(task, store, await openPortion(task, store, next.value));
      reports.push(report);
      // Until it is finished, nothing may take its place.
      if (!report.isFinished) return reports;
    } catch (error) {
      if (!isOfFile(error) || !isForEach(settings.out)) throw error;
      broken ??= error;
    }
  }
}

/** What is wrong with one file holds up no other one that has a run of its own. */
function isOfFile(error: unknown): boolean {
  return error instanceof SluiceError && (error.code === 'input' || 'tableOf' in error.facts);
}

async function openPortion(
  task: RunTask,
  store: Store,
  { files, open }: DropPortion,
): Promise<Portion> {
  const { clock, out, settings } = task;
  if (open !== null) {
    // Its leads may be all in: then it needs no file any more.
    const isRead = open.state === 'working';
    const reader = isRead
      ? readNothing(open.sources)
      : await readInput(settings, task.standardInput, files);
    // A run over several files goes on as one, also where the job wants a table for each by now.
    const { output } = open;
    return { reader, files, ...(files.length > 1 && isForEach(out) ? { output } : {}) };
  }
  const reader = await readInput(settings, task.standardInput, files);
  const { sources } = reader;
  const name = nameTable(out, { startedAt: clock.now(), sources, id: 0 });
  await checkTable(settings, name, sources);
  await keepOutOfFolder(settings.input, name);
  if (!task.again && !hasPlaceholder(out, 'run')) {
    await keepTable(store, settings.job, name);
  }
  return { reader, files };
}

/** What a run has written must not be what the next one asks for. */
async function keepOutOfFolder(patterns: readonly string[], out: string): Promise<void> {
  if (out === '-') return;
  for (const path of [out, rejectsPath(out) ?? out]) {
    if (!(await wouldMatch(patterns, path))) continue;
    throw new SluiceError(
      'usage',
      `${path} would match the input pattern, and be read as leads by the next run. Name a table in another folder with --out, or a pattern that does not match it.`,
      { out },
    );
  }
}

/** The files of an earlier run are not read again: a table without them must not take the place of theirs. */
async function keepTable(store: Store, job: string, out: string): Promise<void> {
  if (!existsSync(out)) return;
  const owner = await store.runOfTable(job, (at) => at === out, null);
  if (owner === null) return;
  const { run } = owner;
  throw new SluiceError(
    'usage',
    `${out} is the table of run ${run}, whose files are done and would not be in the new one. Move it away, put {date}, {input} or {run} into the name of the table, or do all files once more with --again.`,
    { out, tableOf: run },
  );
}
