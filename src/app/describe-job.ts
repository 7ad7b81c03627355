// A job stated by a program: an object with the keys of a job file, or one that was loaded from such a file.

import type { JobFile } from '../config/job-schema.js';
import { checkJob } from '../config/load-job.js';
import { type Environment, NO_ENVIRONMENT } from './environment.js';
import { type JobSettings, resolveJobSettings } from './job-settings.js';

/**
 * Checks every key, and fills in what is not stated. `name` is what the job's runs are found again by;
 * `environment` may give `url` and `state`.
 * @throws SluiceError `usage` naming the job and the key
 */
export function describeJob(
  name: string,
  job: JobFile,
  environment: Environment = NO_ENVIRONMENT,
): JobSettings {
  return resolveJobSettings(name, checkJob(job, name), environment);
}
