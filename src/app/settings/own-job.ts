import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'jobs';
const ENDINGS = ['.yaml', '.yml'];
const JOB_FILE = /\.ya?ml$/i;
/** No separator, and no dot at its beginning. */
const NAME = /^[a-z0-9][\w.-]*$/i;

/** The path of the job's file; undefined if there is none, or the name is none of a file in that folder. */
export function findOwnJob(job: string): string | undefined {
  if (!NAME.test(job)) return undefined;
  return ENDINGS.map((ending) => join(FOLDER, `${job}${ending}`)).find((path) => existsSync(path));
}

/** The path of each job's file, by the job's name, in the order of the names. */
export function ownJobs(): ReadonlyMap<string, string> {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  const files = names.filter((name) => JOB_FILE.test(name)).toSorted();
  return new Map(files.map((name) => [name.replace(JOB_FILE, ''), join(FOLDER, name)]));
}
