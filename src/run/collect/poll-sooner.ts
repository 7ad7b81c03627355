// Tickets come from elsewhere too: an earlier process, a run of another job. Whoever had them may have counted
// on webhooks and put the polls off; a run that polls must not.
import type { RunContext } from '../run-context.js';

/** A run that polls never plans further ahead. */
const POLLED_WITHIN_MS = 60_000;

/** Makes due soon what this run awaits and would otherwise ask for much later. */
export async function pollSooner({ clock, run, schedule, store }: RunContext): Promise<void> {
  const waitMs = schedule.firstWaitMs();
  if (!Number.isFinite(waitMs)) return;
  const now = clock.now();
  await store.pollSooner(run.id, now + Math.max(waitMs, POLLED_WITHIN_MS), now + waitMs);
}
