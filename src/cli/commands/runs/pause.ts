// sluice pause JOB|RUN: from now on nothing new is sent for the job. sluice resume JOB|RUN: its next start sends again.

import type { OfJob } from '../../../app/state/pause-job.js';
import { shellWord } from '../../../model/text/printable.js';
import { commandEnvironment } from '../../command-environment.js';
import { findJob, stateCommand } from '../../open-state.js';
import { needed } from '../../options.js';

// Loaded only here: the queue is not needed to complete the words of a command.
const load = () => import('../../../app/state/pause-job.js');

export const pauseCommand = jobCommand(async (of) => {
  const { data, sentences, title } = await (await load()).pausing.perform(of);
  const goOn = `Go on with: sluice resume ${shellWord(of.job)}`;
  const lines = data.changed ? `${title}. ${sentences.join(' ')} ${goOn}` : `${title}.`;
  return { json: { job: of.job, ...data }, lines };
});

export const resumeCommand = jobCommand(async (of) => {
  const { data, sentences, title } = await (await load()).resuming.perform(of);
  return { json: { job: of.job, ...data }, lines: `${title}. ${sentences.join(' ')}` };
});

function jobCommand(work: (of: OfJob) => Promise<{ json: object; lines: string }>) {
  return stateCommand({
    args: { job: needed('Name of the job, or number of one of its runs') },
    handler: async (args, store, state) => {
      const job = await findJob(store, state, args.job);
      return work({ store, state, environment: commandEnvironment(), job, name: job });
    },
  });
}
