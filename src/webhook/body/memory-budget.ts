// One bound on all bodies that the listener holds at a time: arriving, or waiting to be stored. A key has a part of it
// alone, so that whoever has the key of one lead keeps no other delivery out.

/** What one request holds of it. */
export interface Share {
  /** False where the budget is used up; nothing is taken then. */
  take(bytes: number): boolean;
  /** Gives everything back. */
  release(): void;
}

export interface MemoryBudget {
  /** `key` tells whose bodies share a part; undefined where all of it is theirs. */
  openShare(key: string | undefined): Share;
}

export function createMemoryBudget(bytesMax: number, keyBytesMax: number): MemoryBudget {
  let used = 0;
  const usedBy = new Map<string, number>();
  return {
    openShare: (key) => {
      let own = 0;
      const add = (bytes: number): void => {
        used += bytes;
        own += bytes;
        if (key === undefined) return;
        const ofKey = (usedBy.get(key) ?? 0) + bytes;
        if (ofKey === 0) usedBy.delete(key);
        else usedBy.set(key, ofKey);
      };
      return {
        take: (bytes) => {
          const ofKey = key === undefined ? 0 : (usedBy.get(key) ?? 0) + bytes;
          if (used + bytes > bytesMax || ofKey > keyBytesMax) return false;
          add(bytes);
          return true;
        },
        release: () => add(-own),
      };
    },
  };
}
