// sluice pause JOB|RUN: from now on nothing new is sent for the job.

import { printable, shellWord } from '../../../model/text/printable.js';
import { command, JOB_OF_STATE, JSON_OPTION, STATE_OPTION } from '../../command.js';

interface PauseArguments {
  job: string;
  state: string | undefined;
  json: boolean;
}

export const pauseCommand = command<PauseArguments>({
  command: 'pause <job>',
  describe: 'Send nothing new for a job until it is resumed; what is paid for is still collected',
  builder: (yargs) =>
    yargs.positional('job', JOB_OF_STATE).options({ ...STATE_OPTION, ...JSON_OPTION }),
  handler: async (args) => {
    const { withState } = await import('../../open-state.js');
    const { findJob } = await import('../../flags/find-job.js');
    await withState(args.state, async (store, path) => {
      const job = await findJob(store, path, args.job);
      const isNew = await store.pauseJob(job, Date.now());
      if (args.json) console.log(JSON.stringify({ job, paused: true, changed: isNew }));
      else if (!isNew) console.log(printable(`${job} is paused already.`));
      else {
        console.log(
          printable(
            `${job} is paused: nothing new is sent for it, also by a run that is at work; what is paid for is collected. Go on with: sluice resume ${shellWord(job)}`,
          ),
        );
      }
    });
  },
});
