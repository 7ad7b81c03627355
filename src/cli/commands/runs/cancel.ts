// sluice cancel RUN: stops a run permanently, also one that another process is working on.
import { cancelling } from '../../../app/state/change-run.js';
import { findRun, stateCommand } from '../../open-state.js';
import { RUN } from '../../options.js';

export const cancelCommand = stateCommand({
  args: { run: RUN },
  handler: async (args, store, path) => {
    const run = await findRun(store, path, args.run);
    const { data, sentences, title } = await cancelling.perform({ store, run, name: run.job });
    return {
      json: { run: run.id, job: run.job, ...data },
      lines: `${title}: ${sentences.join(' ')}`,
    };
  },
});
