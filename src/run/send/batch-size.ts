// How many enrichments one bulk call asks for. A call that is refused as a whole was refused for one of
// its items, or for its size: nothing of it was accepted, so halves are asked for until the culprit
// stands alone. A call of unknown fate makes the next one small: few shall share its fate.

export interface BatchSize {
  current(): number;
  /** A call was answered item by item. */
  answered(): void;
  /** A call of `size` was refused as a whole; one of a single item settles that item. */
  refused(size: number): void;
  /** Nobody knows what became of a call. */
  doubted(): void;
}

export function createBatchSize(max: number): BatchSize {
  const grown = (from: number): number => Math.min(max, from * 2);
  let size = max;
  return {
    current: () => size,
    answered: () => {
      size = grown(size);
    },
    // Calls of the old size may still be under way: what they tell must not undo what is known.
    refused: (refusedSize) => {
      size = refusedSize === 1 ? grown(size) : Math.min(size, Math.ceil(refusedSize / 2));
    },
    doubted: () => {
      size = 1;
    },
  };
}
