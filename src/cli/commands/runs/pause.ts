// sluice pause JOB|RUN: from now on nothing new is sent for the job. sluice resume JOB|RUN: its next start sends again.
import { stateFlag } from '../../../app/results/name-commands.js';
import { shellWord } from '../../../model/text/printable.js';
import { sayDone } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { findJob, stateCommand } from '../../open-state.js';
import { needed } from '../../options.js';

export const pauseCommand = jobCommand('pausing');
export const resumeCommand = jobCommand('resuming');

function jobCommand(action: 'pausing' | 'resuming') {
  return stateCommand({
    args: { job: needed('Name of the job, or number of one of its runs') },
    handler: async (args, store, state) => {
      // Loaded only here: the queue is not needed to complete the words of a command.
      const { [action]: acting } = await import('../../../app/state/pause-job.js');
      const job = await findJob(store, state, args.job);
      const environment = commandEnvironment();
      const done = await acting.perform({ store, state, environment, job, name: job });
      const resume = `Go on with: sluice resume ${shellWord(job)}${stateFlag(state, environment)}`;
      const goOn = done.data.paused ? [resume] : [];
      return sayDone({ ...done, sentences: [...done.sentences, ...goOn] }, { job });
    },
  });
}
