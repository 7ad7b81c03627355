// Sends queued enrichments: first the permit, then the durable intent, then the request, then the record of what became of it.

import { timesCredits } from '../../model/credits.js';
import { WAITS_MS } from '../../model/enrichment/stand.js';
import { SluiceError } from '../../model/errors.js';
import { groupWrites } from '../../model/schedule/group-writes.js';
import { formatCount, formatNumber } from '../../model/text/count.js';
import { formatTime } from '../../model/text/format-time.js';
import { shellWord } from '../../model/text/printable.js';
import { highestPrice } from '../../model/verdict.js';
import type { Permit } from '../../ports/platform.js';
import type { Claim, ClaimedEnrichment, SubmitRecord } from '../../ports/store/enrichments.js';
import { observeSettled } from '../observe-settled.js';
import type { ReadingContext, RunContext } from '../run-context.js';
import { createTaskPool, gather } from '../task-pool.js';
import { slowDown } from '../trouble.js';
import { openBudget } from './budget.js';
import { createCallHistory } from './call-history.js';
import { openCapGate } from './caps.js';
import { openHitGate } from './hit-rate.js';
import { firstRoom, hasManyUnread, unreadProblem } from './may-send.js';
import { saveRecords, sendBatch } from './send-batch.js';

/** The number of bulk calls at a time: each holds hundreds of enrichments in memory. */
const BULK_TASKS_MAX = 4;
/** How long a bulk call waits for more leads to be read. */
const FILL_MS_MAX = 1_000;
/** How long to wait if another run has taken over the queued enrichments. */
const TAKEN_OVER_MS_MIN = 25;
const TAKEN_OVER_MS_MAX = 10_000;
/** How long to wait for enrichments on their way to leave room: in the budget, in a cap, or in the first batch. */
const ROOM_LOOK_MS = 500;

/** How often to look whether a paused job is resumed, while answers still come. */
const PAUSE_LOOK_MS = 500;

type Sending = Awaited<ReturnType<typeof openSending>>;

/**
 * @throws SluiceError `platform` when going on is useless, `budget` or `cap` if a request could cost too much, `hit-rate`
 * if too little is found, `paused` if the job is paused; enrichments that were not sent stay queued
 */
export async function submit(context: RunContext): Promise<void> {
  const { backlog, drain } = context;
  const sending = await openSending(context);
  const { pool } = sending;
  try {
    while (!drain.aborted && !pool.hasGivenUp()) {
      if (backlog.queued === 0 && !backlog.isReading && pool.isEmpty()) break;
      const room = await awaitRoom(sending);
      if (room > 0) await startCalls(sending, room);
    }
  } catch (error) {
    pool.giveUp(error);
  }
  try {
    await pool.land();
  } finally {
    await noteOutage(context, sending.history.isOut());
  }
}

/** The next run of the account begins with one request. */
async function noteOutage({ backlog, run, store }: RunContext, isOut?: boolean): Promise<void> {
  if (isOut === undefined || isOut === backlog.isAfterOutage) return;
  await store.noteOutage(run.account, isOut);
  backlog.startsAfter(isOut);
}

async function openSending(context: RunContext) {
  const { backlog, concurrency } = context;
  return {
    context,
    pool: createTaskPool(concurrency, () => backlog.changed()),
    recorder: groupWrites<SubmitRecord>(
      () => gather(context),
      (records) => saveRecords(context, records),
    ),
    history: createCallHistory(context),
    budget: await openBudget(context),
    caps: await openCapGate(context),
    hits: openHitGate(context),
    isToldShort: false,
    /** The time since which a bulk call could go that is not full. */
    fillingSince: undefined as number | undefined,
  };
}

function callRoom({ context: { concurrency }, history, pool }: Sending): number {
  if (history.isAlone()) return pool.isEmpty() ? 1 : 0;
  const callsMax = history.isBulk() ? Math.min(BULK_TASKS_MAX, concurrency) : concurrency;
  return pool.room() - (concurrency - callsMax);
}

/**
 * Without room it waits for a change in the same turn as the look, because a change in between would wake no waiter,
 * and returns 0: ask again.
 */
