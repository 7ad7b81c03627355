// sluice enrich FILE: a job stated by flags alone.
import { command } from '../../command.js';
import { RUN_OPTIONS, type RunArguments } from './run.js';

interface EnrichArguments extends Omit<RunArguments, 'job'> {
  file: string;
}

export const enrichCommand = command<EnrichArguments>({
  command: 'enrich <file>',
  describe: 'Enrich a file without a job file',
  builder: async (yargs) => {
    const { withJobFlags } = await import('../../flags/job-flags.js');
    return withJobFlags(yargs)
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'A CSV or NDJSON file, plain or gzipped, a glob, or - for standard input',
      })
      .nargs('file', 1) // so that - is a file
      .options(RUN_OPTIONS)
      .example(
        '$0 enrich leads.csv --out enriched.csv --ask find_email --url sandbox',
        'Try it for nothing',
      );
  },
  handler: async (args) => {
    const { settingsOfFlags } = await import('../../flags/load-job-settings.js');
    const { runAndReport } = await import('../../run-and-report.js');
    const { withLog } = await import('../../with-log.js');
    const options = {
      isJson: args.json,
      isQuiet: args.quiet,
      resendUncertain: args['resend-uncertain'],
      again: args.again,
      force: args.force,
      commandToContinue: 'the same command',
    };
    await withLog(args, async (log) =>
      runAndReport(settingsOfFlags(args.file, args), options, log),
    );
  },
});
