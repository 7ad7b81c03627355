// sluice cancel RUN: stops a run permanently, also one that another process is working on.
import { cancelRun } from '../../../app/run/end/note-left.js';
import { SluiceError } from '../../../model/errors.js';
import { leadsIn } from '../../../model/tally.js';
import { RUN } from '../../command.js';
import { findRun, stateCommand } from '../../open-state.js';
import { formatCount } from '../../print/format.js';

export const cancelCommand = stateCommand({
  builder: (yargs) => yargs.positional('run', RUN),
  handler: async (args, store, path) => {
    const run = await findRun(store, path, args.run);
    const tally = await store.tally(run.id);
    if (!(await cancelRun(store, run.id, Date.now()))) {
      const { state } = (await store.findRun(run.id)) ?? run;
      const message = `Run ${run.id} is ${state}: there is nothing to cancel.`;
      throw new SluiceError('usage', message, { run: run.id, state });
    }
    const queued = leadsIn(tally, 'queued');
    const submitting = leadsIn(tally, 'submitting');
    const awaiting = leadsIn(tally, 'awaiting');
    return {
      json: { run: run.id, job: run.job, queued, submitting, awaiting },
      lines: [
        `Run ${run.id} of ${run.job} is cancelled: ${formatCount(queued, 'lead')} will not be asked for; ${formatCount(awaiting, 'lead is', 'leads are')} on the way, paid for, and kept for the next run of the job.`,
        ...(submitting === 0
          ? []
          : [
              `${formatCount(submitting, 'lead')} may have been charged: what was being sent is not known until it is answered, and if its process is dead it stays uncertain.`,
            ]),
      ].join(' '),
    };
  },
});
