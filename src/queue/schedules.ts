// Schedules, as BullMQ keeps them: each is fired once over all workers.
import type { Job, Queue } from 'bullmq';
import type { Dispatcher, Schedule } from '../ports/dispatcher.js';

/** Names of the entries that are due at a time. */
const TICK = 'tick';
export const SWEEP = 'sweep';

export type TickData = Pick<Schedule, 'job' | 'catchUp'>;

const ALL = -1;
/** Before the name of a job: no job is taken for the sweep. */
const PREFIX = 'job ';

type Ask = <A extends unknown[], R>(verb: (...args: A) => Promise<R>) => (...args: A) => Promise<R>;

export function createSchedules(
  ticks: Queue,
  ask: Ask,
): Pick<Dispatcher, 'keepSchedule' | 'removeSchedule' | 'schedules'> {
  const find = async (job: string) => toSchedule(await ticks.getJobScheduler(PREFIX + job));
  return {
    schedules: ask(async () => {
      const all = await ticks.getJobSchedulers(0, ALL, true);
      return all.flatMap((one) => toSchedule(one) ?? []);
    }),
    keepSchedule: ask(async ({ job, pattern, timezone, catchUp }) => {
      const kept = await find(job);
      const isSame =
        kept?.pattern === pattern && kept.timezone === timezone && kept.catchUp === catchUp;
      // BullMQ loses a due time where a schedule is written again and again.
      if (isSame) return false;
      const data: TickData = { job, catchUp };
      await ticks.upsertJobScheduler(
        PREFIX + job,
        { pattern, tz: timezone },
        { name: TICK, data, opts: { removeOnComplete: true, removeOnFail: true } },
      );
      return true;
    }),
    removeSchedule: ask((job) => ticks.removeJobScheduler(PREFIX + job)),
  };
}

interface Kept {
  readonly key: string;
  readonly next?: number;
  readonly pattern?: string;
  readonly tz?: string;
  readonly template?: { readonly data?: unknown };
}

function toSchedule(kept: Kept | undefined): (Schedule & { nextAt: number | null }) | undefined {
  if (!kept?.key.startsWith(PREFIX)) return undefined;
  const { catchUp = 'one' } = (kept.template?.data ?? {}) as Partial<TickData>;
  return {
    job: kept.key.slice(PREFIX.length),
    pattern: kept.pattern ?? '',
    timezone: kept.tz ?? 'UTC',
    catchUp,
    nextAt: kept.next ?? null,
  };
}

/** When an entry of a schedule was to be done. */
export function dueAt({ opts, timestamp }: Job): number {
  return opts.prevMillis ?? timestamp;
}
