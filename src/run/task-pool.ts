// Requests side by side: how many more may start, when all have landed, and what went wrong first. p-limit counts them.
import pLimit from 'p-limit';

export interface TaskPool {
  /**
   * How many tasks may start now. Start no more than that: what waits in the queue of p-limit would be claimed, and not
   * sent.
   */
  room(): number;
  start(task: () => Promise<void>): void;
  /** Notes that going on is useless; only the first reason counts. */
  giveUp(reason: unknown): void;
  hasGivenUp(): boolean;
  isEmpty(): boolean;
  /** Call once, when no more will start. Resolves when all have landed; throws the reason for giving up. */
  land(): Promise<void>;
}

/** A task that throws makes the pool give up. `onLanded` is called after each task. */
export function createTaskPool(concurrency: number, onLanded: () => void): TaskPool {
  const limit = pLimit(concurrency);
  let given: { readonly reason: unknown } | undefined;

  const giveUp = (reason: unknown): void => {
    given ??= { reason };
  };
  const underWay = (): number => limit.activeCount + limit.pendingCount;
  return {
    room: () => concurrency - underWay(),
    start(task) {
      const guarded = async (): Promise<void> => {
        try {
          await task();
        } catch (error) {
          // Before p-limit counts the task as ended: an empty pool knows of every failure.
          giveUp(error);
        }
      };
      void limit(guarded).then(onLanded);
    },
    giveUp,
    hasGivenUp: () => given !== undefined,
    isEmpty: () => underWay() === 0,
    async land() {
      // One at a time from now on: this task waits in the queue until all others have landed.
      limit.concurrency = 1;
      await limit(() => undefined);
      if (given !== undefined) throw given.reason;
    },
  };
}
