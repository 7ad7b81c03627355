// The plan of a job, made by `sluice plan` in a process of its own: reading a million leads takes a minute, in which
// these pages answer others.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ForecastJson, readForecast } from '../../plan/forecast-json.js';
import type { JobForecast } from '../../plan/plan-job.js';
import type { UiContext } from '../page.js';

/**
 * Plans a job. `jobFile` is given a folder that lasts as long as the plan, and returns the path of the job's file.
 * @throws SluiceError for everything that `sluice plan` finds wrong; `busy` if it takes too long
 */
export async function planApart(
  { starter, state }: Pick<UiContext, 'starter' | 'state'>,
  jobFile: (folder: string) => string,
  gone: AbortSignal,
): Promise<JobForecast> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-ui-plan-'));
  try {
    const args = ['plan', jobFile(folder), '--state', state, '--json'];
    // The remains of a plan that is stopped are in the folder too.
    const said = await starter.ask(args, { gone, folder });
    return readForecast(JSON.parse(said) as ForecastJson);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
