// One process at a time works on a job: the second one ends at once, and is told who has it.
import { hostname } from 'node:os';
import { SluiceError } from '../../model/errors.js';
import type { RunObserver } from '../../model/telemetry/run-event.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store/store.js';
import type { JobSettings } from '../job-settings.js';

/**
 * Takes the job; the lock of a process that died is free at once.
 * @throws SluiceError `busy`
 */
export async function lockJob(
  store: Store,
  { job, state }: Pick<JobSettings, 'job' | 'state'>,
  clock: Clock,
  observe: RunObserver = () => undefined,
) {
  const lock = await store.lockJob(job, {
    pid: process.pid,
    host: hostname(),
    since: clock.now(),
  });
  if (lock.kind === 'taken') {
    observe({ kind: 'job.locked', job });
    const release = async (): Promise<void> => {
      await lock.release();
      observe({ kind: 'job.released', job });
    };
    return { release };
  }
  const { holder } = lock;
  const who =
    holder === null
      ? 'Another process'
      : `Process ${holder.pid} on ${holder.host}, since ${new Date(holder.since).toISOString()},`;
  throw new SluiceError(
    'busy',
    `${who} is working on the job ${job} with the state file ${state}. Wait for it to end.`,
    { job, pid: holder?.pid ?? null },
  );
}
