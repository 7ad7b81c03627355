import pLimit from 'p-limit';
import type { RunContext } from './run-context.js';

/** A task that throws makes the pool give up. `onLanded` is called after each task. */
export function createTaskPool(concurrency: number, onLanded: () => void) {
  const limit = pLimit(concurrency);
  let given: { readonly reason: unknown } | undefined;

  const giveUp = (reason: unknown): void => {
    given ??= { reason };
  };
  const underWay = (): number => limit.activeCount + limit.pendingCount;
  return {
    /**
     * The number of tasks that may start now. Do not start more: enrichments in the queue of p-limit would be claimed,
     * and not sent.
     */
    room: () => concurrency - underWay(),
    start(task: () => Promise<void>): void {
      const guarded = async (): Promise<void> => {
        try {
          await task();
        } catch (error) {
          // The failure is noted before p-limit counts the task as ended: an empty pool knows of every failure.
          giveUp(error);
        }
      };
      void limit(guarded).then(onLanded);
    },
    /** Notes that going on is useless; only the first reason counts. */
    giveUp,
    hasGivenUp: () => given !== undefined,
    isEmpty: () => underWay() === 0,
    /** Call it once, when no more tasks will start. Resolves when all have landed; throws the reason for giving up. */
    async land(): Promise<void> {
      // From now on tasks run one at a time: this one waits in the queue until all others have landed.
      limit.concurrency = 1;
      await limit(() => undefined);
      if (given !== undefined) throw given.reason;
    },
  };
}

/**
 * All steps gather until the same moment: their writes share a sync. Under a limit the moment is one turn of the event
 * loop. Without one, thousands of enrichments come each second: a few milliseconds cost each far less than syncs would.
 */
export function gather({ clock, drain, gatherMs }: RunContext): Promise<void> {
  return clock.sleep(gatherMs === 0 ? 0 : gatherMs - (clock.now() % gatherMs), drain);
}
