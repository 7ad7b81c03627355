// Ending a run for good.
import { cancelRun } from '../../app/run/end/note-left.js';
import { tellCancelled } from '../../model/report/open-charges.js';
import { isOpen } from '../../model/run.js';
import { type Action, called, runIn } from '../action.js';
import { PATHS, runPath } from '../paths.js';

export const cancelAction: Action = {
  path: PATHS.cancel,
  ask: async (context, params) => {
    const { id, job, state } = await runIn(context, params);
    const tally = await context.store.tally(id);
    const canBe = isOpen(state);
    const name = called(context, job);
    return {
      title: `Cancel run ${id} of ${name}?`,
      sentences: canBe
        ? [
            tellCancelled(tally),
            `This cannot be undone: the next start of ${name} begins a new run.`,
          ]
        : [`Run ${id} is ${state}: there is nothing to cancel.`],
      cost: 'nothing. What is paid for already is not given back by the platform.',
      choices: [],
      button: canBe ? `Cancel run ${id}` : null,
      isDangerous: canBe,
      back: runPath(id),
    };
  },
  perform: async (context, params) => {
    const run = await runIn(context, params);
    const tally = await cancelRun(context.store, run, context.clock.now());
    return {
      title: `Run ${run.id} of ${called(context, run.job)} is cancelled`,
      sentences: [tellCancelled(tally)],
      links: [{ path: runPath(run.id), text: `Run ${run.id}` }],
    };
  },
};
