import { groupBy } from '../../model/group-by.js';
import { groupWrites } from '../../model/schedule/group-writes.js';
import type { Permit, ReadAnswer } from '../../ports/platform.js';
import type { AwaitedEnrichment, Postponement, Settlement } from '../../ports/store/enrichments.js';
import { observeSettled, settledAmong } from '../observe-settled.js';
import type { RunContext } from '../run-context.js';
import { createTaskPool, gather } from '../task-pool.js';
import { createTroubleCounter, slowDown } from '../trouble.js';
import { DueTickets } from './due-tickets.js';
import { HELD, readAnswer } from './read-answer.js';
import { keepUnread, saveReadings } from './unread-answers.js';

/** Polls in a row without any answer, with growing pauses between them, after which the platform is down. */
const UNAVAILABLE_IN_A_ROW_MAX = 20;

type Polling = ReturnType<typeof openPolling>;

/** @throws SluiceError `platform` when going on is useless; enrichments without an answer stay awaiting */
export async function collectByPoll(context: RunContext): Promise<void> {
  const { backlog, clock, drain } = context;
  const polling = openPolling(context);
  const { due, pool } = polling;
  try {
    while (!drain.aborted && !pool.hasGivenUp()) {
      if (due.isTimeToFetch(pool.isEmpty())) {
        await due.fetch((fetched) => readKept(context, fetched));
      }
      const judged = due.judge();
      const now = clock.now();
      if (pool.room() > 0 && judged.ripe.length > 0) await startPolls(polling, judged.ripe);
      else if (!backlog.canCome(now) && pool.isEmpty()) break;
      else await backlog.wait(clock, drain, due.wakeAt(judged, now));
    }
  } catch (error) {
    pool.giveUp(error);
  }
  try {
    await pool.land();
  } finally {
    backlog.pollingEnded();
  }
}

function openPolling(context: RunContext) {
  return {
    context,
    pool: createTaskPool(context.concurrency, () => context.backlog.changed()),
    due: new DueTickets(context),
    settler: groupWrites<Settlement | Postponement>(
      () => gather(context),
      (looks) => settle(context, looks),
    ),
    trouble: createTroubleCounter(UNAVAILABLE_IN_A_ROW_MAX),
  };
}

async function startPolls(polling: Polling, ripe: readonly AwaitedEnrichment[]): Promise<void> {
  const { context, due, pool, trouble } = polling;
  await context.whenReady();
  await slowDown(context, 'poll', trouble.pauseMs());
  // Polls land together, and their answers are written together.
  await gather(context);
  const reads = [...groupBy(ripe, (one) => context.platform.readKey(one)).values()];
  const wanted = Math.min(pool.room(), reads.length);
  const until = Math.min(...ripe.map(({ deadlineAt }) => deadlineAt));
  const permits = await context.platform.reserve('poll', wanted, context.drain, until);
  const isOver = context.drain.aborted || pool.hasGivenUp();
  if (permits.length === 0 && !isOver) await endLate(polling, ripe);
  const taken = isOver ? [] : reads.slice(0, permits.length);
  due.take(taken.flat());
  for (const permit of permits.slice(taken.length)) permit.release();
  for (const [i, together] of taken.entries()) {
    pool.start(() => poll(polling, together, permits[i] as Permit));
  }
}

/** Reads all that one request reads. */
async function poll(
  polling: Polling,
  together: readonly AwaitedEnrichment[],
  permit: Permit,
): Promise<void> {
  const { context, due, pool, trouble } = polling;
  const { drain, platform } = context;
  try {
    const since = trouble.begin();
    const answers = await platform.readAll(together, permit, drain);
    await save(polling, together, answers);
    const [answer] = answers;
    if (answer?.kind !== 'unavailable') trouble.succeeded();
    else if (
      answer.isFinal ||
      (!drain.aborted && answer.isThrottled !== true && trouble.failed(since))
    ) {
      pool.giveUp(answer.problem);
    }
  } finally {
    for (const one of together) due.landed(one);
  }
}

