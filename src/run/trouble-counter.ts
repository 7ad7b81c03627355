// Counts failures in a row: pauses grow with them, and at some number going on is useless. Requests that
// were under way together and failed together tell of one trouble, not of many.

const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 30_000;

export interface TroubleCounter {
  /** Call before a request is sent; what it returns tells `failed` which failures were known then. */
  begin(): number;
  /** Notes a failure, unless another one was noted since `begin`; true when there were too many in a row. */
  failed(since: number): boolean;
  succeeded(): void;
  /** How long to wait before the next try; 0 while all is well. */
  pauseMs(): number;
}

export function createTroubleCounter(inARowMax: number): TroubleCounter {
  let inARow = 0;
  let noted = 0;
  return {
    begin: () => noted,
    failed: (since) => {
      if (since === noted) {
        noted += 1;
        inARow += 1;
      }
      return inARow >= inARowMax;
    },
    succeeded: () => {
      inARow = 0;
    },
    pauseMs: () => (inARow === 0 ? 0 : Math.min(PAUSE_MS_MIN * 2 ** (inARow - 1), PAUSE_MS_MAX)),
  };
}
