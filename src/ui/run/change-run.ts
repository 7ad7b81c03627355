// The actions on a run and its job: to pause the job and let it send again, to end the run for good, to write its tables
// again (a download is no action: it changes nothing), and to open its failed, late and missed leads again. The uncertain
// ones, which may be paid for twice, are for the command line alone.
import { cancelling, exporting, OFFERED_OUTCOMES, retrying } from '../../app/state/change-run.js';
import { type OfJob, pausing, resuming } from '../../app/state/pause-job.js';
import { wrongUse } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import { retriableLeads } from '../../model/tally.js';
import { formatCount } from '../../model/text/count.js';
import { type Action, called, runIn } from '../action.js';
import { isStartable } from '../jobs/own-jobs.js';
import { memoryOf, type Told } from '../memory.js';
import type { Goto, UiContext, Visit } from '../page.js';
import { PATHS, pathTo, runPath } from '../paths.js';
import { startAgain } from '../start/start-job.js';

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
    return backTo(context, of.run, await cancelling.perform(of));
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
    return backTo(context, of.run, await exporting.perform(of, context.environment));
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
    const { form } = visit;
    const only = OFFERED_OUTCOMES.filter((outcome) => form.has(outcome));
    if (only.length === 0) {
      throw wrongUse('Nothing was chosen: say which leads to retry.');
    }
    const wish = { only, askAnew: form.has('ask-anew'), state: context.state };
    return backTo(context, of.run, await retrying.perform(of, wish));
  },
};

async function runToChange(context: UiContext, visit: Visit) {
  const run = await runIn(context, visit);
  return { store: context.store, run, name: called(context, run.job) };
}

/** The page of the run, which says what was done. */
function backTo(context: UiContext, { id }: Run, done: Told): Goto {
  return { goto: pathTo(PATHS.run, { run: id }, { did: memoryOf(context).tell(done) }) };
}

/** The page of the run from which the user came, which says how many of the leads that waited are sent meanwhile. */
function whatWaited({ form }: Visit): Goto | null {
  const [run, waited] = [form.get('run'), form.get('waited')];
  return run === null ? null : { goto: pathTo(PATHS.run, { run }, { waited }) };
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
    const done = await pausing.perform(of);
    const resume = { path: pathTo(PATHS.resume, { job: of.job }), text: 'Resume it' };
    return whatWaited(visit) ?? { ...done, links: [await placeOf(of), resume] };
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
    // Its process begins after this, so it finds the job resumed.
    if (visit.form.has('budget')) await startAgain(context, job, visit.form);
    const done = await resuming.perform(of);
    const { isLocked } = await store.jobNow(job);
    const canStart = done.data.changed && !isLocked && isStartable(context, job);
    const start = { path: pathTo(PATHS.start, { job }), text: `Start ${name}` };
    return (
      whatWaited(visit) ?? { ...done, links: [...(canStart ? [start] : []), await placeOf(of)] }
    );
  },
};

/** The page of the job: its run that has not ended, else the job. */
async function placeOf({ job, store }: OfJob): Promise<{ path: string; text: string }> {
  const { openRun } = await store.jobNow(job);
  return openRun === null
    ? { path: pathTo(PATHS.job, { job }), text: 'The job' }
    : { path: runPath(openRun.id), text: `Run ${openRun.id}` };
}

/** @throws SluiceError `usage` if nothing has run under that name */
async function jobIn(context: UiContext, { params: { job = '' } }: Visit): Promise<OfJob> {
  const { environment, state, store } = context;
  if ((await store.jobNow(job)).hasRun) {
    return { store, state, environment, job, name: called(context, job) };
  }
  throw wrongUse(`Nothing has run under the name ${job} yet.`);
}
