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
  whenNew: (path) => ({ json: [], lines: nothingYet(path) }),
  handler: async ({ last }, store, path) => {
    const found = await store.listRuns(last);
    if (found.length === 0) return { json: [], lines: nothingYet(path) };
    const runs = await Promise.all(found.map((run) => seeRun(store, run)));
    const waiting = runs.filter(({ state }) => isForUser(state) || isForWorker(state));
    const next = await Promise.all(
      waiting.map((one) =>
        findNextStep(store, one, nameCommands(one.run.job, path, commandEnvironment())),
      ),
    );
    return tellRuns(runs.map(lineOf), {
      data: runs.map(dataOf),
      next: next.filter((step) => step !== null),
    });
  },
});

function lineOf({ run, seen, state, tally }: SeenRun) {
  const { disturbances, pausedAt, task, worker } = seen;
  const parkedWhy = task?.parked?.why ?? null;
  // How fast it goes is known only to who looks twice.
  const unknown = { file: null, left: null };
  return { run, state, tally, pausedAt, worker, parkedWhy, disturbances, ...unknown };
}

function dataOf({ run, seen, tally }: SeenRun) {
  const parked = seen.task && {
    parkedUntil: seen.task.parked && new Date(seen.task.parked.until).toISOString(),
    parkedWhy: seen.task.parked?.why ?? null,
  };
  return { ...runData({ run, tally, seen }), ...parked };
}
