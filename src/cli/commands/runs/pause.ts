// sluice pause JOB|RUN: from now on nothing new is sent for the job. sluice resume JOB|RUN: its next start sends again.
import type { Argv } from 'yargs';
import { shellWord } from '../../../model/text/printable.js';
import { commandEnvironment } from '../../command-environment.js';
import { findJob, stateCommand } from '../../open-state.js';

function withJob(yargs: Argv) {
  return yargs.positional('job', {
    type: 'string',
    demandOption: true,
    describe: 'Name of the job, or number of one of its runs',
  });
}

export const pauseCommand = stateCommand({
  builder: withJob,
  handler: async (args, store, path) => {
    const job = await findJob(store, path, args.job);
    const isNew = await store.pauseJob(job, Date.now());
    return {
      json: { job, paused: true, changed: isNew },
      lines: isNew
        ? `${job} is paused: nothing new is sent for it, also by a run that is at work; what is paid for is collected. Go on with: sluice resume ${shellWord(job)}`
        : `${job} is paused already.`,
    };
  },
});

export const resumeCommand = stateCommand({
  builder: withJob,
  handler: async (args, store, path) => {
    const job = await findJob(store, path, args.job);
    // Loaded only here: the queue is not needed to complete the words of a command.
    const { resumeJob } = await import('../../../app/queue/resume-job.js');
    const environment = commandEnvironment();
    const { isChanged, next } = await resumeJob(store, { job, state: path, environment });
    return {
      json: { job, paused: false, changed: isChanged },
      lines: isChanged ? `${job} may send again. ${next}` : `${job} is not paused.`,
    };
  },
});
