import { SluiceError, wrongUse } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import type { Store } from '../../ports/store/store.js';

/** @throws SluiceError `usage` if the state has no such run, or it is that of a waterfall's step */
export async function runOf(store: Store, runId: number): Promise<Run> {
  const run = await store.findRun(runId);
  if (run !== null) return ofUser(run);
  throw wrongUse(`There is no run ${runId} in this state. "sluice runs" lists the existing ones.`);
}

/** @throws SluiceError `usage` for the run of a waterfall's step, which has neither cells nor a table */
export function ofUser(run: Run): Run {
  if (run.step === undefined) return run;
  const { name, of } = run.step;
  throw new SluiceError(
    'usage',
    `Run ${run.id} is the step ${name} of run ${of}: name run ${of}, which has its leads.`,
    { of },
  );
}
