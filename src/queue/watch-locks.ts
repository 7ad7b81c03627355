// Watches the locks that BullMQ renews for the entries of a worker. If the renewal fails, another worker takes them:
// this one has to stop in time, and BullMQ does not tell that to a worker that is cut off from the database.
import type { Worker } from 'bullmq';

const LOOK_MS = 1_000;
/** How long before the lock's end the work is stopped. */
const MARGIN_MS = 5_000;

export function watchLocks(worker: Worker, lockMs: number) {
  const renewedAt = new Map<string, number>();
  worker.on('locksRenewed', ({ jobIds }) => {
    for (const id of jobIds) if (renewedAt.has(id)) renewedAt.set(id, performance.now());
  });
  worker.on('lockRenewalFailed', (ids) => {
    for (const id of ids) worker.cancelJob(id, LOST);
  });
  const look = (): void => {
    const limit = performance.now() - lockMs + Math.min(MARGIN_MS, lockMs / 3);
    for (const [id, at] of renewedAt) if (at < limit) worker.cancelJob(id, LOST);
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    took: (id: string) => void renewedAt.set(id, performance.now()),
    left: (id: string) => void renewedAt.delete(id),
    running: () => renewedAt.size,
    /** Whether an error is about the lock of an entry that this worker has given back itself. */
    isOfOneLeft: ({ message }: Error) =>
      message.startsWith(NOT_RENEWED) && !renewedAt.has(message.slice(NOT_RENEWED.length)),
    close: () => clearInterval(timer),
  };
}

/** The message of BullMQ 5, `LockManager.extendLocks`. */
const NOT_RENEWED = 'could not renew lock for job ';
const LOST = 'the entry is lost to another worker';
