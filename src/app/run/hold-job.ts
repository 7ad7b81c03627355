// The state of a job while a command works on it: opened, locked, and tidied at the end.
import type { Store } from '../../ports/store/store.js';
import { openStore } from '../../store/open-store.js';
import { checkKeep, keepState } from '../state/keep-state.js';
import { whileJobLocked } from '../state/lock-job.js';
import { reportNewState, watchDatabase } from '../state/state-file.js';
import type { RunReport } from './run-options.js';
import type { RunTask } from './run-task.js';

/** Opens the state, and holds the job in it, while the work lasts. */
export async function openJob(
  task: RunTask,
  work: (store: Store) => Promise<readonly RunReport[]>,
): Promise<readonly RunReport[]> {
  const { clock, observe, settings } = task;
  const onTrouble = watchDatabase(observe, clock);
  const store = await openStore(settings.state, { onTrouble });
  try {
    return await holdJob(task, store, work);
  } finally {
    await store.close();
  }
}

/** Locks the job while the work lasts. At its end, data that is too old to be kept is removed. */
export async function holdJob(
  { clock, drain, observe, settings }: RunTask,
  store: Store,
  work: (store: Store) => Promise<readonly RunReport[]>,
): Promise<readonly RunReport[]> {
  const { job, state } = settings;
  return await whileJobLocked({ store, job, state, clock, observe }, async (store) => {
    await reportNewState(store, state, observe);
    await checkKeep(settings, store);
    await store.noteSize(clock.now());
    const reports = await work(store);
    const leads = reports.reduce((sum, { tally }) => sum + tally.leads, 0);
    await keepState(store, settings, { leads, clock, drain, observe });
    const { keepDeliveriesMs } = settings;
    if (keepDeliveriesMs !== undefined) await store.dropBodies(clock.now() - keepDeliveriesMs);
    return reports;
  });
}
