// From what stands on the command line to a job with everything filled in.

import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { type JobSettings, resolveJobSettings } from '../../app/job-settings.js';
import { loadJob } from '../../config/load-job.js';
import { SluiceError } from '../../model/errors.js';
import { nearestNames } from '../../model/text/nearest.js';
import { shellWord } from '../../model/text/printable.js';
import { commandEnvironment } from '../command-environment.js';
import { type FlagValues, jobOfFlags } from './job-flags.js';

const JOB_FILE = /\.ya?ml$/i;
const LEAD_FILE = /\.(csv|tsv|txt|ndjson|jsonl|gz)$/i;

/** A job file by its path, or by its name in jobs/; flags override its keys. */
export async function loadJobSettings(job: string, flags: FlagValues): Promise<JobSettings> {
  const environment = commandEnvironment();
  const path = JOB_FILE.test(job) || existsSync(job) ? job : `jobs/${job}.yaml`;
  if (!existsSync(path)) throw noSuchJob(job, path);
  if (LEAD_FILE.test(path)) throw notAJob(path);
  const file = await loadJob(path, environment.variable, environment.checkFilled);
  const name = basename(path).replace(JOB_FILE, '');
  return { ...resolveJobSettings(name, jobOfFlags(flags, file), environment), file: path };
}

function notAJob(path: string): SluiceError {
  return new SluiceError(
    'usage',
    `${path} is a file of leads, not a job. Enrich it with: sluice enrich ${shellWord(path)}`,
    { path },
  );
}

function noSuchJob(job: string, path: string): SluiceError {
  const files = existsSync('jobs') ? readdirSync('jobs') : [];
  const names = files
    .filter((file) => JOB_FILE.test(file))
    .map((file) => file.replace(JOB_FILE, ''));
  const [near] = nearestNames(basename(path).replace(JOB_FILE, ''), names);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return new SluiceError(
    'usage',
    `There is no job file ${path}; check its name and the folder you start from.${hint}`,
    { job, path },
  );
}

/** A job of one input and flags. Its name is the input's, so that the same command finds its run again. */
export function settingsOfFlags(file: string, flags: FlagValues): JobSettings {
  return resolveJobSettings(file, jobOfFlags(flags, { input: file }), commandEnvironment());
}

/** A job file, by its path or name, or the one input of a job stated by flags. */
export async function settingsOf(argument: string, flags: FlagValues): Promise<JobSettings> {
  return isJobFile(argument) ? loadJobSettings(argument, flags) : settingsOfFlags(argument, flags);
}

/** Whether an argument that may be either names a job file; what is neither is told as a job that is missing. */
function isJobFile(argument: string): boolean {
  if (JOB_FILE.test(argument)) return true;
  const isInput = argument === '-' || existsSync(argument) || /[*?{[.]/.test(argument);
  return !isInput;
}
