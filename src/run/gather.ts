// Gathers the writes and sends of a run's steps.
import type { RunContext } from './run-context.js';

/**
 * Waits for a moment in which work comes together, so that one sync serves it all. All steps gather until the same
 * moment: their writes then share a sync as well. Under a limit the moment is one turn of the event loop. Without a
 * limit, thousands of enrichments come each second: waiting a few milliseconds costs each of them far less than a sync
 * for every few would cost all.
 */
export function gather({ clock, drain, gatherMs }: RunContext): Promise<void> {
  return clock.sleep(gatherMs === 0 ? 0 : gatherMs - (clock.now() % gatherMs), drain);
}