async function awaitRoom(sending: Sending): Promise<number> {
  const { budget, caps, context, hits, pool } = sending;
  const { backlog, clock, drain } = context;
  const wait = async (until?: number): Promise<0> => {
    await backlog.wait(clock, drain, until);
    return 0;
  };
  const hold = (until?: number): Promise<0> => {
    backlog.noteWaiting(true);
    return wait(until);
  };
  if (backlog.sendingProblem !== undefined) throw backlog.sendingProblem;
  if (callRoom(sending) <= 0 || backlog.queued === 0) return wait();
  const fullAt = fillsUntil(sending);
  if (clock.now() < fullAt) return wait(fullAt);
  if (hasManyUnread(context)) {
    if (pool.isEmpty() && backlog.awaiting === 0) throw unreadProblem(context);
    return hold();
  }
  const first = await firstRoom(context);
  if (first === 0) return hold(clock.now() + ROOM_LOOK_MS);
  const { moneyBudget } = context;
  const payable = await budget.room();
  const shared = (await moneyBudget?.room()) ?? Number.POSITIVE_INFINITY;
  // Enrichments on their way may cost less than their highest price, and may be found.
  const mayShrink = backlog.awaiting > 0 || backlog.awaitsWebhook(clock.now());
  const untold = await hits.room();
  // Where no answer is awaited, the hit rate holds up nothing.
  const sendable = untold > 0 || mayShrink || !pool.isEmpty() ? untold : callRoom(sending);
  const room = Math.min(first, payable, shared, sendable, await caps.room());
  if (room > 0) {
    backlog.noteWaiting(false);
    return room;
  }
  const isShared = shared === 0 && moneyBudget?.mayShrink() === true;
  if (pool.isEmpty() && !mayShrink && !isShared) {
    throw (payable === 0 ? budget : shared === 0 ? moneyBudget : caps)?.problem();
  }
  return hold(clock.now() + ROOM_LOOK_MS);
}

/** The time until which a bulk call that is not full waits for more leads to be read; 0 if it need not wait. */
function fillsUntil(sending: Sending): number {
  const { backlog, clock } = sending.context;
  if (!sending.history.isBulk() || !backlog.isReading || backlog.queued >= sending.history.size()) {
    sending.fillingSince = undefined;
    return 0;
  }
  sending.fillingSince ??= clock.now();
  return sending.fillingSince + FILL_MS_MAX;
}

async function startCalls(sending: Sending, room: number): Promise<void> {
  const { budget, context, history, pool } = sending;
  const { backlog, drain, platform } = context;
  if (!(await context.whenReady())) history.doubt();
  warnShort(sending);
  await slowDown(context, 'submit', history.pauseMs());
  // Requests land together: a claim for each would cost a sync for each.
  await gather(context);
  const size = history.size();
  const isBulk = history.isBulk();
  const calls = Math.ceil(Math.min(backlog.queued, room) / size);
  const wanted = Math.min(callRoom(sending), calls);
  const permits = await platform.reserve('submit', wanted, drain);
  const { claimed, known, waiting } = await claim(
    sending,
    Math.min(permits.length * size, room),
    isBulk,
  );
  if (claimed.length > 0) {
    budget.reserve(claimed.map(({ request }) => request));
    context.observe({ kind: 'enrichments.claimed', enrichments: claimed.map(({ id }) => id) });
  }
  // The next call waits for a full time of its own.
  sending.fillingSince = undefined;
  for (const [permit, batch] of dealOut(permits, claimed)) {
    if (batch.length === 0) permit.release();
    else pool.start(() => send(sending, batch, { permit, isBulk }));
  }
  if (claimed.length > 0 || known.length > 0) return;
  if (waiting > 0) await backlog.wait(context.clock, drain, context.clock.now() + WAITS_MS);
  else await lookWhy(sending);
}

/** Tells once that the credits of the account may not suffice. */
function warnShort(sending: Sending): void {
  const { backlog, balance, observe, run, terms } = sending.context;
  const left = balance?.();
  const most = timesCredits(highestPrice(terms.ask, terms.prices), backlog.queued);
  const needed = Math.min(most, run.budget ?? most);
  if (sending.isToldShort || left === undefined || needed <= left) return;
  sending.isToldShort = true;
  const message = `The account has ${formatCount(left, 'credit')}, and what is to be sent may cost ${formatNumber(needed)}${terms.arePricesAssumed ? ' (prices assumed)' : ''}.`;
  observe({ kind: 'run.warned', warning: 'credits_short', message });
}

async function send(
  sending: Sending,
  batch: readonly ClaimedEnrichment[],
  call: { readonly permit: Permit; readonly isBulk: boolean },
): Promise<void> {
  const { context, history, pool, recorder } = sending;
  const since = history.begin();
  const { records, whole } = await sendBatch(context, batch, call);
  await Promise.all(records.map((record) => recorder.add(record)));
  const problem = history.note(whole, batch.length, since);
  if (problem !== undefined) pool.giveUp(problem);
}

