// The run that a program names by its number.
import { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import type { Store } from '../../ports/store/store.js';

/** @throws SluiceError `usage` if the state has no such run */
export async function runOf(store: Store, runId: number): Promise<Run> {
  const run = await store.findRun(runId);
  if (run !== null) return run;
  throw new SluiceError(
    'usage',
    `There is no run ${runId} in this state. "sluice runs" lists the existing ones.`,
    { run: runId },
  );
}
