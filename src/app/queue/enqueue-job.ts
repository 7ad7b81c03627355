// Puts a job into the queue: its input is read into the state here, and a worker does the rest on any machine.
import { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import { openStore } from '../../store/open-store.js';
import { unmeasured } from '../run/measure-run.js';
import { type RunOptions, settleRunOptions } from '../run/run-options.js';
import { prepareTask } from '../run/run-task.js';
import type { JobSettings } from '../settings/job-settings.js';
import { watchDatabase } from '../state/state-file.js';
import { changeBudget } from './change-budget.js';
import { openDispatcher } from './open-dispatcher.js';
import { readJob, refuseNoFile } from './read-job.js';

export interface Enqueued {
  /** Null if a folder has nothing new. A run that is `reading` was stopped, and is not in the queue. */
  readonly run: Run | null;
  /** Whether a process works on it, and has its new budget. */
  readonly hasNewBudget: boolean;
}

/** @throws SluiceError as `runJob` */
export async function enqueueJob(settings: JobSettings, wishes: RunOptions): Promise<Enqueued> {
  refuseNoFile(settings);
  const options = settleRunOptions(settings, wishes);
  const { clock, environment, observe } = options;
  // The queue is opened before anything is read, because the leads that are read must come into a queue.
  const dispatcher = await openDispatcher(settings.state, environment);
  try {
    const store = await openStore(settings.state, { onTrouble: watchDatabase(observe, clock) });
    try {
      const run = await readJob(settings, wishes, store);
      if (run?.state === 'working') {
        await dispatcher.enqueue({ job: settings.job, isFromFile: false }, { wakes: true });
      }
      return { run, hasNewBudget: false };
    } catch (error) {
      if (!(error instanceof SluiceError) || error.code !== 'busy') throw error;
      const watched = unmeasured({ observe, observesRequests: false });
      const run = await changeBudget(store, await prepareTask(settings, options, watched), error);
      if (run === null) throw error;
      return { run, hasNewBudget: true };
    } finally {
      await store.close();
    }
  } finally {
    await dispatcher.close();
  }
}
