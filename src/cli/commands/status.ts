// sluice status [RUN]: the numbers of one run, at any time.
import { command, JSON_OPTION, STATE_OPTION } from '../command.js';

interface StatusArguments {
  run: number | undefined;
  state: string | undefined;
  json: boolean;
}

export const statusCommand = command<StatusArguments>({
  command: 'status [run]',
  describe: 'Show what happened to the leads of a run (default: the newest)',
  builder: (yargs) =>
    yargs
      .positional('run', { type: 'number', describe: 'Number of the run' })
      .options({ ...STATE_OPTION, ...JSON_OPTION }),
  handler: async (args) => {
    const { findRun, withState } = await import('../open-state.js');
    const { formatCount } = await import('../format.js');
    const { lookBeside } = await import('../../app/look-beside.js');
    const { disturbanceLines, listLine, summaryJson, summaryLines } = await import('../summary.js');
    await withState(args.state, async (store, path) => {
      const run = await findRun(store, path, args.run);
      const tally = await store.tally(run.id);
      const seen = await lookBeside(store, run);
      if (args.json) {
        console.log(JSON.stringify(summaryJson(run, tally, undefined, seen)));
        return;
      }
      for (const line of summaryLines(run, tally)) console.log(line);
      const listed = listLine(run, seen.list);
      if (listed !== undefined) console.log(listed);
      for (const line of disturbanceLines(seen.disturbances)) console.log(line);
      if (seen.pendingDeliveries > 0) {
        console.log(
          `  ${formatCount(seen.pendingDeliveries, 'delivery', 'deliveries')} from webhooks not settled yet: run the job again, or sluice replay it.`,
        );
      }
    });
  },
});
