// Collects results by asking for each ticket when its answer is likely there.
import pLimit from 'p-limit';
import type { Permit } from '../domain/ports/platform.js';
import type { AwaitedEnrichment, Postponement, Settlement } from '../domain/ports/store.js';
import { groupWrites } from './group-writes.js';
import { readAnswer } from './read-answer.js';
import type { RunContext } from './run-context.js';
import { createTroubleCounter } from './trouble-counter.js';

/** Polls in a row without any answer, with growing pauses between them, after which the platform is down. */
const UNAVAILABLE_IN_A_ROW_MAX = 20;
const BATCH_MAX = 200;

/**
 * Polls until every ticket is answered and no more can come, or the run drains.
 * @throws SluiceError `platform` when going on is useless; what was not answered stays awaiting
 */
export async function collectByPoll(context: RunContext): Promise<void> {
  const { backlog, clock, drain, platform, run, store } = context;
  const limit = pLimit(context.concurrency);
  const inFlight = new Map<number, Promise<void>>();
  const settler = groupWrites<Settlement>((settlements) => settle(context, settlements));
  const postponer = groupWrites<Postponement>((postponements) => store.postpone(postponements));
  const trouble = createTroubleCounter(UNAVAILABLE_IN_A_ROW_MAX);
  let problem: Error | undefined;

  const poll = async (awaited: AwaitedEnrichment, permit: Permit): Promise<void> => {
    const answer = await platform.read(awaited.ticket, permit, drain);
    const step = readAnswer(awaited, answer, context);
    if (step.kind === 'settle') await settler.add(step.settlement);
    else await postponer.add(step.postponement);
    if (answer.kind !== 'unavailable') trouble.succeeded();
    else if (trouble.failed() || answer.isFinal) problem ??= answer.problem;
  };

  const start = (awaited: AwaitedEnrichment, permit: Permit): void => {
    const polling = limit(() => poll(awaited, permit))
      .catch((error: unknown) => {
        problem ??= error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => {
        inFlight.delete(awaited.id);
        backlog.changed();
      });
    inFlight.set(awaited.id, polling);
  };

  while (!drain.aborted && problem === undefined) {
    const room = Math.min(context.concurrency - inFlight.size, BATCH_MAX);
    const due = room === 0 ? [] : await dueNow(room);
    if (due.length === 0) {
      const isOver = !backlog.isReading && !backlog.isSubmitting && backlog.awaiting === 0;
      if (isOver && inFlight.size === 0) break;
      await sleepUntilDue(room);
      continue;
    }
    await context.whenReady();
    await clock.sleep(trouble.pauseMs(), drain);
    const permits = await platform.reserve('poll', due.length, drain);
    for (const [i, permit] of permits.entries()) start(due[i] as AwaitedEnrichment, permit);
  }

  async function dueNow(room: number): Promise<AwaitedEnrichment[]> {
    const now = clock.now();
    const earliest = await notInFlight(room);
    return earliest.filter((awaited) => awaited.pollAt <= now);
  }

  async function notInFlight(count: number): Promise<AwaitedEnrichment[]> {
    const awaited = await store.awaited(run.id, count + inFlight.size);
    return awaited.filter(({ id }) => !inFlight.has(id)).slice(0, count);
  }

  async function sleepUntilDue(room: number): Promise<void> {
    const wake = new AbortController();
    const either = AbortSignal.any([drain, wake.signal]);
    const next = room === 0 ? undefined : (await notInFlight(1))[0];
    const change = backlog.change(either);
    const due = next === undefined ? change : clock.sleep(next.pollAt - clock.now(), either);
    await Promise.race([change, due]);
    wake.abort();
  }

  await Promise.all(inFlight.values());
  if (problem !== undefined) throw problem;
}

async function settle(context: RunContext, settlements: readonly Settlement[]): Promise<void> {
  const changed = new Set(await context.store.settle(settlements));
  for (const { id, outcome } of settlements) {
    if (!changed.has(id)) continue;
    context.backlog.awaiting -= 1;
    context.observe({ kind: 'settled', outcome, count: 1 });
  }
}
