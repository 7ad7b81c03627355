import { sumCredits } from '../../model/credits.js';
import { UNANSWERED } from '../../model/enrichment/arrows.js';
import type { CommandNames } from '../../model/report/advice.js';
import { nextStep } from '../../model/report/next-step.js';
import { type OpenCharges, openCharges } from '../../model/report/open-charges.js';
import type { SeenBeside } from '../../model/report/run-figures.js';
import { isOpen, type Run, type ShownState, shownState } from '../../model/run.js';
import { metCap } from '../../model/schedule/caps.js';
import { leadsIn, type RunTally } from '../../model/tally.js';
import type { Clock } from '../../ports/clock.js';
import type { RefusedDeliveries } from '../../ports/store/deliveries.js';
import type { Disturbance } from '../../ports/store/events.js';
import type { Store } from '../../ports/store/store.js';
import { budgetUseOf, openChargesOf } from '../../run/send/budget.js';
import { openKeyring } from '../state/state-file.js';
import { systemClock } from '../system-clock.js';
import { runOf } from './run-of.js';

export interface SeenRun {
  readonly run: Run;
  readonly tally: RunTally;
  readonly seen: SeenBeside;
  readonly state: ShownState;
  readonly charges: OpenCharges;
}

interface Look {
  readonly clock?: Clock;
}

export async function seeRun(
  store: Store,
  before: Run,
  { clock = systemClock }: Look = {},
): Promise<SeenRun> {
  const seen = await seeBeside(store, before, clock);
  // A process that has just released the job may have ended the run before.
  const run = (await store.findRun(before.id)) ?? before;
  const tally = await tallyOf(store, run);
  return {
    run,
    tally,
    seen,
    state: shownState(run, seen),
    charges: await findCharges(store, run, tally),
  };
}

/**
 * The facts besides its leads.
 * @throws SluiceError `usage` for an unknown run
 */
export async function lookBeside(store: Store, runId: number, { clock = systemClock }: Look = {}) {
  return seeBeside(store, await runOf(store, runId), clock);
}

async function seeBeside(store: Store, run: Run, clock: Clock): Promise<SeenBeside> {
  const { holder, isLocked, openRun, pausedAt, task } = await store.jobNow(run.job);
  const isAtWork = isOpen(run.state) && isLocked;
  return {
    pendingDeliveries: await store.countPending(),
    disturbances: await findDisturbances(store, run, clock),
    refused: await findRefused(store, run, clock),
    list: await store.findList(run.id),
    pausedAt,
    isAtWork,
    worker: isAtWork ? holder : null,
    task: openRun?.id === run.id && !isAtWork ? task : null,
    budget: await budgetUseOf(store, run),
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

/** All sends of the run are read, so this is done only if a lead shows that there is something to find. */
async function findCharges(store: Store, run: Run, tally: RunTally): Promise<OpenCharges> {
  const isOpen =
    tally.hasLostSends === true || UNANSWERED.some((state) => leadsIn(tally, state) > 0);
  return isOpen ? openChargesOf(store, run) : openCharges([], run.prices);
}

/**
 * The tally of a run. If it was replaced or cancelled, the leads are as they were at that time: later answers to them are
 * another run's. What the run paid is its own, whenever the answers came.
 */
export async function tallyOf(store: Store, { id, left, state }: Run): Promise<RunTally> {
  const kept = isOpen(state) ? undefined : left?.tally;
  return kept === undefined ? store.tally(id) : { ...kept, ...(await paidOf(store, id, kept)) };
}

async function paidOf(store: Store, run: number, { steps }: RunTally) {
  const paidBy = async (one: number): Promise<number> => (await store.commitment(one)).spent;
  if (steps === undefined) return { credits: await paidBy(run) };
  const paid = new Map<string | undefined, number>();
  for (const { id, step } of await store.stepRuns(run)) paid.set(step?.name, await paidBy(id));
  return {
    credits: sumCredits([...paid.values()]),
    steps: steps.map((one) => ({ ...one, credits: paid.get(one.step) ?? 0 })),
  };
}

/** The sentence about the next step; null if it has finished, or a process works on it. */
export async function findNextStep(
  store: Store,
  { run, seen, state }: SeenRun,
  names: CommandNames,
  { clock = systemClock }: Look = {},
): Promise<string | null> {
  const { budget, pausedAt, task } = seen;
  return nextStep(
    {
      run,
      state,
      pausedAt,
      parked: task?.parked ?? null,
      successor: state === 'replaced' ? await findSuccessor(store, run) : null,
      cap: state === 'stopped_at_cap' ? await findMet(store, run, clock) : null,
      budget:
        state === 'stopped_at_budget' && budget !== null
          ? { ...budget, queued: (await store.work(run.id)).queued }
          : null,
    },
    names,
  );
}

/** The cap that stopped a run, or a step of a waterfall; null if there is room again. */
async function findMet(store: Store, run: Run, clock: Clock) {
  for (const of of [run, ...(await store.stepRuns(run.id))]) {
    const met = metCap(await store.caps(of.account, clock.now(), of.caps), of.priceMax ?? 0);
    if (met !== undefined) return { met, of };
  }
  return null;
}

async function findSuccessor(store: Store, { id, job }: Run): Promise<number | null> {
  const [next] = await store.listRuns(1, { job, after: id });
  return next?.id ?? null;
}
