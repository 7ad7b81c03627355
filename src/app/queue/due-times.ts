// The times at which runs are begun by themselves: the state keeps them, and each is dealt with once. If the queue asks
// for a run at any other time, nothing happens.
import type { Clock } from '../../ports/clock.js';
import type { Dispatcher } from '../../ports/dispatcher.js';
import type { KeptSchedule } from '../../ports/store/jobs.js';
import type { Store } from '../../ports/store/store.js';

interface DueParts {
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  readonly store: Store;
}

/** The greatest difference between the clocks of workers; a time is due if it has come by one of them. */
export const CLOCK_MS_MAX = 2_000;
/** A time longer than from one sweep to the next. */
const AHEAD_MS = 120_000;

/** The schedule by which a run of the job is to be begun now. */
export async function findDue(
  { clock, store }: Pick<DueParts, 'clock' | 'store'>,
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
  await store.passTime(due.job, due.nextAt, nextAt);
  await lookAt(dispatcher, nextAt, now);
}

/** Asks for a sweep at a time. A time further away is seen by a later sweep. */
export async function lookAt(dispatcher: Dispatcher, at: number, now: number): Promise<void> {
  if (at - now < AHEAD_MS) await dispatcher.sweepAt(at);
}
