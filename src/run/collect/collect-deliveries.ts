// Collects results from the delivery journal, into which this process's own listener or a `sluice listen` beside it
// writes.
import type {
  DeliveryStep,
  HandledDelivery,
  PendingDelivery,
} from '../../ports/store/deliveries.js';
import { observeSettled, type Settled, settledAmong } from '../observe-settled.js';
import type { RunContext, SettlingContext } from '../run-context.js';
import { judgeDeliveries } from './judge-delivery.js';
import { reportUnread, saveReadings } from './unread-answers.js';

const HANDLE_MAX = 200;
const LOOK_MS = 200;

/** Also those that came while no process ran, until the polls end, which look again at what a delivery has postponed. */
export async function collectDeliveries(context: RunContext): Promise<void> {
  const { backlog, callbacks, clock, drain, store } = context;
  const matters = (): boolean => backlog.hasDeliveries || !backlog.isPolling;
  let lookAt = clock.now();
  while (!drain.aborted) {
    if (!backlog.hasDeliveries && clock.now() < lookAt) {
      if (!backlog.isPolling) return;
      await backlog.wait(clock, drain, lookAt, matters);
      continue;
    }
    backlog.fetchingDeliveries();
    const pending = await store.pendingDeliveries(callbacks.scope, HANDLE_MAX);
    if (pending.length === 0) {
      // The journal was read after the last answer was due: nothing of this run is under way any more.
      if (!backlog.isPolling) return;
      lookAt = clock.now() + LOOK_MS;
      continue;
    }
    await handleDeliveries(context, pending);
    // The other steps get their turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Handles all pending deliveries: those that came meanwhile count before anything is sent again. */
export async function handlePending(context: SettlingContext): Promise<HandledCount> {
  let [deliveries, changed] = [0, 0];
  let last: readonly PendingDelivery[] = [];
  for (;;) {
    const pending = await context.store.pendingDeliveries(context.callbacks.scope, HANDLE_MAX);
    // A delivery whose ticket has just become known is looked at again, and counts once.
    const again = new Set(pending.map(({ id }) => id));
    deliveries += last.filter(({ id }) => !again.has(id)).length;
    if (pending.length === 0 || context.drain.aborted) return { deliveries, changed };
    changed += await handleDeliveries(context, pending);
    last = pending;
  }
}

export interface HandledCount {
  /** The number of deliveries that were pending, and are not any more. */
  readonly deliveries: number;
  readonly changed: number;
}

async function handleDeliveries(
  context: SettlingContext,
  pending: readonly PendingDelivery[],
): Promise<number> {
  const { backlog, callbacks, clock, observe, run, store } = context;
  const judged = await judgeDeliveries(context, pending);
  const handled = judged.map((entries, i): HandledDelivery => {
    const { id } = pending[i] as PendingDelivery;
    const steps = entries.map(({ step }) => step);
    const isUnread = entries.some(({ unread }) => unread !== undefined);
    const isUnclear = entries.some(({ isUnclearMiss }) => isUnclearMiss === true);
    const keepsBody = isUnclear || callbacks.keepsBodies === true;
    return { id, at: clock.now(), steps, isUnread, keepsBody };
  });
  const allChanged = await store.handleDeliveries(context.terms.account, handled);
  const changed = new Set(allChanged.map(({ id }) => id));
  const settled: Settled[] = [];
  const entries = judged.flat();
  const came = { settled: 0, postponed: 0, unchanged: 0, unknown: 0 };
  for (const { enrichment, step } of entries) {
    if (step.kind === 'postpone') backlog.expectPoll(step.postponement.pollAt);
    if (step.kind === 'stray') backlog.expectPoll(clock.now());
    const hasChanged = enrichment !== null && changed.delete(enrichment.id);
    came[effectOf(step, hasChanged)] += 1;
    if (!hasChanged || enrichment.runId !== run.id) continue;
    backlog.changedByDelivery(enrichment.state, step.kind);
    if (step.kind === 'settle') settled.push(step.settlement);
  }
  observeSettled(observe, 'webhook', settledAmong(settled, allChanged));
  reportUnread(context, entries.find(({ unread }) => unread !== undefined)?.unread);
  await saveReadings(context);
  observe({ kind: 'deliveries.handled', deliveries: pending.length, ...came });
  backlog.changed();
  return allChanged.length;
}

function effectOf(
  step: DeliveryStep,
  hasChanged: boolean,
): 'settled' | 'postponed' | 'unchanged' | 'unknown' {
  if (step.kind === 'unknown' || step.kind === 'stray') return 'unknown';
  if (!hasChanged || step.kind === 'nothing') return 'unchanged';
  return step.kind === 'settle' ? 'settled' : 'postponed';
}
