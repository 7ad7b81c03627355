// Puts a job into the queue. Its leads are read into the store here, on the machine with the input; a worker does the
// rest, on any machine. Nothing is sent here.
import { isDeepStrictEqual } from 'node:util';
import { isDropFolder } from '../../input/sources/drop-folder.js';
import { SluiceError, wrongUse } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import type { Store } from '../../ports/store/store.js';
import { ingest } from '../../run/ingest.js';
import { openStore } from '../../store/open-store.js';
import { refuseUndelivered } from '../listen/open-callbacks.js';
import type { Portion } from '../plan/drop-portions.js';
import { accountOf, checkPayer } from '../platform/account.js';
import { beginRun } from '../run/begin/begin-run.js';
import { noteEnd } from '../run/end/note-left.js';
import { nextPortion } from '../run/run-folder.js';
import { openInput, prepareTask } from '../run/run-job.js';
import {
  type RunOptions,
  type RunTask,
  type SettledOptions,
  settleRunOptions,
} from '../run/run-options.js';
import { checkSteps, namesAlone, type Step } from '../run/waterfall/steps.js';
import { toHeld } from '../run/waterfall/work-steps.js';
import type { JobSettings } from '../settings/job-settings.js';
import { checkKeep } from '../state/keep-state.js';
import { whileJobLocked } from '../state/lock-job.js';
import { reportNewState, watchDatabase } from '../state/state-file.js';
import { withDispatcher } from './open-dispatcher.js';
import { type NamedStep, writeTask } from './task.js';

/** The time by which a run begins that no user asks for: it is due, and is dealt with once the leads are in. */
export interface DueTime {
  isDue(): Promise<boolean>;
  pass(): Promise<void>;
}

/**
 * Begins the job's next run, or continues its open one, until all leads are in. With a `time` only while that is due.
 * @returns the run, which is still `reading` if it was told to stop; null if a folder has nothing new, or nothing is
 * due
 * @throws SluiceError as `runJob`
 */
export async function readJob(
  settings: JobSettings,
  wishes: RunOptions,
  store: Store,
  time?: DueTime,
): Promise<Run | null> {
  refuseNoFile(settings);
  const options = settleRunOptions(settings, wishes);
  const { clock, observe } = options;
  const task = await prepareQueued(settings, options);
  if (task.waterfall === undefined) checkPlatform(task);
  else await checkSteps(task.waterfall.steps, checkPlatform);
  const { job, state } = settings;
  return whileJobLocked({ store, job, state, clock, observe }, async (store) => {
    // Asked while no other worker can begin it by the same time.
    if (time !== undefined && !(await time.isDue())) return null;
    await reportNewState(store, state, observe);
    await checkKeep(settings, store);
    const portion = (await isDropFolder(settings.input))
      ? await nextPortion(task, store)
      : { reader: await openInput(task, store) };
    const read =
      portion === undefined ? null : (portion.goesOn ?? (await readPortion(task, store, portion)));
    if (read?.state === 'working') await store.noteTask(read.id, await keptTask(task, store));
    if (read?.state !== 'reading') await time?.pass();
    return read;
  });
}

/** Checks a platform as far as no password is needed: the worker has that. */
function checkPlatform(one: RunTask | Step): void {
  checkPayer(one);
  refuseUndelivered(one.settings, one.dialect);
}

/** Reads the leads into the store. Returns the run, which is still `reading` if it was told to stop. */
async function readPortion(task: RunTask, store: Store, portion: Portion): Promise<Run> {
  const { clock, drain, waterfall } = task;
  const { context, reader } = await beginRun(task, store, portion, clock.now());
  const { run } = context;
  if (run.state !== 'reading') return run;
  try {
    await ingest(context, reader, false, waterfall && toHeld);
  } catch (error) {
    await noteEnd(store, run.id, { clock, error }).catch(() => undefined);
    throw error;
  }
  return drain.aborted ? noteEnd(store, run.id, { clock }) : ((await store.findRun(run.id)) ?? run);
}

/** The job for a worker. Nothing is sent here: of its accounts the names suffice. */
function prepareQueued(settings: JobSettings, options: SettledOptions): Promise<RunTask> {
  return prepareTask(settings, {
    ...options,
    environmentOf: namesAlone(),
    isElsewhere: true,
  });
}

async function keptTask(task: RunTask, store: Store): Promise<string> {
  const steps: NamedStep[] = [];
  for (const step of task.waterfall?.steps ?? []) {
    const { dialect, name } = step;
    steps.push({ name, dialect, account: await accountOf(step, store) });
  }
  return writeTask(task, steps);
}

/** @throws SluiceError `usage` if the table is to go to standard output */
function refuseNoFile({ out }: JobSettings): void {
  if (out !== '-') return;
  throw wrongUse(
    'A worker has no standard output to write the table to: give the job a file with out:, or run it with "sluice run".',
  );
}

/**
 * @returns `run`: null if a folder has nothing new; one that is `reading` was stopped, and is not in the queue;
 * `hasNewBudget`: whether a process works on it, and has its new budget
 * @throws SluiceError as `runJob`
 */
export async function enqueueJob(settings: JobSettings, wishes: RunOptions) {
  refuseNoFile(settings);
  const options = settleRunOptions(settings, wishes);
  const { clock, environment, observe } = options;
  // The queue is opened before anything is read, because the leads that are read must come into a queue.
  return withDispatcher(settings.state, environment, async (dispatcher) => {
    const store = await openStore(settings.state, { onTrouble: watchDatabase(observe, clock) });
    try {
      const run = await readJob(settings, wishes, store);
      if (run?.state === 'working') {
        await dispatcher.enqueue({ job: settings.job, isFromFile: false }, { wakes: true });
      }
      return { run, hasNewBudget: false };
    } catch (error) {
      if (!(error instanceof SluiceError) || error.code !== 'busy') throw error;
      const run = await changeBudget(store, await prepareQueued(settings, options), error);
      if (run === null) throw error;
      return { run, hasNewBudget: true };
    } finally {
      await store.close();
    }
  });
}

/**
 * Changes the budget of a run on which a process works. That process has the job's lock; only a budget can be changed
 * without the lock, and takes effect in seconds. Every other change waits until no process works on the job.
 * @returns null if the job has no run that workers go on with, or its budget has not changed.
 * @throws SluiceError `busy`, which is `busy` with the advice, if the job differs in more than its budget
 */
async function changeBudget(store: Store, wished: RunTask, busy: SluiceError): Promise<Run | null> {
  const { openRun: run, task: kept } = await store.jobNow(wished.settings.job);
  const { budget } = wished.settings;
  if (run === null || kept === null || run.budget === budget) return null;
  const task = await keptTask(wished, store);
  if (!isDeepStrictEqual(withoutBudget(task), withoutBudget(kept.task))) {
    throw busy.amended('Until then a new budget is taken up, where nothing else is changed.');
  }
  await store.noteTask(run.id, task);
  await store.changeRun(run.id, { output: run.output, budget });
  return { ...run, budget };
}

function withoutBudget(task: string): unknown {
  const { job, ...others } = JSON.parse(task) as { readonly job: { readonly budget?: unknown } };
  const { budget: _budget, ...rest } = job;
  return { ...others, job: rest };
}
