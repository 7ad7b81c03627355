// One bound on all bodies that the listener holds at a time: arriving, or waiting to be stored.

/** What one request holds of it. */
export interface Share {
  /** False where the budget is used up; nothing is taken then. */
  take(bytes: number): boolean;
  /** Gives everything back. */
  release(): void;
}

export interface MemoryBudget {
  openShare(): Share;
}

export function createMemoryBudget(bytesMax: number): MemoryBudget {
  let used = 0;
  return {
    openShare: () => {
      let own = 0;
      return {
        take: (bytes) => {
          if (used + bytes > bytesMax) return false;
          used += bytes;
          own += bytes;
          return true;
        },
        release: () => {
          used -= own;
          own = 0;
        },
      };
    },
  };
}
