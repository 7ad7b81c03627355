// The schedules by which workers begin runs, and their times: kept in the state, because a run is begun only if the
// state says so, once for each time. The queue is told when to look; if it asks at any other time, nothing happens.
import { wrongUse } from '../../model/errors.js';
import { whileOpen } from '../../model/while-open.js';
import type { Clock } from '../../ports/clock.js';
import type { Dispatcher } from '../../ports/dispatcher.js';
import type { KeptSchedule } from '../../ports/store/jobs.js';
import type { Store } from '../../ports/store/store.js';
import { openStore } from '../../store/open-store.js';
import type { Environment } from '../settings/environment.js';
import type { JobSettings } from '../settings/job-settings.js';
import { systemClock } from '../system-clock.js';
import { withDispatcher } from './open-dispatcher.js';

/**
 * Keeps the schedules of jobs as their settings state them, which may be none, and removes those of other jobs.
 * @returns all of them, and the changed ones: without `schedule` the job has none any more
 * @throws SluiceError `usage` if a job whose schedule is to be removed has none; `usage` or `store` if there is no
 * queue
 */
export async function keepSchedules(
  state: string,
  environment: Environment,
  settings: readonly JobSettings[],
  remove: readonly string[],
) {
  return withDispatcher(state, environment, async (dispatcher) =>
    whileOpen(await openStore(state), async (store) => {
      const changed: (Pick<JobSettings, 'job' | 'schedule'> & { timezone?: string })[] = [];
      for (const one of settings) if (await keep(one, store, dispatcher)) changed.push(one);
      for (const job of remove) {
        if (!(await store.keepSchedule(job, null))) {
          throw wrongUse(
            `The job ${job} has no schedule. "sluice schedule" lists those that have one.`,
          );
        }
        changed.push({ job, schedule: undefined });
      }
      return { changed, schedules: await store.schedules() };
    }),
  );
}

async function keep(
  { catchUp, job, schedule: pattern, timezone }: JobSettings,
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

export interface DueParts {
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  readonly store: Store;
}

/** The greatest difference between the clocks of workers; a time is due if it has come by one of them. */
export const CLOCK_MS_MAX = 2_000;
/** A time longer than from one sweep to the next. */
const AHEAD_MS = 120_000;

export async function findDue(
  { clock, store }: DueParts,
  job: string,
): Promise<KeptSchedule | undefined> {
  const schedules = await store.schedules();
  return schedules.find((one) => one.job === job && isDue(one, clock.now()));
}

export function isDue({ nextAt }: KeptSchedule, now: number): boolean {
  return nextAt - now <= CLOCK_MS_MAX;
}

/** Notes that the time is dealt with, and so are those that came after it. */
export async function passTime(
  { clock, dispatcher, store }: DueParts,
  due: KeptSchedule,
): Promise<void> {
  const now = clock.now();
  const nextAt = dispatcher.nextTime(due, Math.max(now, due.nextAt));
  await store.keepSchedule(due.job, { ...due, nextAt }, due.nextAt);
  await lookAt(dispatcher, nextAt, now);
}

/** Asks for a sweep at a time. A time further away is seen by a later sweep. */
export async function lookAt(dispatcher: Dispatcher, at: number, now: number): Promise<void> {
  if (at - now < AHEAD_MS) await dispatcher.sweepAt(at);
}
