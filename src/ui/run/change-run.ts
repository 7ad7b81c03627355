// The actions on a run: to end it for good, to write its tables again (a download is no action: it changes nothing), and to
// open its failed, late and missed leads again. The uncertain ones, which may be paid for twice, are for the command line
// alone.

import { cancelling, exporting, OFFERED_OUTCOMES, retrying } from '../../app/state/change-run.js';
import { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import { retriableLeads } from '../../model/tally.js';
import { formatCount } from '../../model/text/count.js';
import { type Action, called, runIn } from '../action.js';
import { isStartable } from '../jobs/own-jobs.js';
import type { UiContext, Visit } from '../page.js';
import { PATHS, pathTo, runPath } from '../paths.js';

export const cancelAction: Action = {
  path: PATHS.cancel,
  ask: async (context, visit) => {
    const of = await runToChange(context, visit);
    const { id } = of.run;
    const asked = await cancelling.ask(of);
    return { ...asked, button: asked.canBe ? `Cancel run ${id}` : null, back: runPath(id) };
  },
  perform: async (context, visit) => {
    const of = await runToChange(context, visit);
    return { ...(await cancelling.perform(of)), links: [linkTo(of.run)] };
  },
};

export const exportAction: Action = {
  path: PATHS.export,
  ask: async (context, visit) => {
    const of = await runToChange(context, visit);
    const { canBe, ...asked } = await exporting.ask(of);
    return { ...asked, button: canBe ? 'Write them' : null, back: runPath(of.run.id) };
  },
  perform: async (context, visit) => {
    const of = await runToChange(context, visit);
    return { ...(await exporting.perform(of, context.environment)), links: [linkTo(of.run)] };
  },
};

const HINTS: Readonly<Record<(typeof OFFERED_OUTCOMES)[number], string>> = {
  failed: 'Reading their tickets again is free; those without a ticket are asked for anew.',
  timed_out: 'Their answers may still come. Reading them again is free.',
  not_found: 'Reading their answers again is free.',
};

export const retryAction: Action = {
  path: PATHS.retry,
  ask: async (context, visit) => {
    const of = await runToChange(context, visit);
    const { canBe, tally, ...asked } = await retrying.ask(of);
    const there = OFFERED_OUTCOMES.filter((outcome) => retriableLeads(tally, outcome) > 0);
    return {
      ...asked,
      choices: [
        ...there.map((outcome) => ({
          name: outcome,
          label: `${outcome.replace('_', ' ')}: ${formatCount(retriableLeads(tally, outcome), 'lead')}`,
          hint: HINTS[outcome],
          isChecked: outcome !== 'not_found',
        })),
        ...(there.includes('failed')
          ? [
              {
                name: 'ask-anew',
                label: 'Ask for all failed ones anew, for the full price',
                isChecked: false,
              },
            ]
          : []),
      ],
      button: canBe ? 'Open them again' : null,
      back: runPath(of.run.id),
    };
  },
  perform: async (context, visit) => {
    const of = await runToChange(context, visit);
    const { name, run } = of;
    const { form } = visit;
    const only = OFFERED_OUTCOMES.filter((outcome) => form.has(outcome));
    if (only.length === 0) {
      throw new SluiceError('usage', 'Nothing was chosen: say which leads to retry.');
    }
    const wish = { only, askAnew: form.has('ask-anew'), state: context.state };
    const done = await retrying.perform(of, wish);
    const canStart = done.data.queued + done.data.awaiting > 0 && isStartable(context, run);
    const start = { path: pathTo(PATHS.start, { job: run.job }), text: `Start ${name}` };
    return { ...done, links: [...(canStart ? [start] : []), linkTo(run)] };
  },
};

async function runToChange(context: UiContext, visit: Visit) {
  const run = await runIn(context, visit);
  return { store: context.store, run, name: called(context, run.job) };
}

function linkTo({ id }: Run) {
  return { path: runPath(id), text: `Run ${id}` };
}
