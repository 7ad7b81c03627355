// A job stated by a program. Apart from job-settings.ts: commands that load no job need not load YAML and the schema.
import type { JobFile } from '../../config/job-schema.js';
import { checkJob } from '../../config/load-job.js';
import { type Environment, NO_ENVIRONMENT } from './environment.js';
import { type JobSettings, resolveJobSettings } from './job-settings.js';

/**
 * The settings of a job that a program states: an object with the keys of a job file, or one loaded from such a file.
 * Checks every key, and fills in what is not stated. The job's runs are found again by `name`; `environment` may give
 * `url` and `state`.
 * @throws SluiceError `usage` naming the job and the key
 */
export function describeJob(
  name: string,
  job: JobFile,
  environment: Environment = NO_ENVIRONMENT,
): JobSettings {
  return resolveJobSettings(name, checkJob(job, name), environment);
}
