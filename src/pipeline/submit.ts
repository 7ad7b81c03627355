// Sends queued enrichments: permit first, then the durable intent, then the request, then its fate.
import pLimit from 'p-limit';
import type { SluiceError } from '../domain/errors.js';
import type { Permit, SubmitAnswer } from '../domain/ports/platform.js';
import type { ClaimedEnrichment, SubmitRecord } from '../domain/ports/store.js';
import { groupWrites } from './group-writes.js';
import type { RunContext } from './run-context.js';
import { createTroubleCounter } from './trouble-counter.js';

/** Sends of unknown fate in a row after which sending on would only make more of them. */
const UNCERTAIN_IN_A_ROW_MAX = 8;
/** Refused connections and the like in a row, with growing pauses between them. */
const UNSENT_IN_A_ROW_MAX = 5;

/**
 * Submits until nothing is left to read or to send, or the run drains.
 * @throws SluiceError `platform` when going on is useless; what was not sent stays queued
 */
export async function submit(context: RunContext): Promise<void> {
  const { backlog, clock, drain, platform, run, store } = context;
  const limit = pLimit(context.concurrency);
  const inFlight = new Set<Promise<void>>();
  const recorder = groupWrites<SubmitRecord>((records) => store.recordSubmits(records));
  const unsent = createTroubleCounter(UNSENT_IN_A_ROW_MAX);
  const uncertain = createTroubleCounter(UNCERTAIN_IN_A_ROW_MAX);
  let problem: SluiceError | Error | undefined;

  const send = async (claimed: ClaimedEnrichment, permit: Permit): Promise<void> => {
    const answer = await platform.submit(claimed.request, permit, drain);
    await recorder.add(toRecord(answer, claimed.id, context));
    noteFate(answer);
  };

  const noteFate = (answer: SubmitAnswer): void => {
    switch (answer.kind) {
      case 'accepted':
        backlog.awaiting += 1;
        context.observe({ kind: 'submitted', count: 1 });
        break;
      case 'refused':
        context.observe({ kind: 'settled', outcome: 'failed', count: 1 });
        break;
      case 'unsent':
        backlog.queued += 1;
        if (unsent.failed() || answer.isFinal) problem ??= answer.problem;
        backlog.changed();
        return;
      case 'uncertain':
        context.observe({ kind: 'settled', outcome: 'uncertain', count: 1 });
        if (uncertain.failed()) problem ??= answer.problem;
        backlog.changed();
        return;
    }
    unsent.succeeded();
    uncertain.succeeded();
    backlog.changed();
  };

  const start = (claimed: ClaimedEnrichment, permit: Permit): void => {
    const sending: Promise<void> = limit(() => send(claimed, permit))
      .catch((error: unknown) => {
        problem ??= error instanceof Error ? error : new Error(String(error));
      })
      .finally(() => {
        inFlight.delete(sending);
        backlog.changed();
      });
    inFlight.add(sending);
  };

  while (!drain.aborted && problem === undefined) {
    // The source is bounded, not only the running count: nothing is claimed that cannot start now.
    const room = context.concurrency - inFlight.size;
    if (room === 0 || backlog.queued === 0) {
      if (backlog.queued === 0 && !backlog.isReading && inFlight.size === 0) break;
      await backlog.change(drain);
      continue;
    }
    await context.whenReady();
    await clock.sleep(unsent.pauseMs(), drain);
    const permits = await platform.reserve('submit', Math.min(room, backlog.queued), drain);
    const claimed = await claimFor(permits);
    for (const [i, permit] of permits.entries()) {
      const enrichment = claimed[i];
      if (enrichment === undefined) permit.release();
      else start(enrichment, permit);
    }
  }

  async function claimFor(permits: readonly Permit[]): Promise<ClaimedEnrichment[]> {
    if (permits.length === 0 || drain.aborted || problem !== undefined) return [];
    const claimed = await store.claim(run.id, permits.length, clock.now());
    // Fewer than expected: another run has taken some over.
    backlog.queued =
      claimed.length < permits.length ? 0 : Math.max(0, backlog.queued - claimed.length);
    return claimed;
  }

  await Promise.all(inFlight);
  if (problem !== undefined) throw problem;
}

function toRecord(answer: SubmitAnswer, id: number, context: RunContext): SubmitRecord {
  const at = context.clock.now();
  switch (answer.kind) {
    case 'accepted': {
      const pollAt = at + context.schedule.firstWaitMs(context.platform.isScarce());
      const deadlineAt = at + context.deadlineMs;
      return { id, at, kind: 'accepted', ticket: answer.ticket, pollAt, deadlineAt };
    }
    case 'unsent':
      return { id, at, kind: 'unsent' };
    case 'refused':
      return { id, at, kind: 'refused', reason: answer.reason };
    case 'uncertain':
      return { id, at, kind: 'uncertain', reason: answer.reason };
  }
}
