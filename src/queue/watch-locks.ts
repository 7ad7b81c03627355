// BullMQ renews the locks of the entries that a worker holds. Where that does not succeed any more, another worker takes
// them: this one has to stop in time, and BullMQ does not say so to a worker that is cut off from the database.
import type { Worker } from 'bullmq';

const LOOK_MS = 1_000;
/** So long before the lock ends. */
const MARGIN_MS = 5_000;

export interface LockWatch {
  took(id: string): void;
  left(id: string): void;
  held(): number;
  /** Says so of an error about the lock of an entry that this worker has given back itself. */
  isOfOneLeft(error: Error): boolean;
  close(): void;
}

export function watchLocks(worker: Worker, lockMs: number): LockWatch {
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
    took: (id) => void renewedAt.set(id, performance.now()),
    left: (id) => void renewedAt.delete(id),
    held: () => renewedAt.size,
    isOfOneLeft: ({ message }) =>
      message.startsWith(NOT_RENEWED) && !renewedAt.has(message.slice(NOT_RENEWED.length)),
    close: () => clearInterval(timer),
  };
}

/** BullMQ 5, `LockManager.extendLocks`. */
const NOT_RENEWED = 'could not renew lock for job ';
const LOST = 'the entry is lost to another worker';
