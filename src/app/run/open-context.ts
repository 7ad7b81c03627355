// The context of a run: its settings, its callbacks, and the question that is asked before anything is paid for.
import {
  createDeadlineSchedule,
  createOverdueSchedule,
  createPollSchedule,
} from '../../model/schedule/poll-schedule.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import type { Platform } from '../../ports/platform.js';
import type { Store } from '../../ports/store/store.js';
import { Backlog } from '../../run/backlog.js';
import type { RunContext } from '../../run/run-context.js';
import { countRequests, type RequestCounter } from '../../telemetry/count-requests.js';
import { type OpenedCallbacks, openCallbacks } from '../listen/open-callbacks.js';
import { notKept } from '../listen/receive-deliveries.js';
import { openPlatform } from '../platform/open-platform.js';
import { askingTermsIn, openReadings } from './asking-terms.js';
import type { Closing } from './closing-all.js';
import type { BalanceWatch } from './end/compare-balance.js';
import { paceOf, takesSingles } from './how-to-ask.js';
import type { RunTask } from './run-task.js';

/** How long sends and answers are gathered if no rate limit keeps them few (`gatherMs`). */
const GATHER_MS = 4;

/** The schedules of polls, by the way in which results come. */
export const SCHEDULES = {
  poll: createPollSchedule,
  hybrid: createOverdueSchedule,
  webhook: createDeadlineSchedule,
} as const;

/** The open parts of a run. */
export interface RunInProgress
  extends Pick<RunContext, 'backlog' | 'platform' | 'run' | 'startedAt' | 'store' | 'terms'> {
  readonly account: string;
  readonly openedCallbacks: OpenedCallbacks;
}

export async function openContext(
  { bulkMax, clock, dialect, observe, settings }: RunTask,
  { account, balance, openedCallbacks, ...opened }: RunInProgress & { balance: BalanceWatch },
  drain: AbortSignal,
): Promise<RunContext> {
  const { platform, run, store } = opened;
  // "sluice enqueue" changes the budget of a run of the queue, whichever process works on it.
  const isQueued = (await store.findTask(run.id)) !== null;
  const prepare = async (signal: AbortSignal): Promise<void> => {
    await openedCallbacks.prepare(signal);
    await balance.begin(signal);
  };
  return {
    ...opened,
    whenReady: checkBeforeSending(platform, prepare, drain, { clock, observe }),
    clock,
    observe,
    readings: await openReadings(store, account, dialect),
    schedule: SCHEDULES[settings.collect](),
    callbacks: openedCallbacks.callbacks,
    bulkMax,
    takesSingles: takesSingles(settings, dialect),
    firstBatch: settings.firstBatch,
    budget: settings.budget,
    caps: settings.caps,
    budgetNow: isQueued ? async () => (await store.findRun(run.id))?.budget : undefined,
    concurrency: settings.concurrency,
    gatherMs: platform.leastMs(1) > 0 ? 0 : GATHER_MS,
    limit: settings.limit,
    freshForMs: settings.freshForMs,
    deadlineMs: settings.deadlineMs,
    drain,
  };
}

export interface OpenedPlatform {
  readonly requests: RequestCounter;
  readonly opened: Omit<RunInProgress, 'run' | 'startedAt'>;
}

/**
 * Opens the platform of a run, and the way on which results are delivered.
 * @throws SluiceError `usage` for a bad address, missing credentials, or a way back that cannot be
 */
export async function openForRun(
  task: RunTask,
  { closing, store }: { readonly closing: Closing; readonly store: Store },
): Promise<OpenedPlatform> {
  const { clock, dialect, environment, measuring, settings } = task;
  const pace = paceOf(settings, dialect);
  const requests = closing(countRequests(measuring.watch, { store, clock, ...pace }));
  const { watch } = requests;
  const shared = { dialect, environment, store, clock, watch };
  const { account, platform } = closing(await openPlatform(settings, shared));
  const place = { store, platform, account, backlog: new Backlog() };
  const openedCallbacks = closing(await openCallbacksFor(task, place));
  const terms = await askingTermsIn(store, settings, dialect, account);
  return { requests, opened: { ...place, openedCallbacks, terms } };
}

function openCallbacksFor(
  { clock, dialect, environment, listens = true, observe, settings }: RunTask,
  { backlog, ...place }: Pick<RunInProgress, 'account' | 'backlog' | 'platform' | 'store'>,
): Promise<OpenedCallbacks> {
  return openCallbacks({
    ...place,
    settings,
    dialect,
    environment,
    clock,
    observe,
    listens,
    onKept: () => backlog.expectDeliveries(),
    onTrouble: warnOnce(observe),
  });
}

/** Reports only the first delivery that could not be kept: the platform repeats each of them. */
function warnOnce(observe: RunObserver): (error: unknown) => void {
  let isTold = false;
  return (error) => {
    if (isTold) return;
    isTold = true;
    observe(notKept(error));
  };
}

function checkBeforeSending(
  platform: Platform,
  prepare: (signal: AbortSignal) => Promise<void>,
  drain: AbortSignal,
  { clock, observe }: Pick<RunContext, 'clock' | 'observe'>,
): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined;
  const ask = async (): Promise<boolean> => {
    const since = clock.now();
    try {
      const isShown = await platform.check(drain);
      await prepare(drain);
      observe({ kind: 'platform.ready', durationMs: clock.now() - since });
      return isShown;
    } catch (error) {
      // A request cancelled by the drain says nothing about the platform.
      if (!drain.aborted) throw error;
      return false;
    }
  };
  return () => {
    asked ??= ask();
    return asked;
  };
}
