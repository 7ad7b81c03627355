// Pausing a job, and letting it send again.
import { resumeJob } from '../../app/queue/resume-job.js';
import { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import { leadsIn } from '../../model/tally.js';
import { type Action, called, type Params } from '../action.js';
import type { UiContext } from '../page.js';
import { PATHS, pathTo, runPath } from '../paths.js';
import { isStartable } from './own-jobs.js';

export const pauseAction: Action = {
  path: PATHS.pause,
  ask: async (context, params) => {
    const job = await jobIn(context, params);
    const name = called(context, job);
    const { openRun: open } = await context.store.jobNow(job);
    return {
      title: `Pause ${name}?`,
      sentences: [
        `Nothing new is sent for ${name}, also by a run that is at work, until it is resumed.`,
        'Results of paid requests are still collected.',
        ...((await isSending(context, open))
          ? []
          : ['Nothing is left to send now, so this only affects the next run.']),
      ],
      cost: 'nothing.',
      button: `Pause ${name}`,
      back: placeOf(job, open).path,
    };
  },
  perform: async (context, params) => {
    const job = await jobIn(context, params);
    const name = called(context, job);
    const isNew = await context.store.pauseJob(job, context.clock.now());
    return {
      title: isNew ? `${name} is paused` : `${name} is paused already`,
      sentences: ['Nothing new is sent for it; what is paid for is collected.'],
      links: [
        placeOf(job, (await context.store.jobNow(job)).openRun),
        { path: pathTo(PATHS.resume, { job }), text: 'Resume it' },
      ],
    };
  },
};

export const resumeAction: Action = {
  path: PATHS.resume,
  ask: async (context, params) => {
    const job = await jobIn(context, params);
    const name = called(context, job);
    const { isLocked, openRun } = await context.store.jobNow(job);
    const isQueued = (await context.store.openTasks()).some((task) => task.job === job);
    const goesOn = isLocked || isQueued;
    return {
      title: `Resume ${name}?`,
      sentences: [
        `The next start of ${name} sends again.`,
        ...(isLocked
          ? [
              'A run that is at work may have stopped sending already; then start it again once it has ended.',
            ]
          : [
              isQueued
                ? 'A worker starts it by itself.'
                : 'Nothing is sent before that, and its page says what it would cost.',
            ]),
      ],
      cost: goesOn
        ? 'what its run still has to ask for, up to its budget. What was said when it began still holds.'
        : 'nothing now.',
      button: `Resume ${name}`,
      isDangerous: goesOn,
      back: placeOf(job, openRun).path,
    };
  },
  perform: async (context, params) => {
    const { environment, state, store } = context;
    const job = await jobIn(context, params);
    const { isChanged, next } = await resumeJob(store, { job, state, environment });
    const name = called(context, job);
    const [last] = await store.listRuns(1, { job });
    const { isLocked, openRun } = await store.jobNow(job);
    const canStart = isChanged && isStartable(context, last ?? { job }) && !isLocked;
    return {
      title: isChanged ? `${name} may send again` : `${name} is not paused`,
      sentences: !isChanged
        ? ['There was nothing to resume.']
        : isLocked
          ? [
              `A process is still working on ${name}. If it ends before all is sent, start it again.`,
            ]
          : [next],
      links: [
        ...(canStart ? [{ path: pathTo(PATHS.start, { job }), text: `Start ${name}` }] : []),
        placeOf(job, openRun),
      ],
    };
  },
};

/** Whether its run has something to send, or may read it yet. */
async function isSending({ store }: UiContext, open: Run | null): Promise<boolean> {
  if (open === null) return false;
  return open.state === 'reading' || leadsIn(await store.tally(open.id), 'queued') > 0;
}

/** The page of the job: its run that has not ended, else the job. */
function placeOf(job: string, open: Run | null): { readonly path: string; readonly text: string } {
  if (open !== null) return { path: runPath(open.id), text: `Run ${open.id}` };
  return { path: pathTo(PATHS.job, { job }), text: 'The job' };
}

/** @throws SluiceError `usage` if nothing has run under that name */
async function jobIn({ store }: UiContext, { job = '' }: Params): Promise<string> {
  if ((await store.jobNow(job)).hasRun) return job;
  throw new SluiceError('usage', `Nothing has run under the name ${job} yet.`);
}
