// sluice pause JOB|RUN: from now on nothing new is sent for the job. sluice resume JOB|RUN: its next start sends again.
// sluice cancel RUN: stops a run permanently, also one that another process is working on.
import { stateFlag } from '../../../app/results/name-commands.js';
import { cancelling } from '../../../app/state/change-run.js';
import { shellWord } from '../../../model/text/printable.js';
import { sayDone } from '../../command.js';
import { commandEnvironment } from '../../command-environment.js';
import { findJob, findRun, stateCommand } from '../../open-state.js';
import { needed, RUN } from '../../options.js';

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

export const cancelCommand = stateCommand({
  args: { run: RUN },
  handler: async ({ run: id }, store, path) => {
    const run = await findRun(store, path, id);
    const done = await cancelling.perform({ store, run, name: run.job });
    return sayDone(done, { run: run.id, job: run.job });
  },
});
