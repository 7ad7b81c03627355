// Sends queued enrichments: permit first, then the durable intent, then the request, then its fate.
import { SluiceError } from '../../model/errors.js';
import { shellWord } from '../../model/text/shell-word.js';
import type { Permit, SubmitAnswer } from '../../ports/platform.js';
import type { ClaimedEnrichment, SubmitRecord } from '../../ports/store/store.js';
import { gather } from '../gather.js';
import { groupWrites } from '../group-writes.js';
import type { RunContext } from '../run-context.js';
import { firstRoom, isDoubtful, unreadProblem } from '../settle/unread-answers.js';
import { slowDown } from '../slow-down.js';
import { createTaskPool, type TaskPool } from '../task-pool.js';
import { createTroubleCounter } from '../trouble-counter.js';
import { createBatchSize } from './batch-size.js';
import { openBudget } from './budget.js';
import { recordFates, toRecord } from './record-fates.js';
import { type BatchFate, sendBatch } from './send-batch.js';

/** Sends of unknown fate in a row after which sending on would only make more of them. */
const UNCERTAIN_IN_A_ROW_MAX = 8;
/** Refused connections and the like in a row, with growing pauses between them. */
const UNSENT_IN_A_ROW_MAX = 5;
/** Throttled in a row, each after the pause that the one before asked for. */
const THROTTLED_IN_A_ROW_MAX = 8;
/** Bulk calls side by side: each holds hundreds of enrichments in memory. */
const BULK_TASKS_MAX = 4;
/** How long a bulk call waits for more leads to be read before it goes with those there are. */
const FILL_MS_MAX = 1_000;
/** How long is waited where another run has taken over what was queued. */
const OUTRUN_MS_MIN = 25;
const OUTRUN_MS_MAX = 10_000;
/** How long is waited for what is on its way to leave room: in the budget, or in the first batch. */
const ROOM_LOOK_MS = 500;

/**
 * Submits until nothing is left to read or to send, or the run drains.
 * @throws SluiceError `platform` when going on is useless, `budget` where it could cost too much, `paused`
 * where its job is; what was not sent stays queued
 */
export async function submit(context: RunContext): Promise<void> {
  const { backlog, bulkMax, clock, drain, platform } = context;
  const isBulk = bulkMax > 1;
  const tasksMax = isBulk ? Math.min(BULK_TASKS_MAX, context.concurrency) : context.concurrency;
  const pool = createTaskPool(tasksMax, () => backlog.changed());
  const recorder = groupWrites<SubmitRecord>(
    () => gather(context),
    (records) => recordFates(context, records),
  );
  const size = createBatchSize(bulkMax);
  const unsent = createTroubleCounter(UNSENT_IN_A_ROW_MAX);
  const throttled = createTroubleCounter(THROTTLED_IN_A_ROW_MAX);
  const uncertain = createTroubleCounter(UNCERTAIN_IN_A_ROW_MAX);
  /** Since when a bulk call could go, with fewer enrichments than it could hold. */
  let fillingSince: number | undefined;

  const send = async (batch: readonly ClaimedEnrichment[], permit: Permit): Promise<void> => {
    const since = { unsent: unsent.begin(), throttled: throttled.begin() };
    const fate = await sendBatch(context, batch, permit, isBulk);
    const records = batch.map((claimed, i) =>
      toRecord(fate.answers[i] as SubmitAnswer, claimed, fate.callId, context),
    );
    await Promise.all(records.map((record) => recorder.add(record)));
    noteFate(fate.whole, batch.length, since);
  };

  const noteFate = (
    whole: BatchFate['whole'],
    count: number,
    since: { readonly unsent: number; readonly throttled: number },
  ): void => {
    switch (whole.kind) {
      case 'unsent':
        // What the drain itself kept from being sent says nothing about the platform.
        if (whole.isFinal || (!drain.aborted && unsent.failed(since.unsent))) {
          pool.giveUp(whole.problem);
        }
        return;
      case 'throttled':
        if (!drain.aborted && throttled.failed(since.throttled)) pool.giveUp(whole.problem);
        return;
      case 'uncertain':
        size.doubted();
        // Each of these may have been paid for: they count one by one, also where they come together.
        if (uncertain.failed(uncertain.begin())) pool.giveUp(whole.problem);
        return;
      case 'refused':
        size.refused(count);
        break;
      case 'answered':
        size.answered();
        break;
    }
    unsent.succeeded();
    throttled.succeeded();
    uncertain.succeeded();
  };

  /** Whether a bulk call that is not full should wait for more leads to be read. */
  const isFilling = (): boolean => {
    if (!isBulk || !backlog.isReading || backlog.queued >= size.current()) {
      fillingSince = undefined;
      return false;
    }
    fillingSince ??= clock.now();
    return clock.now() < fillingSince + FILL_MS_MAX;
  };

  try {
    const budget =
      context.budget === undefined ? undefined : await openBudget(context, context.budget);
    while (!drain.aborted && !pool.hasGivenUp()) {
      if (pool.room() === 0 || backlog.queued === 0) {
        if (backlog.queued === 0 && !backlog.isReading && pool.isEmpty()) break;
        await backlog.wait(clock, drain);
        continue;
      }
      if (isFilling()) {
        await backlog.wait(clock, drain, (fillingSince ?? 0) + FILL_MS_MAX);
        continue;
      }
      if (isDoubtful(context)) {
        if (pool.isEmpty() && backlog.awaiting === 0) throw unreadProblem(context);
        await backlog.wait(clock, drain);
        continue;
      }
      const first = await firstRoom(context);
      if (first === 0) {
        await backlog.wait(clock, drain, clock.now() + ROOM_LOOK_MS);
        continue;
      }
      const room = Math.min(first, (await budget?.room()) ?? Number.POSITIVE_INFINITY);
      if (room === 0) {
        // What is on its way may cost less than it could.
        const mayShrink = backlog.awaiting > 0 || backlog.awaitsClaim(clock.now());
        if (pool.isEmpty() && !mayShrink) throw budget?.problem();
        await backlog.wait(clock, drain, clock.now() + ROOM_LOOK_MS);
        continue;
      }
      await context.whenReady();
      await slowDown(context, 'submit', unsent.pauseMs());
      // Requests land together: a claim for each would cost a sync for each.
      await gather(context);
      const calls = Math.ceil(Math.min(backlog.queued, room) / size.current());
      const wanted = Math.min(pool.room(), calls);
      const permits = await platform.reserve('submit', wanted, drain);
      const claimed = await claim(context, pool, Math.min(permits.length * size.current(), room));
      if (claimed.length > 0) {
        budget?.reserve(claimed.map(({ request }) => request));
        const enrichments = claimed.map(({ id }) => id);
        context.observe({ kind: 'enrichments.claimed', enrichments });
      }
      // The next call waits for its own second.
      fillingSince = undefined;
      for (const [permit, batch] of dealOut(permits, claimed)) {
        if (batch.length === 0) permit.release();
        else pool.start(() => send(batch, permit));
      }
      if (claimed.length === 0) await lookWhy(context);
    }
  } catch (error) {
    pool.giveUp(error);
  }
  await pool.land();
}

