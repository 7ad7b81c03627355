// When the steps of a run write and send: together.
import type { RunContext } from './run-context.js';

/**
 * Waits for a moment in which work comes together, so that one sync serves it all. All steps gather until the same
 * moment: what they write then shares a sync as well. Under a limit a moment is one turn of the event loop. Without a
 * limit, thousands of enrichments come each second: waiting a few milliseconds costs each of them far less than a sync
 * for every few would cost all.
 */
export function gather({
  clock,
  drain,
  gatherMs,
}: Pick<RunContext, 'clock' | 'drain' | 'gatherMs'>): Promise<void> {
  return clock.sleep(gatherMs === 0 ? 0 : gatherMs - (clock.now() % gatherMs), drain);
}
