// sluice runs: the runs of a state file, newest first.

import { nameCommands } from '../../../app/results/name-commands.js';
import { findNextStep, type SeenRun, seeRun } from '../../../app/results/see-run.js';
import { isForUser, isForWorker } from '../../../model/run.js';
import { runData } from '../../../tell/run-data.js';
import { tellRuns } from '../../../tell/tell-runs.js';
import { commandEnvironment } from '../../command-environment.js';
import { checkLast } from '../../misuse.js';
import { nothingYet, stateCommand } from '../../open-state.js';
import { number } from '../../options.js';

export const runsCommand = stateCommand({
  lists: true,
  options: { last: number('How many', { default: 20 }) },
  prepare: ({ last }) => checkLast(last, 'runs'),
  whenNew: (path) => ({ data: [], lines: nothingYet(path) }),
  handler: async ({ last }, store, path) => {
    const found = await store.listRuns(last);
    if (found.length === 0) return { data: [], lines: nothingYet(path) };
    const runs = await Promise.all(found.map((run) => seeRun(store, run)));
    const waiting = runs.filter(({ state }) => isForUser(state) || isForWorker(state));
    const next = await Promise.all(
      waiting.map((one) =>
        findNextStep(store, one, nameCommands(one.run.job, path, commandEnvironment())),
      ),
    );
    // How fast it goes is known only to who looks twice.
    const lines = runs.map((one) => ({ ...one, file: null, left: null }));
    return tellRuns(lines, {
      data: runs.map(dataOf),
      next: next.filter((step) => step !== null),
    });
  },
});

function dataOf({ run, seen, tally }: SeenRun) {
  const parked = seen.task && {
    parkedUntil: seen.task.parked && new Date(seen.task.parked.until).toISOString(),
    parkedWhy: seen.task.parked?.why ?? null,
  };
  return { ...runData({ run, tally, seen }), ...parked };
}
