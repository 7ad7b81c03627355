// Makes the first half of a run for a worker: reads its leads into the store, on the machine with the input. It sends
// nothing.
import { isDropFolder } from '../../input/sources/drop-folder.js';
import { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import type { Store } from '../../ports/store/store.js';
import { refuseUndelivered } from '../listen/open-callbacks.js';
import { checkPayer } from '../platform/account.js';
import { unmeasured } from '../run/measure-run.js';
import { readPortion } from '../run/read-portion.js';
import { nextPortion } from '../run/run-folder.js';
import { openInput } from '../run/run-job.js';
import { type RunOptions, settleRunOptions } from '../run/run-options.js';
import { prepareTask } from '../run/run-task.js';
import type { JobSettings } from '../settings/job-settings.js';
import { checkKeep } from '../state/keep-state.js';
import { whileJobLocked } from '../state/lock-job.js';
import { reportNewState } from '../state/state-file.js';
import { writeTask } from './task.js';

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
  refuseWaterfall(settings);
  const task = await prepareTask(
    settings,
    options,
    unmeasured({ observe, observesRequests: false }),
  );
  // Nothing is sent here: the worker has the password.
  checkPayer(task);
  refuseUndelivered(settings, task.dialect);
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
    if (read?.state === 'working') await store.noteTask(read.id, writeTask(task));
    if (read?.state !== 'reading') await time?.pass();
    return read;
  });
}

/** @throws SluiceError `usage` for a job with a waterfall: its platforms have accounts of their own */
export function refuseWaterfall({ waterfall }: Pick<JobSettings, 'waterfall'>): void {
  if (waterfall === undefined) return;
  throw new SluiceError(
    'usage',
    'Workers do not take a job with a waterfall: run it with "sluice run", which needs the accounts of all its steps.',
    { key: 'waterfall' },
  );
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
