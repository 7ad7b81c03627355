import { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import { leadsIn } from '../../model/tally.js';
import type { Store } from '../../ports/store/store.js';
import { withDispatcher } from '../queue/open-dispatcher.js';
import { nameCommands } from '../results/name-commands.js';
import { type Environment, NO_ENVIRONMENT } from '../settings/environment.js';
import { systemClock } from '../system-clock.js';

export interface Asked {
  readonly title: string;
  readonly sentences: readonly string[];
  /** The end of a sentence about the cost. */
  readonly cost: string;
  /** Whether it is possible now; the sentences say why not. */
  readonly canBe: boolean;
  /** Whether it costs something, or cannot be undone. */
  readonly isDangerous?: boolean;
}

export interface Done<T> {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly data: T;
}

/** `state` is as in `--state`; `name` is the name of the job for its user. */
export interface OfJob {
  readonly store: Store;
  readonly state: string;
  readonly environment: Environment;
  readonly job: string;
  readonly name: string;
}

interface Paused {
  readonly paused: boolean;
  /** False if it was so before. */
  readonly changed: boolean;
}

export const pausing = {
  ask: async ({ job, name, store }: OfJob): Promise<Asked> => {
    const { openRun } = await store.jobNow(job);
    return {
      title: `Pause ${name}?`,
      sentences: [
        `Nothing new is sent for ${name}, also by a run that is at work, until it is resumed.`,
        'Results of paid requests are still collected.',
        ...((await isSending(store, openRun))
          ? []
          : ['Nothing is left to send now, so this only affects the next run.']),
      ],
      cost: 'nothing.',
      canBe: true,
    };
  },
  perform: async ({
    job,
    name,
    store,
  }: Pick<OfJob, 'job' | 'name' | 'store'>): Promise<Done<Paused>> => {
    const changed = await store.pauseJob(job, systemClock.now());
    return {
      title: changed ? `${name} is paused` : `${name} is paused already`,
      sentences: [
        'Nothing new is sent for it, also by a run that is at work; what is paid for is collected.',
      ],
      data: { paused: true, changed },
    };
  },
};

export const resuming = {
  ask: async ({ job, name, store }: OfJob): Promise<Asked> => {
    const { isLocked, task } = await store.jobNow(job);
    const isQueued = task !== null;
    const goesOn = isLocked || isQueued;
    const next = isLocked
      ? 'The process that works on it sends on.'
      : isQueued
        ? 'A worker starts it by itself.'
        : 'Nothing is sent before that, and its page says what it would cost.';
    return {
      title: `Resume ${name}?`,
      sentences: [`The next start of ${name} sends again.`, next],
      cost: goesOn
        ? 'what its run still has to ask for, up to its budget. What was said when it began still holds.'
        : 'nothing now.',
      canBe: true,
      isDangerous: goesOn,
    };
  },
  perform: async (of: OfJob): Promise<Done<Paused>> => {
    const { job, name, store } = of;
    const changed = await store.pauseJob(job, null);
    const next = await wakeWorker(of, changed);
    const { isLocked, openRun } = await store.jobNow(job);
    return {
      title: changed ? `${name} may send again` : `${name} is not paused`,
      sentences: !changed
        ? [
            openRun === null
              ? 'There is nothing to resume: it has no unfinished run.'
              : `There is nothing to resume. Run ${openRun.id} is not finished. ${nameCommands(job, of.state, of.environment).again()}`,
          ]
        : isLocked
          ? [`The process that works on ${name} sends on.`]
          : [next],
      data: { paused: false, changed },
    };
  },
};

/** Pauses a job, also at work: nothing is sent for it until it is resumed. Returns whether it was not paused before. */
export async function pauseJob(store: Store, job: string): Promise<boolean> {
  return (await pausing.perform({ store, job, name: job })).data.changed;
}

interface ResumeWish {
  /** The path or address of the state, by whose queue a worker is told. */
  readonly state: string;
  readonly environment?: Environment | undefined;
}

/** Returns whether the job was paused. A worker goes on with its open run by itself, if it has one of the queue. */
export async function resumeJob(
  store: Store,
  job: string,
  { state, environment = NO_ENVIRONMENT }: ResumeWish,
): Promise<boolean> {
  return (await resuming.perform({ store, job, name: job, state, environment })).data.changed;
}

/** Tells a worker if the job's run is one of the queue; returns the sentence about who goes on with it. */
async function wakeWorker(
  { environment, job, state, store }: OfJob,
  isChanged: boolean,
): Promise<string> {
  const { openRun, task } = await store.jobNow(job);
  if (openRun === null || task === null) return 'Start it as before; it continues.';
  if (!isChanged) return 'A worker goes on with it.';
  try {
    await withDispatcher(state, environment, (dispatcher) =>
      dispatcher.enqueue({ job, isFromFile: false }, { wakes: true }),
    );
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    return `A worker goes on with it when its time has come ("sluice runs" says when); the worker could not be reached now: ${error.logged}`;
  }
  await store.noteTask(openRun.id, null);
  return 'A worker goes on with it.';
}

/** Whether its run has something to send, or may read it yet. */
async function isSending(store: Store, open: Run | null): Promise<boolean> {
  if (open === null) return false;
  return open.state === 'reading' || leadsIn(await store.tally(open.id), 'queued') > 0;
}
