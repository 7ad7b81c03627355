// A job stated by a program. Apart from job-settings.ts: commands that load no job need not load YAML.
import { type JobFile, jobSchema } from '../../config/job-schema.js';
import { checkJob } from '../../config/load-job.js';
import { STANDARD_INPUT } from '../../input/sources/source-name.js';
import { wrongUse } from '../../model/errors.js';
import { type Environment, NO_ENVIRONMENT } from './environment.js';
import { type CamelCase, camelCase, type JobSettings, resolveJobSettings } from './job-settings.js';

/** The keys of a job file, each also in camelCase. `input` is left out if `runJob` gets `leads` or a stream. */
export type StatedJob = {
  readonly [Key in keyof JobFile as Key | CamelCase<Key>]?: JobFile[Key] | undefined;
};

/**
 * The settings of a job that a program states, or that is loaded from a file. Checks every key, and fills in the keys
 * that are not stated. The job's runs are found again by `name`; `environment` may give `url` and `state`.
 * @throws SluiceError `usage` naming the job and the key
 */
export function describeJob(
  name: string,
  job: StatedJob,
  environment: Environment = NO_ENVIRONMENT,
): JobSettings {
  const { input = STANDARD_INPUT, ...stated } = withFileKeys(job, name);
  return resolveJobSettings(name, checkJob({ input, ...stated }, name), environment);
}

/** @throws SluiceError `usage` if a key is stated in both ways */
function withFileKeys(job: StatedJob, name: string): Readonly<Record<string, unknown>> {
  const keys = new Map<string, unknown>();
  for (const [key, value] of Object.entries(job)) {
    const kebab = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const own = Object.hasOwn(jobSchema.shape, kebab) ? kebab : key;
    if (keys.has(own)) {
      const message = `Job ${name}: "${own}" is also stated as "${camelCase(own)}". Leave one of them out.`;
      throw wrongUse(message);
    }
    keys.set(own, value);
  }
  return Object.fromEntries(keys);
}
