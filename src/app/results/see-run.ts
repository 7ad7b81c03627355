// A run at one moment: its numbers, what is known beside its leads, and whether a process works on it.
import { type OpenCharges, openCharges } from '../../model/report/open-charges.js';
import { type Run, type ShownState, shownState } from '../../model/run.js';
import { leadsIn, type RunTally } from '../../model/tally.js';
import { formatTime } from '../../model/text/format-time.js';
import type { Clock } from '../../ports/clock.js';
import type { Store } from '../../ports/store/store.js';
import { lookBeside, type SeenBeside } from './look-beside.js';

export interface SeenRun {
  readonly run: Run;
  readonly tally: RunTally;
  readonly seen: SeenBeside;
  readonly state: ShownState;
  /** Null while a process works on it: what is on its way is no trouble yet. */
  readonly charges: OpenCharges | null;
}

export async function seeRun(
  store: Store,
  before: Run,
  options: { readonly clock?: Clock } = {},
): Promise<SeenRun> {
  const seen = await lookBeside(store, before.id, options);
  // A process that has just released the job may have ended the run before.
  const run = (await store.findRun(before.id)) ?? before;
  const tally = await store.tally(run.id);
  return {
    run,
    tally,
    seen,
    state: shownState(run, seen.isAtWork, seen.task),
    charges: seen.isAtWork ? null : await findCharges(store, run, tally),
  };
}

const UNANSWERED = ['submitting', 'awaiting', 'timed_out', 'uncertain'] as const;

/** All that the run sent is looked through, so only where a lead says that there is something to find. */
async function findCharges(store: Store, { id, prices }: Run, tally: RunTally) {
  const isOpen = UNANSWERED.some((state) => leadsIn(tally, state) > 0);
  return openCharges(isOpen ? (await store.commitment(id)).open : [], prices);
}

/** The advice for a run that is open, and no process works on it. `way`: how to continue it. */
export function nextStep(
  { id, job, reopenedAt }: Run,
  task: SeenBeside['task'],
  way: string,
): string {
  if (task?.parked === null) return `Run ${id} of ${job} waits for a worker.`;
  if (task !== null) {
    const { until, why } = task.parked;
    return `Run ${id} of ${job} is parked until ${formatTime(until)} (UTC). ${why}`;
  }
  if (reopenedAt !== undefined) {
    return `Run ${id} of ${job} was opened again at ${formatTime(reopenedAt)} (UTC), and waits to be started. ${way}`;
  }
  return `No process works on run ${id} of ${job}. ${way}`;
}
