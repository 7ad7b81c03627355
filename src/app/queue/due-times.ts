// When a run is begun by itself: at the times that the state keeps, each dealt with once. The queue may ask for one at any
// other time, and is not listened to.
import type { Clock } from '../../ports/clock.js';
import type { Dispatcher } from '../../ports/dispatcher.js';
import type { Store } from '../../ports/store/store.js';
import type { KeptSchedule } from '../../ports/store/tasks.js';

interface DueParts {
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  readonly store: Store;
}

/** So far are the clocks of workers apart at most; a time is due where it has come by one of them. */
export const CLOCK_MS_MAX = 2_000;
/** Longer than from one sweep to the next. */
const AHEAD_MS = 120_000;

/** The schedule by which a run of the job is to be begun now. */
export async function findDue(
  { clock, store }: Pick<DueParts, 'clock' | 'store'>,
  job: string,
): Promise<KeptSchedule | undefined> {
  const schedule = await store.findSchedule(job);
  return schedule !== null && isDue(schedule, clock.now()) ? schedule : undefined;
}

export function isDue({ nextAt }: KeptSchedule, now: number): boolean {
  return nextAt - now <= CLOCK_MS_MAX;
}

/** It is dealt with, and so are those that came after it. */
export async function passTime(
  { clock, dispatcher, store }: DueParts,
  due: KeptSchedule,
): Promise<void> {
  const now = clock.now();
  const nextAt = dispatcher.nextTime(due, Math.max(now, due.nextAt));
  await store.passTime(due.job, due.nextAt, nextAt);
  await lookAt(dispatcher, nextAt, now);
}

/** What is further away is seen by another sweep. */
export async function lookAt(dispatcher: Dispatcher, at: number, now: number): Promise<void> {
  if (at - now < AHEAD_MS) await dispatcher.sweepAt(at);
}
