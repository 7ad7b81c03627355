// sluice pause JOB|RUN: from now on nothing new is sent for the job. sluice resume JOB|RUN: its next start sends again.
import type { Argv } from 'yargs';
import { SluiceError } from '../../../model/errors.js';
import { shellWord } from '../../../model/text/printable.js';
import type { Store } from '../../../ports/store/store.js';
import type { OpenTask } from '../../../ports/store/tasks.js';
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
    const isChanged = await store.resumeJob(job);
    const task = (await store.openTasks()).find((one) => one.job === job);
    return {
      json: { job, paused: false, changed: isChanged },
      lines: isChanged
        ? `${job} may send again. ${await nextOf(store, path, task)}`
        : `${job} is not paused.`,
    };
  },
});

/** Wakes its run, where that is one of the queue. Returns the sentence on who goes on with it. */
async function nextOf(store: Store, path: string, task: OpenTask | undefined): Promise<string> {
  if (task === undefined) return 'Start it as before; it continues.';
  const { openDispatcher } = await import('../../../app/queue/open-dispatcher.js');
  try {
    const dispatcher = await openDispatcher(path, commandEnvironment());
    try {
      await dispatcher.enqueue({ job: task.job, isFromFile: false }, { wakes: true });
    } finally {
      await dispatcher.close();
    }
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    return `A worker goes on with it when its time has come ("sluice runs" says when); it could not be told now: ${error.logged}`;
  }
  await store.parkTask(task.run, null);
  return 'A worker goes on with it.';
}
