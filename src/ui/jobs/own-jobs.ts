// The jobs that pages may start: files of the folder jobs/, and those of dropped files. They are found by a name that
// is never a path.
import type { Environment } from '../../app/settings/environment.js';
import { type JobSettings, resolveJobSettings } from '../../app/settings/job-settings.js';
import { findOwnJob } from '../../app/settings/own-job.js';
import { loadJob } from '../../config/load-job.js';
import { wrongUse } from '../../model/errors.js';
import { nameState } from '../../store/open-store.js';
import { droppedJobFile } from '../try/uploads.js';

const FOLDER = 'jobs';

/** The job's file in jobs/, or that of a file that was dropped on a page. */
function findJobFile({ state }: { readonly state: string }, job: string): string | undefined {
  return findOwnJob(job) ?? droppedJobFile(state, job);
}

/** Whether these pages can start the job. */
export function isStartable(context: { readonly state: string }, job: string): boolean {
  return findJobFile(context, job) !== undefined;
}

/** @throws SluiceError `usage` if there is no such file, it is wrong, or names another state */
export async function loadOwnJob(
  job: string,
  { state, environment }: { readonly state: string; readonly environment: Environment },
): Promise<JobSettings> {
  const file = findJobFile({ state }, job);
  if (file === undefined) {
    throw wrongUse(
      `There is no file of the job ${job} in the folder ${FOLDER}/ where these pages were started. Start it where you did before; it continues.`,
    );
  }
  const stated = await loadJob(file, environment.variable);
  if (stated.state !== undefined && stated.state !== state) {
    throw wrongUse(
      `The job ${job} has its state in ${nameState(stated.state)}, and these pages show ${nameState(state)}. Start pages for that one: sluice ui --state FILE.`,
    );
  }
  return { ...resolveJobSettings(job, { ...stated, state }, environment), file };
}
