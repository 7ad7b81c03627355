// The actions on a run and its job: to pause the job and let it send again, to end the run for good, to write its tables
// again (a download is no action: it changes nothing), and to open its failed, late and missed leads again. The uncertain
// ones, which may be paid for twice, are for the command line alone.
import { cancelling, exporting, OFFERED_OUTCOMES, retrying } from '../../app/state/change-run.js';
import { type OfJob, pausing, resuming } from '../../app/state/pause-job.js';
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
  failed: 'Reading their tickets again is free; those without a ticket are asked for again.',
  timed_out: 'Their answers may still come. Reading them again is free.',
  not_found: 'Reading their answers again is free.',
};

const ASK_AGAIN = {
  name: 'ask-anew',
  label: 'Ask for all failed ones again, for the full price',
  isChecked: false,
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
        ...(there.includes('failed') ? [ASK_AGAIN] : []),
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
    const start = done.data.queued + done.data.awaiting > 0 ? startOf(context, run, name) : [];
    return { ...done, links: [...start, linkTo(run)] };
  },
};

async function runToChange(context: UiContext, visit: Visit) {
  const run = await runIn(context, visit);
  return { store: context.store, run, name: called(context, run.job) };
}

function linkTo({ id }: Run) {
  return { path: runPath(id), text: `Run ${id}` };
}

/** The link that starts the job; none if these pages cannot. */
function startOf(context: UiContext, run: Pick<Run, 'job' | 'waterfall'>, name: string) {
  const path = pathTo(PATHS.start, { job: run.job });
  return isStartable(context, run) ? [{ path, text: `Start ${name}` }] : [];
}

export const pauseAction: Action = {
  path: PATHS.pause,
  ask: async (context, visit) => {
    const of = await jobIn(context, visit);
    const button = `Pause ${of.name}`;
    return { ...(await pausing.ask(of)), button, back: (await placeOf(of)).path };
  },
  perform: async (context, visit) => {
    const of = await jobIn(context, visit);
    const resume = { path: pathTo(PATHS.resume, { job: of.job }), text: 'Resume it' };
    return { ...(await pausing.perform(of)), links: [await placeOf(of), resume] };
  },
};

export const resumeAction: Action = {
  path: PATHS.resume,
  ask: async (context, visit) => {
    const of = await jobIn(context, visit);
    const button = `Resume ${of.name}`;
    return { ...(await resuming.ask(of)), button, back: (await placeOf(of)).path };
  },
  perform: async (context, visit) => {
    const of = await jobIn(context, visit);
    const { job, name, store } = of;
    const done = await resuming.perform(of);
    const [last] = await store.listRuns(1, { job });
    const { isLocked } = await store.jobNow(job);
    const canStart = done.data.changed && !isLocked;
    const start = canStart ? startOf(context, last ?? { job }, name) : [];
    return { ...done, links: [...start, await placeOf(of)] };
  },
};

/** The page of the job: its run that has not ended, else the job. */
async function placeOf({ job, store }: OfJob): Promise<{ path: string; text: string }> {
  const { openRun } = await store.jobNow(job);
  return openRun === null ? { path: pathTo(PATHS.job, { job }), text: 'The job' } : linkTo(openRun);
}

/** @throws SluiceError `usage` if nothing has run under that name */
async function jobIn(context: UiContext, { params: { job = '' } }: Visit): Promise<OfJob> {
  const { environment, state, store } = context;
  if ((await store.jobNow(job)).hasRun) {
    return { store, state, environment, job, name: called(context, job) };
  }
  throw new SluiceError('usage', `Nothing has run under the name ${job} yet.`);
}
