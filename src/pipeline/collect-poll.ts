// Collects results by asking for each ticket when its answer is likely there.
import type { Permit } from '../domain/ports/platform.js';
import type { AwaitedEnrichment, Postponement, Settlement } from '../domain/ports/store.js';
import { createFlight } from './create-flight.js';
import { groupWrites } from './group-writes.js';
import { readAnswer } from './read-answer.js';
import type { RunContext } from './run-context.js';
import { createTroubleCounter } from './trouble-counter.js';

/** Polls in a row without any answer, with growing pauses between them, after which the platform is down. */
const UNAVAILABLE_IN_A_ROW_MAX = 20;
/** The store is asked for what is due at least this often. */
const LOOK_AGAIN_MS = 60_000;
/** Due tickets fetched at once. */
const FETCH_MAX = 200;

/**
 * Polls until every ticket is answered and no more can come, or the run drains.
 * @throws SluiceError `platform` when going on is useless; what was not answered stays awaiting
 */
export async function collectByPoll(context: RunContext): Promise<void> {
  const { backlog, clock, drain, platform, run, store } = context;
  const flight = createFlight(context.concurrency, () => backlog.changed());
  const settler = groupWrites<Settlement>((settlements) => settle(context, settlements));
  const postponer = groupWrites<Postponement>((postponements) => store.postpone(postponements));
  const trouble = createTroubleCounter(UNAVAILABLE_IN_A_ROW_MAX);
  /** Fetched and due, not asked for yet. */
  let due: AwaitedEnrichment[] = [];
  /** Being asked for: the store still lists them as due. */
  const asked = new Set<number>();

  const poll = async (awaited: AwaitedEnrichment, permit: Permit): Promise<void> => {
    try {
      const since = trouble.begin();
      const answer = await platform.read(awaited.ticket, permit, drain, awaited.request.inputs);
      const step = readAnswer(awaited, answer, context);
      if (step.kind === 'settle') await settler.add(step.settlement);
      if (step.kind === 'postpone') await postponer.add(step.postponement);
      if (answer.kind !== 'unavailable') trouble.succeeded();
      else if (answer.isFinal || (!drain.aborted && trouble.failed(since))) {
        flight.giveUp(answer.problem);
      }
      if (step.kind === 'postpone') backlog.expectPoll(step.postponement.pollAt);
    } finally {
      asked.delete(awaited.id);
    }
  };

  const fetchDue = async (): Promise<void> => {
    const now = clock.now();
    // One that lands while the store is asked is still listed as it was before.
    const busy = new Set(asked);
    const limit = FETCH_MAX + busy.size;
    backlog.nextPollAt = Number.POSITIVE_INFINITY;
    const awaited = await store.awaited(run.id, limit);
    const free = awaited.filter(({ id }) => !busy.has(id));
    due = free.filter(({ pollAt }) => pollAt <= now);
    const next = free[due.length]?.pollAt ?? (awaited.length === limit ? now : undefined);
    // A clock that was set back would make this wait for as long as it was ahead.
    if (next !== undefined) backlog.expectPoll(Math.min(next, now + LOOK_AGAIN_MS));
    // Another run may have taken over or ended what this one was counting on.
    if (awaited.length === 0 && busy.size === 0) backlog.awaiting = 0;
  };

  try {
    while (!drain.aborted && !flight.hasGivenUp()) {
      const isStale =
        backlog.awaiting > 0 && flight.isEmpty() && backlog.nextPollAt === Number.POSITIVE_INFINITY;
      if (due.length === 0 && (isStale || backlog.nextPollAt <= clock.now())) await fetchDue();
      if (flight.room() === 0 || due.length === 0) {
        const canCome = backlog.isReading || backlog.isSubmitting || backlog.awaiting > 0;
        if (!canCome && flight.isEmpty()) break;
        await backlog.wait(clock, drain, due.length === 0 ? backlog.nextPollAt : undefined);
        continue;
      }
      await context.whenReady();
      // A sleep of 0 ms too lets polls land together, and their answers be written together.
      await clock.sleep(trouble.pauseMs(), drain);
      const wanted = Math.min(flight.room(), due.length);
      const permits = await platform.reserve('poll', wanted, drain);
      const isOver = drain.aborted || flight.hasGivenUp();
      const taken = isOver ? [] : due.splice(0, permits.length);
      for (const [i, permit] of permits.entries()) {
        const awaited = taken[i];
        if (awaited === undefined) {
          permit.release();
          continue;
        }
        asked.add(awaited.id);
        flight.start(() => poll(awaited, permit));
      }
    }
  } catch (error) {
    flight.giveUp(error);
  }
  await flight.land();
}

async function settle(context: RunContext, settlements: readonly Settlement[]): Promise<void> {
  const changed = new Set(await context.store.settle(settlements));
  for (const { id, outcome } of settlements) {
    context.backlog.awaiting = Math.max(0, context.backlog.awaiting - 1);
    // Another run may have been faster; the lead is answered all the same.
    if (changed.has(id)) context.observe({ kind: 'settled', outcome, count: 1 });
  }
}
