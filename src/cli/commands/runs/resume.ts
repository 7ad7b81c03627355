// sluice resume JOB|RUN: the next start of the job sends again.
import { printable } from '../../../model/text/printable.js';
import { command, JOB_OF_STATE, JSON_OPTION, STATE_OPTION } from '../../command.js';

interface ResumeArguments {
  job: string;
  state: string | undefined;
  json: boolean;
}

export const resumeCommand = command<ResumeArguments>({
  command: 'resume <job>',
  describe: 'Let a paused job send again, from its next start on',
  builder: (yargs) =>
    yargs.positional('job', JOB_OF_STATE).options({ ...STATE_OPTION, ...JSON_OPTION }),
  handler: async (args) => {
    const { withState } = await import('../../open-state.js');
    const { findJob } = await import('../../flags/find-job.js');
    await withState(args.state, async (store, path) => {
      const job = await findJob(store, path, args.job);
      const isChanged = await store.resumeJob(job);
      if (args.json) console.log(JSON.stringify({ job, paused: false, changed: isChanged }));
      else if (!isChanged) console.log(printable(`${job} is not paused.`));
      else console.log(printable(`${job} may send again. Start it as before; it continues.`));
    });
  },
});
