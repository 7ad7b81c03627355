// Runs of jobs at a sandbox within this process, for the tests of what such runs do to files.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import {
  describeJob,
  openSandbox,
  type RunOptions,
  readEnvironment,
  runJob,
  type StatedJob,
} from '../../src/index.js';
import { lookSoon } from '../helpers/look-soon.js';
import { tempFolder } from '../helpers/temp-folder.js';

export const ENVIRONMENT = readEnvironment({
  SLUICE_USERNAME: 'sandbox',
  SLUICE_PASSWORD: 'sandbox',
});

/** To be called where the file begins; it ends with the file. */
export async function openJobs() {
  lookSoon();
  const root = tempFolder();
  const sandbox = await openSandbox({ rate: 'off' });
  afterAll(() => sandbox.close());
  let count = 0;
  const jobOf = (name: string, stated: StatedJob) =>
    describeJob(name, { ask: ['find_email'], url: sandbox.url, rate: 'off', ...stated });
  return {
    root,
    sandbox,
    /** A folder of its own with these in it; what it returns is the path of a name in the folder. */
    openFolder: (...folders: readonly string[]) => {
      count += 1;
      const folder = join(root, String(count));
      for (const name of ['', ...folders]) mkdirSync(join(folder, name), { recursive: true });
      return (name: string) => join(folder, name);
    },
    jobOf,
    run: (name: string, stated: StatedJob, options: RunOptions = {}) =>
      runJob(jobOf(name, stated), { environment: ENVIRONMENT, ...options }),
  };
}
