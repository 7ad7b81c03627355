// The pages that pause a job, and let it send again.
import { type OfJob, pausing, resuming } from '../../app/state/pause-job.js';
import { SluiceError } from '../../model/errors.js';
import { type Action, called } from '../action.js';
import type { UiContext, Visit } from '../page.js';
import { PATHS, pathTo, runPath } from '../paths.js';
import { isStartable } from './own-jobs.js';

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
    const canStart = done.data.changed && isStartable(context, last ?? { job }) && !isLocked;
    const start = { path: pathTo(PATHS.start, { job }), text: `Start ${name}` };
    return { ...done, links: [...(canStart ? [start] : []), await placeOf(of)] };
  },
};

/** The page of the job: its run that has not ended, else the job. */
async function placeOf({ job, store }: OfJob): Promise<{ path: string; text: string }> {
  const { openRun: open } = await store.jobNow(job);
  if (open !== null) return { path: runPath(open.id), text: `Run ${open.id}` };
  return { path: pathTo(PATHS.job, { job }), text: 'The job' };
}

/** @throws SluiceError `usage` if nothing has run under that name */
async function jobIn(context: UiContext, { params: { job = '' } }: Visit): Promise<OfJob> {
  const { environment, state, store } = context;
  if ((await store.jobNow(job)).hasRun) {
    return { store, state, environment, job, name: called(context, job) };
  }
  throw new SluiceError('usage', `Nothing has run under the name ${job} yet.`);
}
