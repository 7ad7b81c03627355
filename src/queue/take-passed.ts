// Passes on an entry that its worker cannot do. BullMQ then gives it to any worker, which may not be able to do it
// either; so a worker with room looks at the passed-on entries, and takes one that it can do by its id.
import type { BackendFactory, IQueueBackend, Job, Queue } from 'bullmq';
import type { QueueEntry } from '../ports/dispatcher.js';
import type { WaitingPool } from './waiting-pool.js';

interface KeptEntry extends QueueEntry {
  /** The time at which it was first passed on; absent if it was not, or if a worker has worked on it since. */
  readonly passedAt?: number;
}

/** A job may be named by the path of a file. */
const NAME_CHARS_MAX = 4_096;

const LOOKED_AT_MAX = 200;
/** Nothing else tells a waiting worker of an entry that was passed on just before it began to listen. */
export const LOOK_MS = 2_000;
/** How long a worker that could not do an entry is not asked for it again. */
const REFUSED_MS = 10_000;

const TAKE = `UPDATE job SET state = 'active', lock_token = $3, locked_until_ms = $4::bigint + $5, processed_at_ms = $4,
  attempts_started = attempts_started + 1
  WHERE queue = $1 AND id = $2 AND state = 'delayed' AND data ? 'passedAt'`;

/** The entry; undefined if Sluice has not written it. */
export function entryOf(kept: Job): QueueEntry | undefined {
  const { isFromFile, job } = dataOf(kept);
  const isName = typeof job === 'string' && job !== '' && job.length <= NAME_CHARS_MAX;
  return isName && typeof isFromFile === 'boolean' ? { job, isFromFile } : undefined;
}

/** The data of an entry. A program that may write into the queue may write anything. */
function dataOf({ data }: Job): { readonly [Key in keyof KeptEntry]?: unknown } {
  return (data ?? {}) as object;
}

export async function pass(kept: Job, entry: QueueEntry): Promise<void> {
  if (dataOf(kept).passedAt !== undefined) return;
  await kept.updateData({ ...entry, passedAt: Date.now() } satisfies KeptEntry);
}

export async function unpass(kept: Job, entry: QueueEntry): Promise<void> {
  if (dataOf(kept).passedAt !== undefined) await kept.updateData(entry);
}

interface Parts {
  readonly queue: Queue;
  readonly pool: WaitingPool;
  readonly lockMs: number;
  readonly canTake: (entry: QueueEntry) => Promise<boolean>;
  readonly onTrouble: (error: unknown) => void;
}

/** Wraps the backend by which BullMQ takes the next entry: if there is none, it looks at the passed-on entries. */
export function takingPassed<B extends IQueueBackend, C>(
  open: BackendFactory<B, C>,
  { canTake, lockMs, onTrouble, pool, queue }: Parts,
): BackendFactory<B, C> {
  const refusedAt = new Map<string, number>();
  const take = async (token: string): Promise<Job | undefined> => {
    const now = performance.now();
    for (const [key, at] of refusedAt) if (now - at > REFUSED_MS) refusedAt.delete(key);
    for (const job of await queue.getDelayed(0, LOOKED_AT_MAX - 1)) {
      const { passedAt } = dataOf(job);
      const entry = entryOf(job);
      const key = `${job.id} ${String(passedAt)}`;
      if (passedAt === undefined || entry === undefined || refusedAt.has(key)) continue;
      if (!(await canTake(entry))) refusedAt.set(key, now);
      else if (await isTaken(job, token)) return job;
    }
    return undefined;
  };
  const isTaken = async ({ id }: Job, token: string): Promise<boolean> => {
    const values = [queue.name, id, token, Date.now(), lockMs];
    return (await pool.query(TAKE, values)).rowCount === 1;
  };
  return (...args) => {
    const backend = open(...args);
    const takeNext = backend.moveToActive.bind(backend);
    const complete = backend.moveToCompleted.bind(backend);
    backend.moveToActive = async (token, name) => {
      const next = await takeNext(token, name);
      const [found, id, limitedMs, delayedUntil] = next as [unknown, string, number, number];
      if (found !== null || delayedUntil === 0) return next;
      const job = await take(token).catch((error: unknown) => {
        onTrouble(error);
        return undefined;
      });
      if (job === undefined)
        return [null, id, limitedMs, Math.min(delayedUntil, Date.now() + LOOK_MS)];
      return [{ ...job.asJSON(), processedOn: Date.now() }, job.id, 0, 0];
    };
    // The next entry is not taken in the same step, which would ignore the passed-on entries.
    backend.moveToCompleted = (job, value, remove, token) =>
      complete(job, value, remove, token, false);
    return backend;
  };
}
