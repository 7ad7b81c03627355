// Pausing a job, and letting it send again.
import { SluiceError } from '../../../model/errors.js';
import { resumeJob } from '../../queue/resume-job.js';
import type { UiContext } from '../page.js';
import { type Action, jobPath, type Params } from './action.js';
import { findOwnJob } from './own-jobs.js';

export const pauseAction: Action = {
  path: '/jobs/:job/pause',
  ask: async (context, params) => {
    const job = await jobIn(context, params);
    return {
      title: `Pause ${job}?`,
      sentences: [
        `Nothing new is sent for ${job}, also by a run that is at work, until it is resumed.`,
        'What is paid for is still collected.',
      ],
      cost: 'nothing.',
      choices: [],
      button: `Pause ${job}`,
      isDangerous: false,
      path: jobPath(job, 'pause'),
      back: '/',
    };
  },
  perform: async (context, params) => {
    const job = await jobIn(context, params);
    const isNew = await context.store.pauseJob(job, context.clock.now());
    return {
      title: isNew ? `${job} is paused` : `${job} is paused already`,
      sentences: ['Nothing new is sent for it; what is paid for is collected.'],
      links: [
        { path: '/', text: 'Runs' },
        { path: jobPath(job, 'resume'), text: 'Resume it' },
      ],
    };
  },
};

export const resumeAction: Action = {
  path: '/jobs/:job/resume',
  ask: async (context, params) => {
    const job = await jobIn(context, params);
    const isLocked = await context.store.isLocked(job);
    return {
      title: `Resume ${job}?`,
      sentences: [
        `The next start of ${job} sends again.`,
        ...(isLocked
          ? [
              'A run that is at work may have stopped sending already; then start it again once it has ended.',
            ]
          : []),
      ],
      cost: 'what its run still has to ask for, up to its budget. What was said when it began still holds.',
      choices: [],
      button: `Resume ${job}`,
      isDangerous: true,
      path: jobPath(job, 'resume'),
      back: '/',
    };
  },
  perform: async (context, params) => {
    const { environment, state, store } = context;
    const job = await jobIn(context, params);
    const { isChanged, next } = await resumeJob(store, { job, state, environment });
    const isStartable = isChanged && findOwnJob(job) !== undefined && !(await store.isLocked(job));
    return {
      title: isChanged ? `${job} may send again` : `${job} is not paused`,
      sentences: isChanged ? [next] : ['There was nothing to resume.'],
      links: [
        ...(isStartable ? [{ path: jobPath(job, 'start'), text: `Start ${job}` }] : []),
        { path: '/', text: 'Runs' },
      ],
    };
  },
};

/** @throws SluiceError `usage` where nothing has run under that name */
async function jobIn({ store }: UiContext, { job = '' }: Params): Promise<string> {
  if (await store.hasRun(job)) return job;
  throw new SluiceError('usage', `Nothing has run under the name ${job} yet.`, { job });
}
