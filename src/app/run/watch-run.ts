// Notices that somebody cancelled the run from another process.
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store/store.js';

const LOOK_MS = 1_000;

export interface RunWatch {
  /** Aborts when the run is cancelled. */
  readonly cancelled: AbortSignal;
  stop(): void;
}

export function watchRun(store: Store, runId: number, clock: Clock): RunWatch {
  const cancelled = new AbortController();
  const stopped = new AbortController();
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
  return { cancelled: cancelled.signal, stop: () => stopped.abort() };
}