/** In a long pause, which lets no look go: a deadline holds all the same. */
async function endLate(polling: Polling, ripe: readonly AwaitedEnrichment[]): Promise<void> {
  const { context, due } = polling;
  const late = ripe.filter(({ deadlineAt }) => deadlineAt <= context.clock.now());
  due.take(late);
  await save(polling, late, Array(late.length).fill(HELD));
  for (const one of late) due.landed(one);
}

async function save(
  { context, settler }: Polling,
  together: readonly AwaitedEnrichment[],
  answers: readonly (ReadAnswer | typeof HELD)[],
): Promise<void> {
  const { backlog, clock } = context;
  const heard = { by: 'poll', at: clock.now() } as const;
  const steps = together.map((one, i) => readAnswer(one, answers[i] as ReadAnswer, context, heard));
  const postponed = steps.flatMap((step) => (step.kind === 'postpone' ? step.postponement : []));
  // One request looks at all of them.
  const pollAt = Math.min(...postponed.map((one) => one.pollAt));
  await Promise.all([
    ...steps.map((step) => step.kind === 'settle' && settler.add(step.settlement)),
    ...postponed.map((one) => settler.add({ ...one, pollAt })),
  ]);
  for (const step of steps) {
    if (step.kind === 'unread') await keepUnread(context, step.answer, step.problem);
  }
  if (postponed.length > 0) backlog.expectPoll(pollAt);
}

/** Settles the kept answers that can be read now. Returns the tickets that have to be polled. */
async function readKept(
  context: RunContext,
  due: readonly AwaitedEnrichment[],
): Promise<AwaitedEnrichment[]> {
  const { clock } = context;
  const left: AwaitedEnrichment[] = [];
  const settlements: Settlement[] = [];
  for (const awaited of due) {
    const { request, ticket, unread } = awaited;
    const answer = unread === null ? undefined : context.platform.reread(ticket, unread, request);
    const isSaid = answer?.kind === 'done' || answer?.kind === 'failed';
    // The answer was looked at twice before it was kept.
    const heard = { by: 'poll', at: clock.now(), isLast: true } as const;
    const step = isSaid ? readAnswer(awaited, answer, context, heard) : undefined;
    if (step?.kind === 'settle') settlements.push(step.settlement);
    else left.push(awaited);
  }
  if (settlements.length > 0) await settle(context, settlements);
  return left;
}

/** The number of polled results without a single delivery after which something must be wrong. */
const UNDELIVERED_MAX = 20;
const NO_DELIVERIES = `${UNDELIVERED_MAX} results had to be asked for, and no webhook has come yet. Check that the platform reaches the public URL, and that it leads to the listener.`;

async function settle(
  context: RunContext,
  looks: readonly (Settlement | Postponement)[],
): Promise<void> {
  const { backlog, callbacks, observe, store } = context;
  const changed = await store.settle(looks);
  const postponed = looks.flatMap((one) => ('outcome' in one ? [] : one.id));
  if (postponed.length > 0) observe({ kind: 'enrichments.postponed', enrichments: postponed });
  const settlements = looks.flatMap((one) => ('outcome' in one ? one : []));
  if (settlements.length === 0) return;
  // A webhook or another run may have been faster; the lead is answered all the same.
  const settled = settledAmong(settlements, changed);
  observeSettled(observe, 'poll', settled);
  await saveReadings(context);
  const before = backlog.polled;
  backlog.settledByPoll(settled.length);
  const isMany = before < UNDELIVERED_MAX && backlog.polled >= UNDELIVERED_MAX;
  if (isMany && callbacks.isDelivered && backlog.delivered === 0) {
    observe({ kind: 'run.warned', warning: 'no_deliveries', message: NO_DELIVERIES });
  }
}
