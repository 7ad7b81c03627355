// sluice init FILE: writes a job for a file of leads, and asks for what it cannot know.
import { command, TEXT } from '../../command.js';
import type { FlagValues } from '../../flags/job-flags.js';

interface InitArguments extends FlagValues {
  file: string | undefined;
  name: string | undefined;
  yes: boolean;
  force: boolean;
}

export const initCommand = command<InitArguments>({
  command: 'init [file]',
  describe: 'Write a job for your file, and .env.example; asks for what it cannot know',
  builder: async (yargs) => {
    const { withJobFlags } = await import('../../flags/job-flags.js');
    return withJobFlags(yargs)
      .positional('file', { type: 'string', describe: 'Your file of leads, CSV or NDJSON' })
      .nargs('file', 1) // so that - is told from no file
      .options({
        name: { ...TEXT, describe: 'Name of the job (default: after the file)' },
        yes: {
          alias: 'y',
          type: 'boolean',
          default: false,
          describe: 'Ask nothing, and take what is usual where no flag says otherwise',
        },
        force: { type: 'boolean', default: false, describe: 'Replace files that are there' },
      })
      .example('$0 init leads.csv', 'Asks a few questions, and writes jobs/leads.yaml')
      .example('$0 init leads.csv --yes', 'Asks none: a job for the sandbox, which costs nothing');
  },
  handler: async (args) => {
    const { initJob } = await import('../../ask/init-job.js');
    const { answersOf } = await import('../../ask/answers-of.js');
    await answersOf(args.yes, (asker) => initJob(args, asker, (line) => console.log(line)));
  },
});
