// Facts about a run besides its leads: pending deliveries, disturbances, its contact list, and whether a process works
// on it.

import { isOpen, type Run } from '../../model/run.js';
import type { CapState } from '../../model/schedule/caps.js';
import type { Clock } from '../../ports/clock.js';
import type { StoredList } from '../../ports/store/contact-lists.js';
import type { RefusedDeliveries } from '../../ports/store/deliveries.js';
import type { Disturbance } from '../../ports/store/events.js';
import type { LockHolder, OpenTask } from '../../ports/store/jobs.js';
import type { StateSize } from '../../ports/store/maintenance.js';
import type { Store } from '../../ports/store/store.js';
import { openKeyring } from '../state/state-file.js';
import { systemClock } from '../system-clock.js';
import { runOf } from './run-of.js';

export interface SeenBeside {
  /** Deliveries of all runs in the state. */
  readonly pendingDeliveries: number;
  /** Disturbances by events of its account between its start and its end, or until now if it has not ended. */
  readonly disturbances: readonly Disturbance[];
  /** Deliveries to its account that were refused meanwhile, though their key was genuine. */
  readonly refused: readonly RefusedDeliveries[];
  /** Null if the run fills no list. */
  readonly list: StoredList | null;
  /** The time since which its job is paused; null if it is not paused. */
  readonly pausedAt: number | null;
  /** Whether a process works on it; false once the run has ended. */
  readonly isAtWork: boolean;
  /** That process; null if there is none, or it is not known. */
  readonly worker: LockHolder | null;
  /** Null if it waits for no worker. */
  readonly task: OpenTask | null;
  /** The caps under which it sends; none once it has ended. */
  readonly caps: readonly CapState[];
  /** The size of the whole state. */
  readonly stateSize: StateSize;
}

/** @throws SluiceError `usage` for an unknown run */
export async function lookBeside(
  store: Store,
  runId: number,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): Promise<SeenBeside> {
  const run = await runOf(store, runId);
  const { holder, isLocked, pausedAt } = await store.jobNow(run.job);
  const isAtWork = isOpen(run.state) && isLocked;
  const tasks = isOpen(run.state) && !isAtWork ? await store.openTasks() : [];
  return {
    pendingDeliveries: await store.countPending(),
    disturbances: await findDisturbances(store, run, clock),
    refused: await findRefused(store, run, clock),
    list: await store.findList(run.id),
    pausedAt,
    isAtWork,
    worker: isAtWork ? holder : null,
    task: tasks.find((task) => task.run === run.id) ?? null,
    caps: isOpen(run.state) ? await store.caps(run.account, clock.now(), run.caps) : [],
    stateSize: await store.size(clock.now()),
  };
}

/** The disturbances of its account between its start and its end, or until now if it has not ended. */
export async function findDisturbances(
  store: Store,
  { account, startedAt, endedAt }: Run,
  clock: Clock,
): Promise<Disturbance[]> {
  const found = await store.disturbances(startedAt, endedAt ?? clock.now());
  // Without events there may be no key yet, and reading must not create one.
  if (found.length === 0) return [];
  const own = (await openKeyring(store)).scopeOf(account);
  return found.filter(({ scope }) => scope === own);
}

/** The deliveries to the accounts of a run, and of its steps, that were refused between its start and its end. */
export async function findRefused(
  store: Store,
  { account, endedAt, id, startedAt }: Run,
  clock: Clock,
): Promise<RefusedDeliveries[]> {
  const until = endedAt ?? clock.now();
  const found = (await store.refusedDeliveries()).filter(
    ({ firstAt, lastAt }) => lastAt >= startedAt && firstAt <= until,
  );
  if (found.length === 0) return [];
  const keyring = await openKeyring(store);
  const accounts = [account, ...(await store.stepRuns(id)).map((step) => step.account)];
  const own = new Set(accounts.map((one) => keyring.scopeOf(one)));
  return found.filter(({ scope }) => own.has(scope));
}
