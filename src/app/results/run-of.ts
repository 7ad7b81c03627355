import { SluiceError, wrongUse } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import type { Store } from '../../ports/store/store.js';

/**
 * @throws SluiceError `usage` if the state has no such run, or it is that of a waterfall's step, which has neither cells
 * nor a table
 */
export async function runOf(store: Store, runId: number): Promise<Run> {
  const run = await store.findRun(runId);
  if (run === null) throw noRun(runId);
  if (run.step === undefined) return run;
  const { name, of } = run.step;
  throw new SluiceError(
    'usage',
    `Run ${run.id} is the step ${name} of run ${of}: name run ${of}, which has its leads.`,
    { of },
  );
}

export function noRun(id: number): SluiceError {
  return wrongUse(`There is no run ${id} in this state. "sluice runs" lists the existing ones.`);
}
