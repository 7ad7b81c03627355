// sluice runs: the runs of a state file, newest first.
import { findNextStep, seeRun } from '../../../app/results/see-run.js';
import { isForUser, isForWorker, wordsOfState } from '../../../model/run.js';
import { printable } from '../../../model/text/printable.js';
import { NUMBER } from '../../command.js';
import { checkLast } from '../../misuse.js';
import { nothingYet, stateCommand } from '../../open-state.js';
import { commandNames } from '../../print/advise.js';
import { formatNumber, formatTable, formatTime } from '../../print/format.js';
import { summaryJson } from '../../print/summary.js';

const HEADER = ['run', 'job', 'state', 'started (UTC)', 'leads', 'found', 'credits', 'table'];
const NUMBERS = new Set(['run', 'leads', 'found', 'credits']);

export const runsCommand = stateCommand({
  builder: (yargs) => yargs.options({ last: { ...NUMBER, default: 20, describe: 'How many' } }),
  prepare: ({ last }) => checkLast(last, 'runs'),
  whenNew: (path) => ({ json: [], lines: nothingYet(path) }),
  handler: async ({ last }, store, path) => {
    const found = await store.listRuns(last);
    if (found.length === 0) return { json: [], lines: nothingYet(path) };
    const runs = await Promise.all(found.map((run) => seeRun(store, run)));
    const rows = runs.map(({ run, tally, state }) => [
      String(run.id),
      run.job,
      wordsOfState(state),
      formatTime(run.startedAt),
      formatNumber(run.leadCount),
      formatNumber(tally.byStatus.found),
      formatNumber(tally.credits),
      run.output.out,
    ]);
    const waiting = runs.filter(({ state }) => isForUser(state) || isForWorker(state));
    const steps = await Promise.all(
      waiting.map((one) => findNextStep(store, one, commandNames(one.run.job, path))),
    );
    return {
      json: runs.map(({ run, tally, seen }) => {
        const { task } = seen;
        const queue = task && {
          parked_until: task.parked && formatTime(task.parked.until),
          parked_why: task.parked?.why ?? null,
        };
        return { ...summaryJson(run, tally, undefined, seen), ...queue };
      }),
      lines: [
        ...formatTable(HEADER, rows, NUMBERS),
        ...steps.flatMap((step) => (step === null ? [] : [printable(step)])),
      ],
    };
  },
});
