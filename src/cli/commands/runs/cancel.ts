// sluice cancel RUN: stops a run permanently, also one that another process is working on.
import { cancelling } from '../../../app/state/change-run.js';
import { sayDone } from '../../command.js';
import { findRun, stateCommand } from '../../open-state.js';
import { RUN } from '../../options.js';

export const cancelCommand = stateCommand({
  args: { run: RUN },
  handler: async ({ run: id }, store, path) => {
    const run = await findRun(store, path, id);
    const done = await cancelling.perform({ store, run, name: run.job });
    return sayDone(done, { run: run.id, job: run.job });
  },
});
