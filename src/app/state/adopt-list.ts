// A run's contact list, named by the user: where nobody here knows whether it was created, or under which id.
import { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import type { Store } from '../../ports/store/store.js';
import { systemClock } from '../system-clock.js';
import { lockJob } from './lock-job.js';

/** @throws SluiceError `usage` where the run wants no list or has filled one, `busy` while its job runs */
export async function adoptList(
  store: Store,
  run: Run,
  listId: string,
  state: string,
): Promise<void> {
  const lock = await lockJob(store, { job: run.job, state }, systemClock);
  try {
    const list = await store.findList(run.id);
    if (list === null) {
      throw new SluiceError('usage', `Run ${run.id} has no contact list.`, { run: run.id });
    }
    if (await store.adoptList(list.id, listId)) return;
    throw new SluiceError(
      'usage',
      `Run ${run.id} has put leads into the contact list ${list.listId} already, and keeps to it.`,
      { run: run.id, list: list.listId },
    );
  } finally {
    await lock.release();
  }
}
