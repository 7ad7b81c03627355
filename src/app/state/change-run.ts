// Changes a run at a user's wish while no process works on it: its failures are asked for again, or its contact list is
// named.

import { SluiceError } from '../../model/errors.js';
import type { Run } from '../../model/run.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import type { RetriedOutcome, RetriedWork } from '../../ports/store/enrichments.js';
import type { Store } from '../../ports/store/store.js';
import { runOf } from '../results/run-of.js';
import { systemClock } from '../system-clock.js';
import { whileJobLocked } from './lock-job.js';

const POSITIONS_MAX = 1_000;

export interface RetryWish {
  /** The outcomes of the leads to open again. */
  readonly only: readonly RetriedOutcome[];
  /**
   * Whether to send failed enrichments again, which costs credits, instead of reading their tickets again, which is
   * free.
   */
  readonly askAnew?: boolean | undefined;
  /** The path of the state file, beside which the job is locked. */
  readonly state: string;
  readonly observe?: RunObserver | undefined;
}

/**
 * Opens the run's leads with these outcomes again; the next run of its job asks for them.
 * @throws SluiceError `usage` for a run that was cancelled or replaced by a newer run, `busy` while its job runs
 */
export async function retryRun(
  store: Store,
  runId: number,
  { only, state, askAnew = false, observe = () => undefined }: RetryWish,
): Promise<RetriedWork> {
  const run = await runOf(store, runId);
  return whileJobLocked(
    { store, job: run.job, state, clock: systemClock, observe },
    async (store) => {
      if (run.state === 'replaced' || run.state === 'cancelled') {
        throw new SluiceError(
          'usage',
          `Run ${run.id} was ${run.state}: its leads are asked for by the next run of ${run.job}. Start that instead.`,
        );
      }
      const { openRun: open } = await store.jobNow(run.job);
      if (open !== null && open.id !== run.id) {
        throw new SluiceError(
          'usage',
          `Run ${open.id} of ${run.job} is not finished yet. Continue that one first, or cancel it: sluice cancel ${open.id}.`,
        );
      }
      const at = systemClock.now();
      const deadlineAt = at + run.deadlineMs;
      const work = { queued: 0, awaiting: 0, answered: 0 };
      const steps = await store.stepRuns(run.id);
      // A lead of a waterfall has one outcome, whatever its steps have come to.
      const positions = steps.length === 0 ? undefined : await positionsOf(store, run.id, only);
      for (const { id } of steps.length > 0 ? steps : [run]) {
        const times = { at, deadlineAt, askAnew, ...(positions && { positions }) };
        const one = await store.retry(id, only, times);
        work.queued += one.queued;
        work.awaiting += one.awaiting;
        work.answered += one.answered;
      }
      observe({ kind: 'run.reopened', run, ...work });
      return work;
    },
  );
}

/** The positions of all leads that show one of these outcomes. */
async function positionsOf(
  store: Store,
  runId: number,
  outcomes: readonly RetriedOutcome[],
): Promise<number[]> {
  const all: number[] = [];
  for (const outcome of outcomes) {
    for (let position = 0; ; ) {
      const cursor = { direction: 'after', position } as const;
      const page = await store.positions(runId, { outcome }, cursor, POSITIONS_MAX);
      const last = page.at(-1);
      if (last === undefined) break;
      all.push(...page);
      position = last;
    }
  }
  return all;
}

/**
 * Names the contact list of a run if it is unknown whether it was created, or under which id.
 * @throws SluiceError `usage` if the run wants no list or has put leads into another, `busy` while its job runs
 */
export async function adoptList(
  store: Store,
  run: Run,
  listId: string,
  state: string,
): Promise<void> {
  await whileJobLocked({ store, job: run.job, state, clock: systemClock }, async (store) => {
    const list = await store.findList(run.id);
    if (list === null) {
      throw new SluiceError('usage', `Run ${run.id} has no contact list.`);
    }
    if (await store.recordList(list.id, { kind: 'created', listId, isStated: true })) return;
    throw new SluiceError(
      'usage',
      `Run ${run.id} has put leads into the contact list ${list.listId} already, and keeps to it.`,
    );
  });
}
