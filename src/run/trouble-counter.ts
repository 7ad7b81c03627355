// Counts failures in a row: pauses grow with them, and at some number going on is useless. Requests that
// were under way together and failed together tell of one trouble, not of many.
import type { RequestKind } from '../ports/platform.js';
import type { RunContext } from './run-context.js';

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

/** Makes such a pause, and tells of it; returns at once where there is none to make. */
export async function slowDown(
  { clock, drain, observe }: Pick<RunContext, 'clock' | 'drain' | 'observe'>,
  request: RequestKind,
  pauseMs: number,
): Promise<void> {
  if (pauseMs === 0) return;
  observe({ kind: 'requests.slowed', request, pauseMs });
  await clock.sleep(pauseMs, drain);
}
