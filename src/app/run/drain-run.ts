// Ends a run early: on a signal to this process, or on `sluice cancel` in another process.
import type { RunObserver } from '../../model/telemetry/observe.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store/store.js';

const LOOK_MS = 1_000;

export interface Drain {
  /** Aborts when the run is to end. */
  readonly signal: AbortSignal;
  /** Stops looking whether the run was cancelled. Idempotent. */
  stopWatching(): void;
  /** Stops looking and reporting: the signal may outlive the run. */
  close(): void;
}

/** Watches for both, and reports once that the run is to end, with the reason. */
export function watchDrain(
  asked: AbortSignal,
  runId: number,
  { store, clock, observe }: { store: Store; clock: Clock; observe: RunObserver },
): Drain {
  const cancelled = new AbortController();
  const stopped = new AbortController();
  const signal = AbortSignal.any([asked, cancelled.signal]);
  const watch = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(LOOK_MS, stopped.signal);
      if (stopped.signal.aborted) return;
      const run = await store.findRun(runId);
      if (run?.state !== 'cancelled') continue;
      cancelled.abort();
      return;
    }
  };
  // If the state cannot be read, the steps of the run report it.
  watch().catch(() => undefined);
  const report = (): void =>
    observe({ kind: 'run.draining', by: asked.aborted ? 'signal' : 'cancel' });
  if (signal.aborted) report();
  else signal.addEventListener('abort', report, { once: true });
  return {
    signal,
    stopWatching: () => stopped.abort(),
    close: () => {
      stopped.abort();
      signal.removeEventListener('abort', report);
    },
  };
}
