// sluice cancel RUN: stops a run for good, also one that another process is working on.
import { printable } from '../../../model/text/printable.js';
import { command, JSON_OPTION, STATE_OPTION } from '../../command.js';

interface CancelArguments {
  run: number;
  state: string | undefined;
  json: boolean;
}

export const cancelCommand = command<CancelArguments>({
  command: 'cancel <run>',
  describe: 'Stop a run for good: nothing more is sent for it; what is paid for is kept',
  builder: (yargs) =>
    yargs
      .positional('run', { type: 'number', demandOption: true, describe: 'Number of the run' })
      .options({ ...STATE_OPTION, ...JSON_OPTION }),
  handler: async (args) => {
    const { findRun, withState } = await import('../../open-state.js');
    const { SluiceError } = await import('../../../model/errors.js');
    const { formatCount } = await import('../../print/format.js');
    const { leadsIn } = await import('../../../model/tally.js');
    await withState(args.state, async (store, path) => {
      const run = await findRun(store, path, args.run);
      const tally = await store.tally(run.id);
      if (!(await store.cancelRun(run.id, Date.now()))) {
        const now = (await store.findRun(run.id)) ?? run;
        throw new SluiceError(
          'usage',
          `Run ${run.id} is ${now.state}: there is nothing to cancel.`,
          {
            run: run.id,
            state: now.state,
          },
        );
      }
      const queued = leadsIn(tally, 'queued');
      const submitting = leadsIn(tally, 'submitting');
      const awaiting = leadsIn(tally, 'awaiting');
      if (args.json) {
        console.log(JSON.stringify({ run: run.id, job: run.job, queued, submitting, awaiting }));
        return;
      }
      console.log(
        printable(
          `Run ${run.id} of ${run.job} is cancelled: ${formatCount(queued, 'lead')} will not be asked for; ${submitting + awaiting} on their way are paid for, and serve the next run of the job.`,
        ),
      );
    });
  },
});
