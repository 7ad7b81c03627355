// sluice runs: the runs of a state file, newest first.
import { printableJson } from '../../domain/printable.js';
import { command, JSON_OPTION, NUMBER, STATE_OPTION } from '../command.js';

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
    const { withState } = await import('../open-state.js');
    const { lookBeside } = await import('../../app/look-beside.js');
    const { formatNumber, formatTable, formatTime } = await import('../format.js');
    const { summaryJson } = await import('../summary.js');
    const { checkLast } = await import('../check-last.js');
    checkLast(args.last, 'runs');
    await withState(args.state, async (store) => {
      const runs = await store.listRuns(args.last);
      const tallies = await Promise.all(runs.map((run) => store.tally(run.id)));
      if (args.json) {
        for (const [i, run] of runs.entries()) {
          const tally = tallies[i];
          if (tally === undefined) continue;
          const seen = await lookBeside(store, run);
          console.log(printableJson(JSON.stringify(summaryJson(run, tally, undefined, seen))));
        }
        return;
      }
      const rows = runs.map((run, i) => [
        String(run.id),
        run.job,
        run.state,
        formatTime(run.startedAt),
        formatNumber(run.leadCount),
        formatNumber(tallies[i]?.byStatus.found ?? 0),
        formatNumber(tallies[i]?.credits ?? 0),
        run.output.out,
      ]);
      const header = ['run', 'job', 'state', 'started (UTC)', 'leads', 'found', 'credits', 'table'];
      const right = new Set(['run', 'leads', 'found', 'credits']);
      for (const line of formatTable(header, rows, right)) console.log(line);
    });
  },
});
