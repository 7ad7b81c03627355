// The first half of a run: reads its leads into the store, and sends nothing. `runOnce` makes both halves.
import type { Run } from '../../model/run.js';
import type { Store } from '../../ports/store/store.js';
import { Backlog } from '../../run/backlog.js';
import { ingest } from '../../run/ingest.js';
import type { Portion } from '../plan/drop-portions.js';
import { beginRun } from './begin/begin-run.js';
import { noteEnd } from './end/note-left.js';
import { SCHEDULES } from './open-context.js';
import type { RunTask } from './run-task.js';
import { termsOfRuns } from './waterfall/open-step.js';
import { toHeld } from './waterfall/work-steps.js';

/** Returns the run, which is still `reading` if it was told to stop. */
export async function readPortion(task: RunTask, store: Store, portion: Portion): Promise<Run> {
  const { clock, drain, observe, settings, waterfall } = task;
  const startedAt = clock.now();
  const stated = await termsOfRuns(task, store);
  const { reader, run, terms } = await beginRun(task, store, portion, { terms: stated, startedAt });
  if (run.state !== 'reading') return run;
  const { deadlineMs, freshForMs, limit } = settings;
  const reading = {
    backlog: new Backlog(),
    clock,
    deadlineMs,
    drain,
    freshForMs,
    limit,
    observe,
    run,
    schedule: SCHEDULES[settings.collect](),
    startedAt,
    store,
    terms,
  };
  try {
    await ingest(reading, reader, false, waterfall && toHeld);
  } catch (error) {
    await noteEnd(store, run.id, { clock, error }).catch(() => undefined);
    throw error;
  }
  return drain.aborted ? noteEnd(store, run.id, { clock }) : ((await store.findRun(run.id)) ?? run);
}
