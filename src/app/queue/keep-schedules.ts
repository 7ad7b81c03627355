// The schedules by which workers begin runs: kept in the state, because a run is begun only if the state says so. The
// queue is told when to look.
import { SluiceError } from '../../model/errors.js';
import type { Dispatcher } from '../../ports/dispatcher.js';
import type { KeptSchedule } from '../../ports/store/jobs.js';
import type { Store } from '../../ports/store/store.js';
import { openStore } from '../../store/open-store.js';
import type { Environment } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import { systemClock } from '../system-clock.js';
import { openDispatcher } from './open-dispatcher.js';

type JobSchedule = Pick<JobSettings, 'job' | 'schedule' | 'timezone' | 'catchUp'>;

export interface ScheduleWish {
  readonly state: string;
  readonly environment: Environment;
  /** Jobs whose schedules are to be as they state them; none if they state none. */
  readonly settings: readonly JobSchedule[];
  /** Jobs whose schedules are to be removed. */
  readonly remove: readonly string[];
}

type ChangedSchedule = Pick<JobSettings, 'job' | 'schedule'> & { readonly timezone?: string };

export interface KeptSchedules {
  /** The changed schedules; without `schedule` the job has none any more. */
  readonly changed: readonly ChangedSchedule[];
  /** The schedules of all jobs. */
  readonly schedules: readonly KeptSchedule[];
}

/**
 * @throws SluiceError `usage` if a job whose schedule is to be removed has none; `usage` or `store` if there is no
 * queue
 */
export async function keepSchedules(wish: ScheduleWish): Promise<KeptSchedules> {
  const { environment, remove, settings, state } = wish;
  const dispatcher = await openDispatcher(state, environment);
  try {
    const store = await openStore(state);
    try {
      const changed: ChangedSchedule[] = [];
      for (const one of settings) if (await keep(one, store, dispatcher)) changed.push(one);
      for (const job of remove) {
        if (!(await store.keepSchedule(job, null))) throw noSchedule(job);
        changed.push({ job, schedule: undefined });
      }
      return { changed, schedules: await store.schedules() };
    } finally {
      await store.close();
    }
  } finally {
    await dispatcher.close();
  }
}

/** Returns whether that changes anything. */
async function keep(
  { catchUp, job, schedule: pattern, timezone }: JobSchedule,
  store: Store,
  dispatcher: Dispatcher,
): Promise<boolean> {
  if (pattern === undefined) return store.keepSchedule(job, null);
  const kept = (await store.schedules()).find((one) => one.job === job);
  const schedule = { pattern, timezone, catchUp };
  const isSame =
    kept?.pattern === pattern && kept.timezone === timezone && kept.catchUp === catchUp;
  const nextAt = isSame ? kept.nextAt : dispatcher.nextTime(schedule, systemClock.now());
  if (!isSame) await store.keepSchedule(job, { ...schedule, nextAt });
  await dispatcher.sweepAt(nextAt);
  return !isSame;
}

function noSchedule(job: string): SluiceError {
  return new SluiceError(
    'usage',
    `The job ${job} has no schedule. "sluice schedule" lists those that have one.`,
    { job },
  );
}
