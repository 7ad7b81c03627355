// What was set up, and the commands that come next.

import { existsSync } from 'node:fs';
import { ENV_EXAMPLE, ENV_FILE } from '../../app/env-file.js';
import { type Environment, SANDBOX_URL } from '../../app/environment.js';
import type { SetUpJob } from '../../app/setup/set-up-job.js';
import type { JobFile } from '../../config/job-schema.js';
import { printable, shellWord } from '../../model/text/printable.js';

export function nextSteps(
  name: string,
  job: JobFile,
  { path, written, isExampleKept }: SetUpJob,
  environment: Environment,
): string[] {
  // An argument that is a file or a folder is taken for it.
  const argument = shellWord(existsSync(name) ? path : name);
  const kept = `${ENV_EXAMPLE} was there already, and is left as it is; --force replaces it.`;
  const fill = `cp ${ENV_EXAMPLE} ${ENV_FILE} && chmod 600 ${ENV_FILE}   # then fill in your user name and password`;
  const isSandbox = job.url === SANDBOX_URL;
  const needsCredentials = isSandbox || !hasCredentials(environment);
  return [
    `Wrote ${printable(written.join(', '))}.`,
    ...(isExampleKept ? [kept] : []),
    '',
    'Next:',
    ...(needsCredentials && !isSandbox ? [`  ${fill}`] : []),
    `  sluice plan ${argument}     what it would cost; sends nothing`,
    `  sluice doctor ${argument}   whether everything is ready`,
    `  sluice run ${argument}      do it`,
    ...(isSandbox
      ? [
          '',
          `This job asks the sandbox, which makes everything up. For the platform itself, write its address at url: in ${path}, and:`,
          `  ${fill}`,
        ]
      : []),
  ];
}

function hasCredentials(environment: Environment): boolean {
  try {
    environment.credentials();
    return true;
  } catch {
    return false;
  }
}
