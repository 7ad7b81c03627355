// Group commit: items of one moment are written to the store in one transaction, with one sync.

export interface GroupedWrites<T> {
  /** Resolves when the item is durable; rejects if its group could not be written. */
  add(item: T): Promise<void>;
  /** Resolves when no item is being written or waits for it. */
  idle(): Promise<void>;
}

/** Collects items until `gathered`, never two groups at the same time. The caller bounds how many may wait. */
export function groupWrites<T>(
  gathered: () => Promise<void>,
  write: (items: readonly T[]) => Promise<void>,
): GroupedWrites<T> {
  let items: T[] = [];
  let group: Promise<void> | undefined;
  let previous: Promise<unknown> = Promise.resolve();

  const flush = async (before: Promise<unknown>): Promise<void> => {
    // Data that waits in the sockets joins the group before the group is written.
    try {
      await gathered();
    } catch {
      // The items are written all the same: they may be tickets that are paid for.
    }
    await before;
    const batch = items;
    items = [];
    group = undefined;
    await write(batch);
  };

  return {
    add(item) {
      items.push(item);
      if (group === undefined) {
        group = flush(previous);
        previous = group.catch(() => undefined);
      }
      return group;
    },
    async idle() {
      for (let seen; seen !== previous; ) {
        seen = previous;
        await seen;
      }
    },
  };
}
