// sluice init FILE: writes a job for a file of leads, and asks the questions that the flags leave open.
import { existsSync } from 'node:fs';
import { dialectAt } from '../../../app/platform/dialect-at.js';
import { ENV_EXAMPLE, ENV_FILE } from '../../../app/settings/env-file.js';
import { type Environment, SANDBOX_URL } from '../../../app/settings/environment.js';
import { ACCOUNTS_FILE } from '../../../app/settings/new-steps.js';
import { type NewJob, type SetUpJob, setUpJob } from '../../../app/settings/set-up-job.js';
import { loadDialect } from '../../../config/load-dialect.js';
import { type Auth, secretVariables } from '../../../dialect/auth.js';
import { printable, shellWord } from '../../../model/text/printable.js';
import { withAsker } from '../../ask.js';
import { command } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { jobFlags } from '../../job-flags.js';
import { text, texts, toggle } from '../../options.js';
import { gatherJob } from './gather-job.js';

export const initCommand = command({
  args: { file: text('Your file of leads: CSV, NDJSON or XLSX') },
  options: {
    ...jobFlags(),
    name: text('Name of the job (default: after the file)'),
    step: texts(
      'NAME=URL: a platform of a waterfall, asked in the order of these flags; a ready-made dialect is named by it',
    ),
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
      const authOf = async (dialect = wish.job.dialect) =>
        dialectAt(wish.job, await loadDialect(dialect)).auth;
      const ofSteps = (wish.job.waterfall ?? []).map(async ({ account = '', dialect }) => {
        const keys = (await authOf(dialect)) === 'basic' ? ['username', 'password'] : ['api-key'];
        return `    ${account}: {${keys.map((key) => `${key}: {variable: NAME}`).join(', ')}}`;
      });
      const who = { environment, auth: await authOf(), accounts: await Promise.all(ofSteps) };
      console.log(nextSteps(wish, done, who).join('\n'));
    }),
});

/** The source of the credentials, and the kind that the platform asks for. */
interface Who {
  readonly environment: Environment;
  readonly auth: Auth;
  /** Lines of a credentials file, one for each step of a waterfall. */
  readonly accounts: readonly string[];
}

/** The files that were written, and the next commands. */
function nextSteps(
  { name, job }: NewJob,
  { path, written, isExampleKept }: SetUpJob,
  { accounts, environment, auth }: Who,
): string[] {
  // If a file or folder has the job's name, the argument would mean that.
  const argument = shellWord(existsSync(name) ? path : name);
  const kept = `${ENV_EXAMPLE} was there already, and is left as it is; --force replaces it.`;
  const fill = `cp ${ENV_EXAMPLE} ${ENV_FILE} && chmod 600 ${ENV_FILE}   # then fill in ${secretVariables(auth)}`;
  const isSandbox = job.url === SANDBOX_URL;
  if (job.waterfall !== undefined) {
    return [
      `Wrote ${printable(written.join(', '))}.`,
      ...(isExampleKept ? [kept] : []),
      '',
      `Write the credentials of each platform into ${ACCOUNTS_FILE} and "chmod 600 ${ACCOUNTS_FILE}":`,
      '  accounts:',
      ...accounts,
      '',
      'Next:',
      ...['doctor', 'plan', 'run'].map((word) => `  sluice ${word} ${argument}`),
    ];
  }
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

function hasCredentials({ environment, auth }: Omit<Who, 'accounts'>): boolean {
  try {
    environment.credentials(auth);
    return true;
  } catch {
    return false;
  }
}
