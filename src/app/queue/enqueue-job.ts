// Puts a job into the queue: its input is read into the state here, and a worker does the rest on any machine.
import { isDeepStrictEqual } from 'node:util';
import { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import type { Store } from '../../ports/store/store.js';
import { openStore } from '../../store/open-store.js';
import { type RunOptions, type RunTask, settleRunOptions } from '../run/run-options.js';
import type { JobSettings } from '../settings/job-settings.js';
import { watchDatabase } from '../state/state-file.js';
import { withDispatcher } from './open-dispatcher.js';
import { keptTask, prepareQueued, readJob, refuseNoFile } from './read-job.js';

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
  const { openRun: run } = await store.jobNow(wished.settings.job);
  const found = run === null ? null : await store.findTask(run.id);
  const { budget } = wished.settings;
  if (run === null || found === null || run.budget === budget) return null;
  const task = await keptTask(wished, store);
  if (!isDeepStrictEqual(withoutBudget(task), withoutBudget(found.task))) {
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