/** Up to `limit`, durably `submitting`; fewer where another run has taken some over. */
async function claim(
  { backlog, clock, drain, run, store }: RunContext,
  pool: TaskPool,
  limit: number,
): Promise<ClaimedEnrichment[]> {
  if (limit === 0 || drain.aborted || pool.hasGivenUp()) return [];
  try {
    const before = backlog.queued;
    const claimed = await store.claim(run.id, limit, clock.now());
    const hasRunDry = claimed.length < limit;
    // What was queued while the store was asked is not part of its answer.
    const since = backlog.queued - before;
    backlog.queued = Math.max(0, hasRunDry ? since : backlog.queued - claimed.length);
    return claimed;
  } catch (error) {
    pool.giveUp(error);
    return [];
  }
}

/**
 * There was nothing to claim, though something was queued: the job is paused, this run is cancelled and will hear of
 * it in a moment, or another run has taken it over. That one gets the time to send it, longer each time and not the
 * same for any two: they would take it from each other for ever. @throws SluiceError `paused`
 */
async function lookWhy({ backlog, clock, drain, run, store }: RunContext): Promise<void> {
  if (drain.aborted) return;
  const since = await store.pausedSince(run.job);
  if (since === null) {
    backlog.outrun += 1;
    const pauseMs = Math.min(OUTRUN_MS_MIN * 2 ** backlog.outrun, OUTRUN_MS_MAX);
    await clock.sleep(pauseMs * (1 + (run.id % 10) / 10), drain);
    return;
  }
  throw new SluiceError(
    'paused',
    `${run.job} is paused since ${new Date(since).toISOString()}: nothing new was sent, and what was paid for is collected. To go on: sluice resume ${shellWord(run.job)}, and start it again.`,
    { job: run.job, run: run.id },
  );
}

/** Gives each permit its share, in order; the last ones may get none. */
function dealOut(
  permits: readonly Permit[],
  claimed: readonly ClaimedEnrichment[],
): (readonly [Permit, readonly ClaimedEnrichment[]])[] {
  const share = Math.ceil(claimed.length / Math.max(1, permits.length));
  return permits.map((permit, i) => [permit, claimed.slice(i * share, (i + 1) * share)]);
}
