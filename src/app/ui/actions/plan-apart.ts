// The plan of a job, made by `sluice plan` in a process of its own: reading a million leads takes a minute, in which these
// pages answer others.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ForecastJson, readForecast } from '../../plan/forecast-json.js';
import type { JobForecast } from '../../plan/plan-job.js';
import type { UiContext } from '../page.js';

/**
 * `jobFile` is given a folder that lasts as long as the plan, and says which file the job is in.
 * @throws SluiceError for everything that `sluice plan` finds wrong; `busy` where it takes too long
 */
export async function planApart(
  { starter, state }: Pick<UiContext, 'starter' | 'state'>,
  jobFile: (folder: string) => string,
  gone: AbortSignal,
): Promise<JobForecast> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-ui-plan-'));
  try {
    const args = ['plan', jobFile(folder), '--state', state, '--json'];
    // What a plan that is ended leaves behind is in the folder too.
    const said = await starter.ask(args, { gone, folder });
    return readForecast(JSON.parse(said) as ForecastJson);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
