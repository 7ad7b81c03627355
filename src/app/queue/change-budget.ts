// Changes the budget of a run on which a process works. That process has the job's lock; only a budget can be changed
// without the lock, and takes effect in seconds. Every other change waits until no process works on the job.
import { isDeepStrictEqual } from 'node:util';
import type { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import type { Store } from '../../ports/store/store.js';
import { type TaskJob, writeTask } from './task.js';

/**
 * Null if the job has no run that workers go on with, or its budget has not changed.
 * @throws SluiceError `busy`, which is `busy` with the advice, if the job differs in more than its budget
 */
export async function changeBudget(
  store: Store,
  wished: TaskJob,
  busy: SluiceError,
): Promise<Run | null> {
  const run = await store.findOpenRun(wished.settings.job);
  const found = run === null ? null : await store.findTask(run.id);
  const { budget } = wished.settings;
  if (run === null || found === null || run.budget === budget) return null;
  const task = writeTask(wished);
  if (!isDeepStrictEqual(withoutBudget(task), withoutBudget(found.task))) {
    throw busy.amended('Until then a new budget is taken up, where nothing else is changed.');
  }
  await store.noteTask(run.id, task);
  await store.redirectRun(run.id, { output: run.output, budget });
  return { ...run, budget };
}

function withoutBudget(task: string): unknown {
  const { job, ...others } = JSON.parse(task) as { readonly job: { readonly budget?: unknown } };
  const { budget: _budget, ...rest } = job;
  return { ...others, job: rest };
}
