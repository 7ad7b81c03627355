// Counts failures in a row: pauses grow with them, and at some number going on is useless.

const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 30_000;

export interface TroubleCounter {
  /** Notes a failure; true when there were too many in a row. */
  failed(): boolean;
  succeeded(): void;
  /** How long to wait before the next try; 0 while all is well. */
  pauseMs(): number;
}

export function createTroubleCounter(inARowMax: number): TroubleCounter {
  let inARow = 0;
  return {
    failed: () => {
      inARow += 1;
      return inARow >= inARowMax;
    },
    succeeded: () => {
      inARow = 0;
    },
    pauseMs: () => (inARow === 0 ? 0 : Math.min(PAUSE_MS_MIN * 2 ** (inARow - 1), PAUSE_MS_MAX)),
  };
}
