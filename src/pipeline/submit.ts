// Sends queued enrichments: permit first, then the durable intent, then the request, then its fate.
import type { Permit, SubmitAnswer } from '../domain/ports/platform.js';
import type { ClaimedEnrichment, SubmitRecord } from '../domain/ports/store.js';
import { createFlight, type Flight } from './create-flight.js';
import { groupWrites } from './group-writes.js';
import { persistently } from './persistently.js';
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
  const { backlog, clock, drain, platform, store } = context;
  const flight = createFlight(context.concurrency, () => backlog.changed());
  const recorder = groupWrites<SubmitRecord>((records) =>
    persistently(() => store.recordSubmits(records), clock),
  );
  const unsent = createTroubleCounter(UNSENT_IN_A_ROW_MAX);
  const uncertain = createTroubleCounter(UNCERTAIN_IN_A_ROW_MAX);

  const send = async (claimed: ClaimedEnrichment, permit: Permit): Promise<void> => {
    const since = unsent.begin();
    const answer = await platform.submit(claimed.request, permit, drain);
    const record = toRecord(answer, claimed.id, context);
    await recorder.add(record);
    noteFate(answer, record, since);
  };

  const noteFate = (answer: SubmitAnswer, record: SubmitRecord, since: number): void => {
    switch (answer.kind) {
      case 'unsent':
        backlog.queued += 1;
        // What the drain itself kept from being sent says nothing about the platform.
        if (answer.isFinal || (!drain.aborted && unsent.failed(since))) {
          flight.giveUp(answer.problem);
        }
        return;
      case 'uncertain':
        context.observe({ kind: 'settled', outcome: 'uncertain', count: 1 });
        // Each of these may have been paid for: they count one by one, also where they come together.
        if (uncertain.failed(uncertain.begin())) flight.giveUp(answer.problem);
        return;
      case 'accepted':
        backlog.awaiting += 1;
        context.observe({ kind: 'submitted', count: 1 });
        if (record.kind === 'accepted') backlog.expectPoll(record.pollAt);
        break;
      case 'refused':
        context.observe({ kind: 'settled', outcome: 'failed', count: 1 });
        break;
    }
    unsent.succeeded();
    uncertain.succeeded();
  };

  try {
    while (!drain.aborted && !flight.hasGivenUp()) {
      if (flight.room() === 0 || backlog.queued === 0) {
        if (backlog.queued === 0 && !backlog.isReading && flight.isEmpty()) break;
        await backlog.wait(clock, drain);
        continue;
      }
      await context.whenReady();
      // A sleep of 0 ms too lets requests land together: a claim for each would cost a sync for each.
      await clock.sleep(unsent.pauseMs(), drain);
      const wanted = Math.min(flight.room(), backlog.queued);
      const permits = await platform.reserve('submit', wanted, drain);
      const claimed = await claim(context, flight, permits);
      for (const [i, permit] of permits.entries()) {
        const enrichment = claimed[i];
        if (enrichment === undefined) permit.release();
        else flight.start(() => send(enrichment, permit));
      }
    }
  } catch (error) {
    flight.giveUp(error);
  }
  await flight.land();
}

/** One for each permit, durably `submitting`; fewer where another run has taken some over. */
async function claim(
  { backlog, clock, drain, run, store }: RunContext,
  flight: Flight,
  permits: readonly Permit[],
): Promise<ClaimedEnrichment[]> {
  if (permits.length === 0 || drain.aborted || flight.hasGivenUp()) return [];
  try {
    const before = backlog.queued;
    const claimed = await store.claim(run.id, permits.length, clock.now());
    const hasRunDry = claimed.length < permits.length;
    // What was queued while the store was asked is not part of its answer.
    const since = backlog.queued - before;
    backlog.queued = hasRunDry ? since : Math.max(0, backlog.queued - claimed.length);
    return claimed;
  } catch (error) {
    flight.giveUp(error);
    return [];
  }
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
