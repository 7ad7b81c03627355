// Requests side by side: how many more may start, what is still under way, and what went wrong first.
import pLimit from 'p-limit';

export interface TaskPool {
  /** How many tasks may start now. The source is bounded by it, not only the running count. */
  room(): number;
  start(task: () => Promise<void>): void;
  /** Notes that going on is useless; only the first reason counts. */
  giveUp(reason: unknown): void;
  hasGivenUp(): boolean;
  isEmpty(): boolean;
  /** Resolves when all have landed; throws the reason for giving up. */
  land(): Promise<void>;
}

/** A task that throws makes the pool give up. `onLanded` is called after each task. */
export function createTaskPool(concurrency: number, onLanded: () => void): TaskPool {
  const limit = pLimit(concurrency);
  const underWay = new Set<Promise<void>>();
  let given: { readonly reason: unknown } | undefined;

  const giveUp = (reason: unknown): void => {
    given ??= { reason };
  };
  return {
    room: () => concurrency - underWay.size,
    start(task) {
      const flying: Promise<void> = limit(task)
        .catch(giveUp)
        .finally(() => {
          underWay.delete(flying);
          onLanded();
        });
      underWay.add(flying);
    },
    giveUp,
    hasGivenUp: () => given !== undefined,
    isEmpty: () => underWay.size === 0,
    async land() {
      await Promise.all(underWay);
      if (given !== undefined) throw given.reason;
    },
  };
}
