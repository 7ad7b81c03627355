// What a run is remembered by: the job, the account that pays, what is asked of which input, and where to write.
import type { LeadReader } from '../domain/ports/lead-reader.js';
import type { RunPlan } from '../domain/run.js';
import type { JobSettings } from './job-settings.js';

/** `terms` and `account` are digests; see `asking-terms.ts`. */
export async function planRun(
  settings: JobSettings,
  reader: LeadReader,
  terms: string,
  account: string,
): Promise<RunPlan> {
  const { job, ask, positions, bom, excel, formulaGuard, deadlineMs, freshForMs } = settings;
  return {
    job,
    account,
    ask,
    terms,
    signature: await reader.signature(),
    sources: reader.sources,
    deadlineMs,
    freshForMs,
    output: { out: settings.out ?? '-', positions, bom, excel, formulaGuard },
  };
}
