// Facts about a run besides its leads: pending deliveries, disturbances, its contact list, and whether a process works
// on it.

import type { SeenBeside } from '../../model/report/run-figures.js';
import { isOpen, type Run } from '../../model/run.js';
import type { Clock } from '../../ports/clock.js';
import type { RefusedDeliveries } from '../../ports/store/deliveries.js';
import type { Disturbance } from '../../ports/store/events.js';
import type { Store } from '../../ports/store/store.js';
import { openKeyring } from '../state/state-file.js';
import { systemClock } from '../system-clock.js';
import { runOf } from './run-of.js';

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
