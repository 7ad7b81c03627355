// What a run is remembered by: the job, the account that pays, what is asked of which input, and where to write.

import type { OutputPlan, RunPlan } from '../../model/run.js';
import { hasPlaceholder } from '../../model/text/placeholders.js';
import { highestPrice } from '../../model/verdict.js';
import type { AskingTerms } from '../../run/run-context.js';
import { nameTable } from '../files/name-table.js';
import type { JobSettings } from '../job-settings.js';
import type { Portion } from './drop-portions.js';

interface PlannedTerms {
  readonly terms: AskingTerms;
  /** That of the terms: asking-terms.ts. */
  readonly digest: string;
  readonly startedAt: number;
}

export async function planRun(
  settings: JobSettings,
  { reader, files, output }: Portion,
  { terms, digest, startedAt }: PlannedTerms,
): Promise<RunPlan> {
  const { account, ask, prices } = terms;
  const { job, deadlineMs, freshForMs } = settings;
  const digests = files?.map(({ digest }) => digest);
  return {
    job,
    account,
    ask,
    terms: digest,
    signature: digests === undefined ? await reader.signature() : JSON.stringify(digests),
    sources: reader.sources,
    ...(digests === undefined ? {} : { digests }),
    deadlineMs,
    freshForMs,
    priceMax: highestPrice(ask, prices),
    output: output ?? planOutput(settings, reader.sources, startedAt),
  };
}

function planOutput(settings: JobSettings, sources: readonly string[], at: number): OutputPlan {
  const { out = '-', positions, bom, excel, formulaGuard } = settings;
  return {
    out: nameTable(out, { startedAt: at, sources }),
    ...(hasPlaceholder(out) ? { template: out } : {}),
    positions,
    bom,
    excel,
    formulaGuard,
  };
}
