// sluice init FILE: writes a job for a file of leads, and asks the questions that the flags leave open.
import { existsSync } from 'node:fs';
import { dialectAt } from '../../../app/platform/dialect-at.js';
import { ENV_EXAMPLE, ENV_FILE } from '../../../app/settings/env-file.js';
import { type Environment, SANDBOX_URL } from '../../../app/settings/environment.js';
import { type NewJob, type SetUpJob, setUpJob } from '../../../app/settings/set-up-job.js';
import { loadDialect } from '../../../config/load-dialect.js';
import { type Auth, secretVariables } from '../../../dialect/auth.js';
import { printable, shellWord } from '../../../model/text/printable.js';
import { withAsker } from '../../ask.js';
import { command } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { jobFlags } from '../../job-flags.js';
import { text, toggle } from '../../options.js';
import { gatherJob } from './gather-job.js';

export const initCommand = command({
  args: { file: text('Your file of leads: CSV, NDJSON or XLSX') },
  options: {
    ...jobFlags(),
    name: text('Name of the job (default: after the file)'),
    yes: toggle('Ask nothing, and take what is usual where no flag says otherwise', { alias: 'y' }),
    force: toggle('Replace files that are there'),
  },
  examples: {
    'sluice init leads.csv': 'Asks a few questions, and writes jobs/leads.yaml',
    'sluice init leads.csv --yes': 'Asks none: a job for the sandbox, which costs nothing',
  },
  handler: async (args) =>
    withAsker(args.yes, async (asker) => {
      const environment = commandEnvironment();
      const wish = await gatherJob(args, asker, environment);
      const done = await setUpJob(wish, args.force, environment);
      const dialect = dialectAt(wish.job, await loadDialect(wish.job.dialect));
      console.log(nextSteps(wish, done, { environment, auth: dialect.auth }).join('\n'));
    }),
});

/** The source of the credentials, and the kind that the platform asks for. */
interface Who {
  readonly environment: Environment;
  readonly auth: Auth;
}

/** The files that were written, and the next commands. */
function nextSteps(
  { name, job }: NewJob,
  { path, written, isExampleKept }: SetUpJob,
  { auth, environment }: Who,
): string[] {
  // If a file or folder has the job's name, the argument would mean that.
  const argument = shellWord(existsSync(name) ? path : name);
  const kept = `${ENV_EXAMPLE} was there already, and is left as it is; --force replaces it.`;
  const fill = `cp ${ENV_EXAMPLE} ${ENV_FILE} && chmod 600 ${ENV_FILE}   # then fill in ${secretVariables(auth)}`;
  const isSandbox = job.url === SANDBOX_URL;
  return [
    `Wrote ${printable(written.join(', '))}.`,
    ...(isExampleKept ? [kept] : []),
    '',
    'Next:',
    ...(isSandbox || hasCredentials({ environment, auth }) ? [] : [`  ${fill}`]),
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

function hasCredentials({ auth, environment }: Who): boolean {
  try {
    environment.credentials(auth);
    return true;
  } catch {
    return false;
  }
}
