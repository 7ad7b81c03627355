// Puts a job into the queue: its input is read into the state here, and a worker does the rest, wherever it is.
import type { Run } from '../../model/run.js';
import { openStore } from '../../store/open-store.js';
import { type RunOptions, settleRunOptions } from '../run/run-options.js';
import type { JobSettings } from '../settings/job-settings.js';
import { watchDatabase } from '../state/state-file.js';
import { openDispatcher } from './open-dispatcher.js';
import { readJob, refuseNoFile } from './read-job.js';

/**
 * @returns the run; null where a folder has nothing new. A run that is `reading` was stopped, and is not in the queue
 * @throws SluiceError as `runJob`
 */
export async function enqueueJob(settings: JobSettings, wishes: RunOptions): Promise<Run | null> {
  refuseNoFile(settings);
  const { clock, environment, observe } = settleRunOptions(settings, wishes);
  // Before anything is read: what is read has to come into a queue.
  const dispatcher = await openDispatcher(settings.state, environment);
  try {
    const store = await openStore(settings.state, { onTrouble: watchDatabase(observe, clock) });
    try {
      const run = await readJob(settings, wishes, store);
      if (run === null || run.state === 'reading') return run;
      await dispatcher.enqueue({ job: settings.job, isFromFile: false }, { wakes: true });
      return run;
    } finally {
      await store.close();
    }
  } finally {
    await dispatcher.close();
  }
}
