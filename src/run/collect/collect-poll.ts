// Collects results by asking for each ticket when its answer is likely there.
import type { Permit } from '../../ports/platform.js';
import type { AwaitedEnrichment, Postponement, Settlement } from '../../ports/store/store.js';
import { gather } from '../gather.js';
import { groupWrites } from '../group-writes.js';
import { observeSettled } from '../observe-settled.js';
import type { RunContext } from '../run-context.js';
import { readAnswer } from '../settle/read-answer.js';
import { keepUnread, saveReadings } from '../settle/unread-answers.js';
import { slowDown } from '../slow-down.js';
import { createTaskPool } from '../task-pool.js';
import { createTroubleCounter } from '../trouble-counter.js';
import { pressureOf } from './pressure-of.js';

/** Polls in a row without any answer, with growing pauses between them, after which the platform is down. */
const UNAVAILABLE_IN_A_ROW_MAX = 20;
/** The store is asked for what is due at least this often: others may settle what is awaited here. */
const LOOK_AGAIN_MS = 5_000;
/** What was due this long ago may have been answered by a webhook since. */
const DUE_FRESH_MS = 1_000;
/** Looks at a time while nothing is known of the latency. */
const SCOUTS_MAX = 4;
/** Due tickets fetched at once. */
const FETCH_MAX = 200;

/**
 * Polls until every ticket is answered and no more can come, or the run drains.
 * @throws SluiceError `platform` when going on is useless; what was not answered stays awaiting
 */
export async function collectByPoll(context: RunContext): Promise<void> {
  const { backlog, clock, drain, platform, run, store } = context;
  const pool = createTaskPool(context.concurrency, () => backlog.changed());
  const gathered = (): Promise<void> => gather(context);
  const settler = groupWrites<Settlement>(gathered, (settlements) => settle(context, settlements));
  const postponer = groupWrites<Postponement>(gathered, (postponements) =>
    postpone(context, postponements),
  );
  const trouble = createTroubleCounter(UNAVAILABLE_IN_A_ROW_MAX);
  /** Fetched and due, not asked for yet. */
  let due: AwaitedEnrichment[] = [];
  let fetchedAt = Number.NEGATIVE_INFINITY;
  /** Being asked for: the store still lists them as due. */
  const asked = new Set<number>();

  /** Splits what is due by whether it is worth its request now; `nextAt` is when the next one will be. */
  const judgeDue = (): { ripe: AwaitedEnrichment[]; nextAt: number } => {
    const now = clock.now();
    const ripeAt = createRipeness(context);
    const ripe = due.filter((awaited) => ripeAt(awaited) <= now);
    if (ripe.length > 0 || due.length === 0) return { ripe, nextAt: Number.POSITIVE_INFINITY };
    // While nothing is known of the latency, a few looks at a time learn for all.
    const afterMs = asked.size > 0 ? Infinity : context.schedule.scoutAfterMs(pressureOf(context));
    const scouts = due.filter((awaited) => awaited.submittedAt + afterMs <= now);
    const next = due.map((awaited) => Math.min(ripeAt(awaited), awaited.submittedAt + afterMs));
    return { ripe: scouts.slice(0, SCOUTS_MAX), nextAt: Math.min(...next) };
  };

  const poll = async (awaited: AwaitedEnrichment, permit: Permit): Promise<void> => {
    try {
      const since = trouble.begin();
      const answer = await platform.read(awaited.ticket, permit, drain, awaited.request.inputs);
      const step = readAnswer(awaited, answer, context, { by: 'poll', at: clock.now() });
      if (step.kind === 'settle') await settler.add(step.settlement);
      if (step.kind === 'postpone') await postponer.add(step.postponement);
      if (step.kind === 'unread') await keepUnread(context, step.answer, step.problem);
      if (answer.kind !== 'unavailable') trouble.succeeded();
      else if (answer.isFinal || (!drain.aborted && trouble.failed(since))) {
        pool.giveUp(answer.problem);
      }
      if (step.kind === 'postpone') backlog.expectPoll(step.postponement.pollAt);
    } finally {
      asked.delete(awaited.id);
    }
  };

  const fetchDue = async (): Promise<void> => {
    const now = clock.now();
    fetchedAt = now;
    // One that lands while the store is asked is still listed as it was before.
    const busy = new Set(asked);
    const limit = FETCH_MAX + busy.size;
    backlog.nextPollAt = Number.POSITIVE_INFINITY;
    const awaited = await store.awaited(run.id, limit, now);
    const free = awaited.filter(({ id }) => !busy.has(id));
    const dueNow = free.filter(({ pollAt }) => pollAt <= now);
    due = await readKept(context, dueNow);
    const next = free[dueNow.length]?.pollAt ?? (awaited.length === limit ? now : undefined);
    // A clock that was set back would make this wait for as long as it was ahead.
    if (next !== undefined) backlog.expectPoll(Math.min(next, now + LOOK_AGAIN_MS));
    // Another run may have taken over or ended what this one was counting on.
    if (awaited.length === 0 && busy.size === 0) backlog.awaiting = 0;
  };

  const isTimeToFetch = (): boolean => {
    const ageMs = clock.now() - fetchedAt;
    const isNewlyDue = backlog.nextPollAt <= clock.now();
    // What is due and not ripe stands in nobody's way.
    const isFresh = ageMs < DUE_FRESH_MS && !(isNewlyDue && backlog.nextPollAt > fetchedAt);
    if (due.length > 0) return !isFresh;
    if (isNewlyDue) return true;
    if (backlog.awaiting === 0) return false;
    const isForgotten = pool.isEmpty() && backlog.nextPollAt === Number.POSITIVE_INFINITY;
    return isForgotten || ageMs >= LOOK_AGAIN_MS;
  };

  try {
    while (!drain.aborted && !pool.hasGivenUp()) {
      if (isTimeToFetch()) await fetchDue();
      const { ripe, nextAt } = judgeDue();
      if (pool.room() === 0 || ripe.length === 0) {
        if (!backlog.canCome(clock.now()) && pool.isEmpty()) break;
        const isUsed = ripe.length > 0 || (due.length > 0 && backlog.nextPollAt <= fetchedAt);
        const until = isUsed ? nextAt : Math.min(nextAt, backlog.nextPollAt);
        await backlog.wait(clock, drain, Math.min(until, wakeAt(context, fetchedAt)));
        continue;
      }
      await context.whenReady();
      await slowDown(context, 'poll', trouble.pauseMs());
      // Polls land together, and their answers are written together.
      await gather(context);
      const wanted = Math.min(pool.room(), ripe.length);
      const permits = await platform.reserve('poll', wanted, drain);
      const isOver = drain.aborted || pool.hasGivenUp();
      const taken = new Set(isOver ? [] : ripe.slice(0, permits.length));
      due = due.filter((awaited) => !taken.has(awaited));
      const left = permits.slice(taken.size);
      for (const permit of left) permit.release();
      for (const [i, awaited] of [...taken].entries()) {
        asked.add(awaited.id);
        pool.start(() => poll(awaited, permits[i] as Permit));
      }
    }
  } catch (error) {
    pool.giveUp(error);
  }
  await pool.land();
}

