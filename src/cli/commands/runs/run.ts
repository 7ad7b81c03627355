// sluice run JOB: runs a job; called again, it continues or starts the next run. sluice enrich FILE: the same with a
// job stated only by flags.
import type { InferredOptionTypes } from 'yargs';
import { runCommandLine } from '../../../app/results/name-commands.js';
import type { JobSettings } from '../../../app/settings/job-settings.js';
import { shellWord } from '../../../model/text/printable.js';
import { command } from '../../command.js';
import { commandEnvironment, noteSecretFile } from '../../command-environment.js';
import { type FlagValues, jobFlags, loadJobSettings, settingsOfFlags } from '../../job-flags.js';
import { FORCE_OPTION, JSON_OPTION, needed, QUIET_OPTION, text, toggle } from '../../options.js';
import { LOG_OPTION, withLog } from '../../with-log.js';

export const FOLDER_OPTIONS = {
  again: toggle('With a pattern: also read the files that are done already'),
  verify: toggle('With a pattern: know done files by their bytes, even if they look unchanged'),
} as const;

export const CREDENTIALS_OPTION = {
  credentials: text(
    'File that names the accounts of a waterfall and their credentials; only its owner may read it',
  ),
} as const;

const RUN_OPTIONS = {
  ...JSON_OPTION,
  ...LOG_OPTION,
  ...QUIET_OPTION,
  'resend-uncertain': toggle(
    'Send again what may have been accepted or not; it may be paid for twice',
  ),
  ...FOLDER_OPTIONS,
  ...FORCE_OPTION,
  ...CREDENTIALS_OPTION,
} as const;

type RunArguments = FlagValues & InferredOptionTypes<typeof RUN_OPTIONS>;

export const runCommand = command({
  args: { job: needed('A job file, or the name of one in jobs/') },
  options: { ...jobFlags(), ...RUN_OPTIONS },
  examples: {
    'sluice run legislators': 'Run jobs/legislators.yaml',
    'sluice run legislators --ask find_email,find_phone':
      'Ask for these two, and not for what its file says',
    'sluice run jobs/nightly.yaml --quiet': 'The same from cron: silent unless something is wrong',
  },
  handler: (args) => {
    const state = typeof args.state === 'string' ? args.state : undefined;
    const { credentials } = args;
    const accounts = credentials === undefined ? '' : ` --credentials ${shellWord(credentials)}`;
    const again = runCommandLine(args.job, state, commandEnvironment()) + accounts;
    return perform(args, again, () => loadJobSettings(args.job, args));
  },
});

export const enrichCommand = command({
  args: {
    file: needed('A CSV, NDJSON or XLSX file, plain or gzipped, a glob, or - for standard input'),
  },
  options: { ...jobFlags(undefined, ['out', 'ask']), ...RUN_OPTIONS },
  examples: {
    'sluice enrich leads.csv --out enriched.csv --ask find_email --url sandbox': 'Try it for free',
    'sluice enrich leads.csv --out enriched.csv --ask find_email,find_phone': 'Ask for both',
  },
  handler: (args) =>
    perform(args, 'the same command', async () => settingsOfFlags(args.file, args)),
});

async function perform(
  args: RunArguments,
  commandToContinue: string,
  load: () => Promise<JobSettings>,
): Promise<void> {
  const options = {
    isJson: args.json,
    isQuiet: args.quiet,
    run: {
      resendUncertain: args['resend-uncertain'],
      again: args.again,
      verify: args.verify,
      force: args.force,
    },
    commandToContinue,
  };
  // Loaded only here: otherwise a shell would wait for it to complete the words of a command.
  const { runAndReport } = await import('./run-and-report.js');
  return withLog(args, async (log) => {
    const settings = await load();
    const credentials = accountsFile(args, settings);
    return runAndReport(settings, { ...options, credentials }, log);
  });
}

/** The file of accounts, which no command must write to. */
export function accountsFile(
  args: { readonly credentials?: string | undefined },
  job: Pick<JobSettings, 'accounts'>,
): string | undefined {
  const file = args.credentials ?? job.accounts;
  if (file !== undefined) noteSecretFile(file);
  return file;
}
