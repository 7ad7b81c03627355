// Ending a run for good.
import { cancelRun } from '../../app/run/end/note-left.js';
import { SluiceError } from '../../model/errors.js';
import { isOpen } from '../../model/run.js';
import { leadsIn } from '../../model/tally.js';
import { formatCount } from '../../model/text/count.js';
import { type Action, called, runIn } from '../action.js';
import { PATHS, runPath } from '../paths.js';

export const cancelAction: Action = {
  path: PATHS.cancel,
  ask: async (context, params) => {
    const { id, job, state } = await runIn(context, params);
    const tally = await context.store.tally(id);
    const queued = leadsIn(tally, 'queued');
    const onTheWay = leadsIn(tally, 'submitting') + leadsIn(tally, 'awaiting');
    const canBe = isOpen(state);
    const name = called(context, job);
    return {
      title: `Cancel run ${id} of ${name}?`,
      sentences: canBe
        ? [
            `${formatCount(queued, 'lead')} will not be asked for. This cannot be undone: the next start of ${name} begins a new run.`,
            `${formatCount(onTheWay, 'lead is', 'leads are')} on the way and paid for; their answers are kept for the next run of the job.`,
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
    const { store } = context;
    const run = await runIn(context, params);
    const tally = await store.tally(run.id);
    if (!(await cancelRun(store, run.id, context.clock.now()))) {
      const { state } = (await store.findRun(run.id)) ?? run;
      const message = `Run ${run.id} is ${state}: there is nothing to cancel.`;
      throw new SluiceError('usage', message, { run: run.id, state });
    }
    const queued = leadsIn(tally, 'queued');
    return {
      title: `Run ${run.id} of ${called(context, run.job)} is cancelled`,
      sentences: [
        `${formatCount(queued, 'lead')} will not be asked for. What is on the way and paid for is kept for the next run of the job.`,
      ],
      links: [{ path: runPath(run.id), text: `Run ${run.id}` }],
    };
  },
};