/** From when on what is due is worth its request, as things stand now; asked once, it has a time of its own. */
function createRipeness(context: RunContext): (awaited: AwaitedEnrichment) => number {
  const ripeAfterMs = context.schedule.ripeAfterMs(pressureOf(context));
  return ({ deadlineAt, pollAt, pollCount, submittedAt }) =>
    pollCount > 0 ? pollAt : Math.min(submittedAt + ripeAfterMs, deadlineAt);
}

/** When to look again though nothing is due: for what others settle, and for how long claims are waited for. */
function wakeAt({ backlog, clock }: RunContext, fetchedAt: number): number {
  if (backlog.awaiting > 0) return fetchedAt + LOOK_AGAIN_MS;
  return backlog.awaitsClaim(clock.now()) ? backlog.claimUntil : Number.POSITIVE_INFINITY;
}

/** Results that had to be asked for, while not one was delivered, after which something must be wrong. */
const UNDELIVERED_MAX = 20;
const NO_DELIVERIES = `${UNDELIVERED_MAX} results had to be asked for, and no webhook has come yet. Check that the platform reaches the public URL, and that it leads to the listener.`;

/** Settles what an earlier look has kept and can be read by now; returns what has to be asked for. */
async function readKept(
  context: RunContext,
  due: readonly AwaitedEnrichment[],
): Promise<AwaitedEnrichment[]> {
  const left: AwaitedEnrichment[] = [];
  const settlements: Settlement[] = [];
  for (const awaited of due) {
    const { request, ticket, unread } = awaited;
    const answer =
      unread === null ? undefined : context.platform.reread(ticket, unread, request.inputs);
    const isSaid = answer?.kind === 'done' || answer?.kind === 'failed';
    // It was looked at twice before it was kept.
    const step = isSaid
      ? readAnswer({ ...awaited, wasEmpty: true }, answer, context, {
          by: 'poll',
          at: context.clock.now(),
        })
      : undefined;
    if (step?.kind === 'settle') settlements.push(step.settlement);
    else left.push(awaited);
  }
  if (settlements.length > 0) await settle(context, settlements);
  return left;
}

async function settle(context: RunContext, settlements: readonly Settlement[]): Promise<void> {
  const { backlog, callbacks, observe, store } = context;
  const changed = new Set(await store.settle(settlements));
  // A webhook, or another run, may have been faster; the lead is answered all the same.
  const settled = settlements.filter(({ id }) => changed.has(id));
  observeSettled(observe, 'poll', settled);
  await saveReadings(context);
  const before = backlog.polled;
  backlog.polled += settled.length;
  backlog.awaiting = Math.max(0, backlog.awaiting - settled.length);
  const isMany = before < UNDELIVERED_MAX && backlog.polled >= UNDELIVERED_MAX;
  if (isMany && callbacks.isDelivered && backlog.delivered === 0) {
    observe({ kind: 'run.warned', warning: 'no_deliveries', message: NO_DELIVERIES });
  }
}

async function postpone(
  { observe, store }: RunContext,
  postponements: readonly Postponement[],
): Promise<void> {
  await store.postpone(postponements);
  observe({ kind: 'enrichments.postponed', enrichments: postponements.map(({ id }) => id) });
}
