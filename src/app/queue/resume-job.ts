// Lets a paused job send again. If its run is one of the queue, a worker is told.
import { SluiceError } from '../../model/errors.js';
import type { Store } from '../../ports/store/store.js';
import type { Environment } from '../settings/environment.js';
import { withDispatcher } from './open-dispatcher.js';

export interface ResumedJob {
  /** False if it was not paused. */
  readonly isChanged: boolean;
  /** A sentence about who goes on with it. */
  readonly next: string;
}

/** `state` is as in `--state`. */
export async function resumeJob(
  store: Store,
  { job, state, environment }: { job: string; state: string; environment: Environment },
): Promise<ResumedJob> {
  const isChanged = await store.pauseJob(job, null);
  const task = (await store.openTasks()).find((one) => one.job === job);
  if (task === undefined) return { isChanged, next: 'Start it as before; it continues.' };
  if (!isChanged) return { isChanged, next: 'A worker goes on with it.' };
  try {
    await withDispatcher(state, environment, (dispatcher) =>
      dispatcher.enqueue({ job, isFromFile: false }, { wakes: true }),
    );
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    const next = `A worker goes on with it when its time has come ("sluice runs" says when); it could not be told now: ${error.logged}`;
    return { isChanged, next };
  }
  await store.parkTask(task.run, null);
  return { isChanged, next: 'A worker goes on with it.' };
}
