// The file of a job in the folder jobs/, found by the job's name, which is never a path.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'jobs';
const ENDINGS = ['.yaml', '.yml'];
/** No separator, and no dot at its beginning. */
const NAME = /^[a-z0-9][\w.-]*$/i;

/** The path of the job's file; undefined if there is none, or the name is none of a file in that folder. */
export function findOwnJob(job: string): string | undefined {
  if (!NAME.test(job)) return undefined;
  return ENDINGS.map((ending) => join(FOLDER, `${job}${ending}`)).find((path) => existsSync(path));
}
