// When a run ends early: a signal of this process asks for it, or `sluice cancel` in another one.
import type { RunObserver } from '../../model/telemetry/observe.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store/store.js';

const LOOK_MS = 1_000;

export interface Drain {
  /** Aborts when the run is to end. */
  readonly signal: AbortSignal;
  /** From now on a cancelled run is no longer noticed. Idempotent. */
  stopWatching(): void;
  /** Ends the watch, and reports nothing any more: the signal may outlive the run. */
  close(): void;
}

/** Watches for both, and reports once that the run is to end, and what asked for it. */
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
  // A state file that cannot be read ends the run by its own verbs, with a sentence.
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
