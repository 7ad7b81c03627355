// sluice cancel RUN: stops a run permanently, also one that another process is working on.
import { cancelRun } from '../../../app/run/end/note-left.js';
import { tellCancelled } from '../../../model/report/open-charges.js';
import { leadsIn } from '../../../model/tally.js';
import { RUN } from '../../command.js';
import { findRun, stateCommand } from '../../open-state.js';

export const cancelCommand = stateCommand({
  builder: (yargs) => yargs.positional('run', RUN),
  handler: async (args, store, path) => {
    const run = await findRun(store, path, args.run);
    const tally = await cancelRun(store, run, Date.now());
    const [queued, submitting, awaiting] = (['queued', 'submitting', 'awaiting'] as const).map(
      (one) => leadsIn(tally, one),
    );
    return {
      json: { run: run.id, job: run.job, queued, submitting, awaiting },
      lines: `Run ${run.id} of ${run.job} is cancelled: ${tellCancelled(tally)}`,
    };
  },
});
