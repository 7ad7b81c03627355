// sluice runs: the runs of a state file, newest first.
import { printable, printableJson } from '../../../model/text/printable.js';
import { command, JSON_OPTION, NUMBER, STATE_OPTION } from '../../command.js';

interface RunsArguments {
  state: string | undefined;
  last: number;
  json: boolean;
}

export const runsCommand = command<RunsArguments>({
  command: 'runs',
  describe: 'List the runs in the state file, newest first',
  builder: (yargs) =>
    yargs.options({
      ...STATE_OPTION,
      last: { ...NUMBER, default: 20, describe: 'How many' },
      ...JSON_OPTION,
    }),
  handler: async (args) => {
    const { withState } = await import('../../open-state.js');
    const { nextStep, seeRun } = await import('../../print/look-at-run.js');
    const { formatNumber, formatTable, formatTime } = await import('../../print/format.js');
    const { summaryJson } = await import('../../print/summary.js');
    const { checkLast } = await import('../../flags/check-last.js');
    checkLast(args.last, 'runs');
    await withState(args.state, async (store, path) => {
      const found = await store.listRuns(args.last);
      const runs = await Promise.all(found.map((run) => seeRun(store, run)));
      if (args.json) {
        for (const { run, tally, seen } of runs) {
          console.log(printableJson(JSON.stringify(summaryJson(run, tally, undefined, seen))));
        }
        return;
      }
      const rows = runs.map(({ run, tally, state }) => [
        String(run.id),
        run.job,
        state,
        formatTime(run.startedAt),
        formatNumber(run.leadCount),
        formatNumber(tally.byStatus.found),
        formatNumber(tally.credits),
        run.output.out,
      ]);
      const header = ['run', 'job', 'state', 'started (UTC)', 'leads', 'found', 'credits', 'table'];
      const right = new Set(['run', 'leads', 'found', 'credits']);
      for (const line of formatTable(header, rows, right)) console.log(line);
      for (const { run, state } of runs) {
        if (state === 'interrupted') console.log(printable(nextStep(run, path)));
      }
    });
  },
});
