// Group commit: what arrives in one turn of the event loop is kept in one step, with one sync. The idea is
// that of run/group-writes.ts, which an adapter may not know.
import type { Arrival } from '../ports/store/deliveries.js';

/** Makes what arrived durable; resolves only then. */
export type Keep = (arrivals: readonly Arrival[]) => Promise<void>;

export interface GroupedDeliveries {
  /** Resolves when the delivery is durable; rejects where its group could not be kept. */
  add(arrival: Arrival): Promise<void>;
  /** Resolves when nothing is being kept or waits for it. */
  idle(): Promise<void>;
}

/** One group at a time. How much may wait is bounded by whoever adds (memory-budget.ts). */
export function groupDeliveries(keep: Keep): GroupedDeliveries {
  let waiting: Arrival[] = [];
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();

  const keepNext = async (before: Promise<void>): Promise<void> => {
    // The requests that are waiting in the sockets join the group before it is kept.
    await new Promise((resolve) => setImmediate(resolve));
    await before;
    const group = waiting;
    waiting = [];
    next = undefined;
    await keep(group);
  };

  return {
    add: (arrival) => {
      waiting.push(arrival);
      if (next === undefined) {
        next = keepNext(last);
        last = next.catch(() => undefined);
      }
      return next;
    },
    idle: async () => {
      for (let seen; seen !== last; ) {
        seen = last;
        await seen;
      }
    },
  };
}
