// sluice run JOB: the whole job; run again, it continues or starts the next run.
import { command, FORCE_OPTION, JSON_OPTION } from '../../command.js';
import type { FlagValues } from '../../flags/job-flags.js';
import { LOG_OPTION, type LogArguments } from '../../flags/log-option.js';

export interface RunArguments extends FlagValues, LogArguments {
  job: string;
  json: boolean;
  quiet: boolean;
  'resend-uncertain': boolean;
  again: boolean;
  force: boolean;
}

export const AGAIN_OPTION = {
  again: {
    type: 'boolean',
    default: false,
    describe: 'Of a pattern: do the files once more that are done',
  },
} as const;

export const RUN_OPTIONS = {
  ...JSON_OPTION,
  ...LOG_OPTION,
  quiet: { alias: 'q', type: 'boolean', default: false, describe: 'Print nothing but errors' },
  'resend-uncertain': {
    type: 'boolean',
    default: false,
    describe: 'Send again what nobody knows the fate of; it may be paid for twice',
  },
  ...AGAIN_OPTION,
  ...FORCE_OPTION,
} as const;

export const runCommand = command<RunArguments>({
  command: 'run <job>',
  describe: 'Run a job: read, ask, collect and write; run again, it continues',
  builder: async (yargs) => {
    const { withJobFlags } = await import('../../flags/job-flags.js');
    return withJobFlags(yargs)
      .positional('job', {
        type: 'string',
        demandOption: true,
        describe: 'A job file, or the name of one in jobs/',
      })
      .options(RUN_OPTIONS)
      .example('$0 run legislators', 'Run jobs/legislators.yaml')
      .example(
        '$0 run jobs/nightly.yaml --quiet',
        'The same from cron: silent unless something is wrong',
      );
  },
  handler: async (args) => {
    const { runCommandLine } = await import('../../print/next-command.js');
    const { loadJobSettings } = await import('../../flags/load-job-settings.js');
    const { runAndReport } = await import('../../run-and-report.js');
    const { withLog } = await import('../../with-log.js');
    const options = {
      isJson: args.json,
      isQuiet: args.quiet,
      resendUncertain: args['resend-uncertain'],
      again: args.again,
      force: args.force,
      commandToContinue: runCommandLine(
        args.job,
        typeof args.state === 'string' ? args.state : undefined,
      ),
    };
    await withLog(args, async (log) =>
      runAndReport(await loadJobSettings(args.job, args), options, log),
    );
  },
});