const NOTHING_CLAIMED: Claim = { claimed: [], known: [], awaiting: 0, waiting: 0 };

/** Fewer if another run has taken some over. */
async function claim(
  { caps, context, pool }: Sending,
  limit: number,
  isBulk: boolean,
): Promise<Claim> {
  const { backlog, clock, drain, observe, platform, moneyBudget, run, store, terms } = context;
  if (drain.aborted || pool.hasGivenUp()) return NOTHING_CLAIMED;
  const most = moneyBudget?.take(limit) ?? limit;
  if (most === 0) return NOTHING_CLAIMED;
  try {
    const before = backlog.queued;
    const isAlike = isBulk && platform.asksAlike;
    const { prices } = terms;
    const at = clock.now();
    const wish = { isAlike, prices, caps: run.caps, look: lookAt(context, at) };
    const all = await store.claim(run.id, most, at, wish);
    const { claimed, known, waiting } = all;
    moneyBudget?.claimed(
      most,
      claimed.map(({ request }) => request),
    );
    // The remaining enrichments may ask for something else, or wait for room in a cap. A cap that is new is met below.
    const hasRunDry = claimed.length < (isAlike ? 1 : most) && (await caps.room()) > 0;
    // Enrichments that were queued while the store was asked are not part of its answer.
    backlog.known(all, at);
    const left = before - known.length - waiting;
    backlog.claimed(hasRunDry ? Math.max(0, left) : claimed.length);
    observeSettled(observe, 'submit', known);
    return all;
  } catch (error) {
    pool.giveUp(error);
    return NOTHING_CLAIMED;
  }
}

function lookAt({ deadlineMs, freshForMs, startedAt, terms }: ReadingContext, at: number) {
  return {
    freshSince: startedAt - freshForMs,
    deadlineAt: at + deadlineMs,
    ...(terms.isExact && { isExact: true }),
  };
}

/** Ends what is known by others and costs nothing, where a budget or a cap ended the sending. */
export async function answerKnown(context: ReadingContext): Promise<void> {
  const { backlog, clock, drain, observe, run, store } = context;
  for (let after: number | null = 0; after !== null && !drain.aborted; ) {
    const at = clock.now();
    const told = await store.answerKnown(run.id, at, lookAt(context, at), after);
    backlog.known(told, at);
    observeSettled(observe, 'submit', told.known);
    after = told.last;
  }
}

/**
 * Finds out why nothing could be claimed although something was queued: a cap is met, the job is paused, this run is
 * cancelled and will learn that in a moment, or another run has taken the enrichments over. That run gets the time to send them,
 * longer each time and different for any two runs: else they would take them from each other again and again.
 * @throws SluiceError `paused`
 */
async function lookWhy({ caps, context, pool }: Sending): Promise<void> {
  const { backlog, clock, drain, observe, run, store } = context;
  if (drain.aborted) return;
  const { pausedAt: since } = await store.jobNow(run.job);
  if (since === null && (await caps.look()) === 0) return;
  if (since === null) {
    const pauseMs = Math.min(TAKEN_OVER_MS_MIN * 2 ** backlog.takenOver(), TAKEN_OVER_MS_MAX);
    await clock.sleep(pauseMs * (1 + (run.id % 10) / 10), drain);
    return;
  }
  if (backlog.awaiting > 0 || !pool.isEmpty()) {
    const message = `${run.job} is paused: nothing new is sent until it is resumed; what is paid for is still collected.`;
    observe({ kind: 'run.warned', warning: 'sending_ended', message });
    // A job that is resumed meanwhile sends on.
    const isPaused = async () => (await store.jobNow(run.job)).pausedAt !== null;
    do await clock.sleep(PAUSE_LOOK_MS, drain);
    while ((backlog.awaiting > 0 || !pool.isEmpty()) && !drain.aborted && (await isPaused()));
    return;
  }
  throw new SluiceError(
    'paused',
    `${run.job} is paused since ${formatTime(since)} (UTC): nothing new was sent, and what was paid for is collected. To go on, resume it (sluice resume ${shellWord(run.job)}) and start it again.`,
  );
}

function dealOut(
  permits: readonly Permit[],
  claimed: readonly ClaimedEnrichment[],
): (readonly [Permit, readonly ClaimedEnrichment[]])[] {
  const share = Math.ceil(claimed.length / Math.max(1, permits.length));
  return permits.map((permit, i) => [permit, claimed.slice(i * share, (i + 1) * share)]);
}
