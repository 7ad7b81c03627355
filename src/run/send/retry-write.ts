// A write that must not be given up lightly: tickets in hand are paid for, and known nowhere else. A
// store that fails for a moment, locked by another process or on a full disk, is asked again.
import { SluiceError } from '../../model/errors.js';
import type { RunObserver } from '../../model/telemetry/run-event.js';
import type { Clock } from '../../ports/clock.js';

const PAUSES_MS = [100, 1_000, 5_000, 15_000];

/** Repeats a write that fails with a `store` error, with growing pauses; throws the last failure. */
export async function retryWrite<R>(
  write: () => Promise<R>,
  clock: Clock,
  observe: RunObserver,
): Promise<R> {
  for (const [i, pauseMs] of PAUSES_MS.entries()) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof SluiceError) || error.code !== 'store') throw error;
      observe({ kind: 'write.repeated', attempt: i + 1, pauseMs, reason: error.logged });
    }
    await clock.sleep(pauseMs);
  }
  return write();
}
