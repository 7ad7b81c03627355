import { wouldMatch } from '../../input/sources/pattern.js';
import { SluiceError, wrongUse } from '../../model/errors.js';
import { filesAtEnd, type TableNames } from '../../model/run.js';
import { hasPlaceholder } from '../../model/text/placeholders.js';
import type { Store } from '../../ports/store/store.js';
import { checkPlace, writesOf } from '../files/check-table.js';
import type { DoneAdvice } from '../files/check-writes.js';
import { nameTables } from '../files/name-table.js';
import {
  type DropPortion,
  dropPortions,
  isForEach,
  LeftOut,
  type Portion,
  readNothing,
} from '../plan/drop-portions.js';
import { readInput } from '../plan/read-input.js';
import type { JobSettings } from '../settings/job-settings.js';
import { termsOfRuns } from './asking-terms.js';
import { digestOf } from './begin/begin-run.js';
import { continuedNames } from './begin/open-run.js';
import { runOnce } from './run-once.js';
import { dialectsOf, type RunReport, type RunTask } from './run-options.js';

/**
 * @throws SluiceError as `runOnce`; an error about one file comes only once the files with runs of their own are done
 */
export async function runFolder(task: RunTask, store: Store): Promise<readonly RunReport[]> {
  const left = new LeftOut(task.observe);
  refuseShared(task.tables);
  const reports = await runPortions(task, store, left).catch((stop: unknown) => {
    throw left.addTo(stop);
  });
  left.throwFirst();
  return reports;
}

/** Refuses one table for all files if each file has a table of its own, because each run would replace it. */
function refuseShared({ out, further = {}, ...others }: TableNames): void {
  const ofRuns = Object.values(filesAtEnd(others)).filter(
    (name) => name !== undefined && !hasPlaceholder(name, 'run'),
  );
  const shared = [...Object.values(further), ...ofRuns].find((name) => !isForEach(name));
  if (!isForEach(out) || shared === undefined) return;
  throw wrongUse(
    `${out} is a table for each file, and ${shared} would be one for all: the last file would replace the others. Put {input} into its name as well.`,
  );
}

async function portionsFor(task: RunTask, store: Store, left: LeftOut) {
  const { again, clock, settings, verify } = task;
  const digest = digestOf(task, await termsOfRuns(task, store), true);
  const wish = { store, clock, termsDigest: digest, again, verify: verify || again, left };
  return dropPortions(settings, wish);
}

/** @throws SluiceError as `runFolder` */
export async function nextPortion(task: RunTask, store: Store): Promise<Portion | undefined> {
  refuseShared(task.tables);
  const left = new LeftOut(task.observe);
  const next = await (await portionsFor(task, store, left)).next();
  if (next.done !== true) return openPortion(task, store, next.value);
  left.throwFirst();
  task.observe({ kind: 'folder.unchanged', ...next.value });
  return undefined;
}

async function runPortions(task: RunTask, store: Store, left: LeftOut): Promise<RunReport[]> {
  const { lookLast, observe, settings } = task;
  const portions = await portionsFor(task, store, left);
  const reports: RunReport[] = [];
  for (;;) {
    const next = await portions.next();
    // A command that is to stop begins no other run.
    if (task.drain.aborted) return reports;
    if (next.done === true) {
      if (reports.length === 0 && left.isEmpty) {
        observe({ kind: 'folder.unchanged', ...next.value });
        await lookLast?.(async () => ({ pending: await store.countPending() }));
      }
      return reports;
    }
    try {
      const report = await runOnce(task, store, await openPortion(task, store, next.value));
      reports.push(report);
      // No other run may replace it before it is finished.
      if (!report.isFinished) return reports;
    } catch (error) {
      if (!isForEach(settings.out) || !isOfFile(error, next.value)) throw error;
      left.add(error);
    }
  }
}

/** Whether the error is about one file: then the other files, with runs of their own, are still done. */
function isOfFile(error: unknown, { open }: DropPortion): error is SluiceError {
  if (!(error instanceof SluiceError)) return false;
  // If an open run has read all its leads and waits for its table, a new run would replace it.
  const isLeftOut = 'tableOf' in error.facts || 'paidAnew' in error.facts;
  return error.code === 'input' || (open === null && isLeftOut);
}

async function openPortion(task: RunTask, store: Store, portion: DropPortion): Promise<Portion> {
  const { clock, settings, standardInput, tables } = task;
  const { files, open } = portion;
  // An open run that has read all its leads needs no file.
  const reader =
    open?.state === 'working'
      ? readNothing(open.sources)
      : await readInput(settings, { dialects: dialectsOf(task), standardInput, files, store });
  const { sources } = reader;
  // A run over several files continues as one run, even if the job now wants a table for each file.
  const output = files.length > 1 && isForEach(tables.out) ? open?.output : undefined;
  const named = { startedAt: clock.now(), sources, job: settings.job, id: 0 };
  const names =
    output ?? (open === null ? nameTables(tables, named) : continuedNames(open, tables));
  await checkPlace(settings, names, sources);
  await keepOutOfFolder(settings, names);
  const ifDone = adviceIfDone(task, portion);
  return { reader, files, ifDone, output };
}

/** Refuses tables in the folder: the tables of a run must not be input of the next run. */
async function keepOutOfFolder(settings: JobSettings, names: TableNames): Promise<void> {
  for (const { path } of writesOf(settings, names)) {
    if (path === '-' || !(await wouldMatch(settings.input, path))) continue;
    throw wrongUse(
      `${path} would match the input pattern, and be read as leads by the next run. Name a table in another folder with --out, or a pattern that does not match it.`,
    );
  }
}

/** The advice if the table of other files is in the way. */
function adviceIfDone(
  { again, tables: { out } }: RunTask,
  { files, open }: DropPortion,
): DoneAdvice {
  const [only = ''] = files.map(({ path }) => path);
  const isNew = open === null && !isForEach(out);
  const names = isNew ? '{date}, {input} or {run}' : '{date} or {run}';
  const more =
    isNew && !again ? ', or, if they are all still there, run them all again with --again' : '';
  return {
    whose: files.length === 1 ? `the one of ${only}` : 'the new one',
    wayOut: `put ${names} into its name${more}`,
  };
}
