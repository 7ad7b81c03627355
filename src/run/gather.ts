// A moment in which work comes together, so that one sync serves it all. Under a limit that is one turn of the
// event loop. Without one, enrichments come by the thousand a second, and what a moment of a few milliseconds
// costs each of them is far less than what a sync for every few costs all.
import type { RunContext } from './run-context.js';

/** All steps gather until the same moment: what they write then shares a sync as well. */
export function gather({
  clock,
  drain,
  gatherMs,
}: Pick<RunContext, 'clock' | 'drain' | 'gatherMs'>): Promise<void> {
  return clock.sleep(gatherMs === 0 ? 0 : gatherMs - (clock.now() % gatherMs), drain);
}
