// Makes the first half of a run for a worker: reads its leads into the store, on the machine with the input. It sends
// nothing.
import { isDropFolder } from '../../input/sources/drop-folder.js';
import { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import type { Store } from '../../ports/store/store.js';
import { ingest } from '../../run/ingest.js';
import { refuseUndelivered } from '../listen/open-callbacks.js';
import type { Portion } from '../plan/drop-portions.js';
import { accountOf, checkPayer } from '../platform/account.js';
import { termsOfRuns } from '../run/asking-terms.js';
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
import { openReading } from '../run/senders.js';
import { checkSteps, namesAlone, type Step } from '../run/waterfall/steps.js';
import { toHeld } from '../run/waterfall/work-steps.js';
import type { JobSettings } from '../settings/job-settings.js';
import { checkKeep } from '../state/keep-state.js';
import { whileJobLocked } from '../state/lock-job.js';
import { reportNewState } from '../state/state-file.js';
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
  const startedAt = clock.now();
  const stated = await termsOfRuns(task, store);
  const { reader, run, terms } = await beginRun(task, store, portion, stated, startedAt);
  if (run.state !== 'reading') return run;
  const context = openReading(task, { run, startedAt, store, terms });
  try {
    await ingest(context, reader, false, waterfall && toHeld);
  } catch (error) {
    await noteEnd(store, run.id, { clock, error }).catch(() => undefined);
    throw error;
  }
  return drain.aborted ? noteEnd(store, run.id, { clock }) : ((await store.findRun(run.id)) ?? run);
}

/** The job for a worker. Nothing is sent here: of its accounts the names suffice. */
export function prepareQueued(settings: JobSettings, options: SettledOptions): Promise<RunTask> {
  return prepareTask(settings, { ...options, environmentOf: namesAlone() });
}

/** The text that is kept of the job for a worker. */
export async function keptTask(task: RunTask, store: Store): Promise<string> {
  const steps: NamedStep[] = [];
  for (const step of task.waterfall?.steps ?? []) {
    const { dialect, name } = step;
    steps.push({ name, dialect, account: await accountOf(step, store) });
  }
  return writeTask(task, steps);
}

/** @throws SluiceError `usage` if the table is to go to standard output */
export function refuseNoFile({ out }: Pick<JobSettings, 'out'>): void {
  if (out !== '-') return;
  throw new SluiceError(
    'usage',
    'A worker has no standard output to write the table to: give the job a file with out:, or run it with "sluice run".',
    { key: 'out' },
  );
}
