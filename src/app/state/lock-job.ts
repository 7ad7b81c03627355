// Only one process at a time works on a job: a second process ends at once with an error that names the first.
import { hostname } from 'node:os';
import { SluiceError } from '../../model/errors.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store/store.js';
import { nameState } from '../../store/open-store.js';

export interface JobLockOptions {
  readonly store: Store;
  readonly job: string;
  readonly state: string;
  readonly clock: Clock;
  readonly observe?: RunObserver | undefined;
}

/**
 * Does the work while no other process can work on the job, on a store that writes nothing once another process does.
 * @throws SluiceError `busy`; also any error of the work
 */
export async function whileJobLocked<R>(
  { store, job, state, clock, observe = () => undefined }: JobLockOptions,
  work: (store: Store) => Promise<R>,
): Promise<R> {
  const lock = await store.lockJob(job, {
    pid: process.pid,
    host: hostname(),
    since: clock.now(),
  });
  if (lock.kind !== 'taken') {
    const { holder, leftMs } = lock;
    const who =
      holder === null
        ? 'Another process'
        : `Process ${holder.pid} on ${holder.host}, since ${new Date(holder.since).toISOString()},`;
    throw new SluiceError(
      'busy',
      `${who} is working on the job ${job} with ${nameState(state)}. Wait for it to end.`,
      { leftMs },
    );
  }
  try {
    observe({ kind: 'job.locked', job });
    return await work(lock.store);
  } finally {
    await lock.release();
    observe({ kind: 'job.released', job });
  }
}

const RUNS_LOOKED_AT = 200;

/** Whether a process works on one of the runs that have not ended. */
export async function isWorkedOn(store: Store): Promise<boolean> {
  const open = await store.listRuns(RUNS_LOOKED_AT, { states: ['reading', 'working'] });
  const jobs = [...new Set(open.map(({ job }) => job))];
  const seen = await Promise.all(jobs.map((job) => store.jobNow(job)));
  return seen.some(({ isLocked }) => isLocked);
}
