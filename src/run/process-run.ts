// The middle of a run: reads, submits and collects, all at once, until every lead is answered.
import { ABANDONED_AFTER_MS } from '../model/enrichment/stand.js';
import { SluiceError } from '../model/errors.js';
import { formatCount } from '../model/text/count.js';
import type { LeadReader } from '../ports/lead-reader.js';
import { collectDeliveries, handlePending } from './collect/collect-deliveries.js';
import { collectByPoll } from './collect/collect-poll.js';
import { bringPollsForward } from './collect/due-tickets.js';
import { lookAgain, reportMisses } from './collect/unread-answers.js';
import { ingest } from './ingest.js';
import type { RunContext } from './run-context.js';
import { unreadProblem } from './send/may-send.js';
import { answerKnown, submit } from './send/submit.js';
import { watchTrouble } from './trouble.js';

const ELSEWHERE_PAUSE_MS = 1_000;

export interface Ending {
  readonly problem: unknown;
}

export type BringLeads = (context: RunContext) => Promise<void>;

export async function processRun(
  unwatched: RunContext,
  leads: LeadReader | BringLeads,
  resendUncertain: boolean,
): Promise<Ending> {
  const context = { ...unwatched, platform: watchTrouble(unwatched) };
  const { backlog, drain } = context;
  const bringLeads: BringLeads =
    typeof leads === 'function' ? leads : (sending) => ingest(sending, leads, resendUncertain);
  try {
    await takeUp(context, resendUncertain);
    let problem: unknown;
    do {
      problem = await allAtOnce(context, bringLeads);
      if (problem !== undefined && mayReadOn(problem)) await answerKnown(context);
    } while (
      mayReadOn(problem) &&
      !drain.aborted &&
      (await hasMore(context, problem === undefined))
    );
    reportMisses(context);
    if (problem === undefined && backlog.unread > 0 && !drain.aborted) {
      problem = unreadProblem(context);
    }
    return { problem };
  } catch (problem) {
    return { problem };
  }
}

async function takeUp(context: RunContext, resendUncertain: boolean): Promise<void> {
  const { backlog, callbacks, clock, deadlineMs, observe, run, store } = context;
  backlog.startsAfter(await store.isOut(run.account));
  // A corrected dialect may read what the earlier dialect could not read.
  const reread = { at: clock.now(), scope: callbacks.scope };
  const recovered = await store.recover(run.id, reread);
  if (recovered > 0) observe({ kind: 'run.recovered', uncertain: recovered });
  backlog.expectWebhooks(recovered, clock.now() + callbacks.claimWaitMs);
  // Deliveries that came while no process ran may answer enrichments that would otherwise be sent again.
  await handlePending(context);
  await bringPollsForward(context);
  if (resendUncertain) {
    const at = clock.now();
    const times = { at, deadlineAt: at + deadlineMs };
    const { queued: count } = await store.retry(run.id, ['uncertain'], times);
    if (count > 0) observe({ kind: 'run.resending', count });
    backlog.expectNoWebhooks();
  }
  const left = await store.work(run.id);
  backlog.recounted(left, run.state === 'reading');
  if (left.queued + left.awaiting > 0) {
    observe({ kind: 'run.resumed', queued: left.queued, awaiting: left.awaiting });
  }
}

/**
 * Runs the steps side by side. Trouble with reading or sending ends both, while paid answers are still collected: a run
 * that is out of credits has its answers all the same. Trouble with collecting ends all steps.
 */
async function allAtOnce(context: RunContext, bringLeads: BringLeads): Promise<unknown> {
  const { backlog } = context;
  const stopSending = new AbortController();
  const stopReading = new AbortController();
  const stopAll = new AbortController();
  const collecting = { ...context, drain: AbortSignal.any([context.drain, stopAll.signal]) };
  const sending = {
    ...context,
    drain: AbortSignal.any([context.drain, stopAll.signal, stopSending.signal]),
  };
  const reading = {
    ...context,
    drain: AbortSignal.any([context.drain, stopReading.signal]),
  };
  const problems = new Set<unknown>();
  const mayPass = (error: unknown): error is SluiceError =>
    context.setsAside === true && isUnavailable(error);
  const step = async (work: Promise<void>, stop: AbortController): Promise<unknown> => {
    try {
      await work;
      return undefined;
    } catch (error) {
      problems.add(error);
      // Reading on costs nothing, and the table of a run that may send no more must hold every lead.
      if (!mayReadOn(error)) {
        stop.abort();
        if (!mayPass(error)) stopReading.abort();
      }
      if (stop === stopSending) reportSendingEnded(context, error);
      return error;
    }
  };
  const read = async (): Promise<void> => {
    if (backlog.isReading) await step(bringLeads(reading), stopSending);
    backlog.readingEnded();
  };
  const send = async (): Promise<void> => {
    const error = await step(submit(sending), stopSending);
    // Its leads go on only now: one failed request is no outage.
    const outage = [...problems].find(mayPass);
    if (outage !== undefined && (await setAside(reading, outage))) problems.delete(error);
    backlog.submittingEnded();
  };
  backlog.started();
  await Promise.all([
    read(),
    send(),
    step(collectByPoll(collecting), stopAll),
    step(collectDeliveries(collecting), stopAll),
  ]);
  return [...problems][0];
}

/** Tells the user why nothing more is sent, because paid answers may take long to come back. */
function reportSendingEnded({ backlog, drain, observe }: RunContext, error: unknown): void {
  if (!(error instanceof SluiceError) || drain.aborted || backlog.awaiting === 0) return;
  const message = `${error.logged} Nothing more is sent; what is paid for is still collected.`;
  observe({ kind: 'run.warned', warning: 'sending_ended', message });
}

/** Whether the run is only to send nothing more. A used-up window of the rate limit ends the reads, too. */
function mayReadOn(error: unknown): boolean {
  if (error === undefined) return true;
  if (!(error instanceof SluiceError) || error.facts['of'] === 'rate') return false;
  return ['budget', 'cap', 'hit-rate', 'paused'].includes(error.code);
}

/**
 * Whether another run has left, or still works on, enrichments that this run's leads share. A run that sends nothing more
 * has only those that are awaited.
 */
async function hasMore(context: RunContext, sends: boolean): Promise<boolean> {
  const { backlog, callbacks, clock, drain, run, store } = context;
  for (;;) {
    // A webhook may answer enrichments that the other run sends, even if that run's process dies first.
    await handlePending(context);
    const left = await store.adopt(run.id, clock.now() - ABANDONED_AFTER_MS);
    backlog.expectWebhooks(left.givenUp, clock.now() + callbacks.claimWaitMs);
    backlog.recounted(left);
    // Answers that another run could not read are also read here, once: this run may know another dialect.
    if (backlog.recountedUnread(left.unread)) {
      await lookAgain(context);
      return true;
    }
    if (left.queued + left.awaiting + left.givenUp > 0) {
      const { awaiting, givenUp: uncertain, queued } = left;
      context.observe({ kind: 'run.adopted', queued, awaiting, uncertain });
    }
    if (left.awaiting > 0) await bringPollsForward(context);
    const open = left.awaiting + (sends ? left.queued : 0);
    if (open > 0 || backlog.awaitsWebhook(clock.now())) return true;
    if (left.elsewhere === 0 || drain.aborted) return false;
    await clock.sleep(ELSEWHERE_PAUSE_MS, drain);
  }
}

function isUnavailable(error: unknown): error is SluiceError {
  if (!(error instanceof SluiceError)) return false;
  const { code, facts } = error;
  // An answer that the dialect cannot read came from a platform that works, and money over all steps is up for the
  // next step as well.
  const isOfStep = facts['unread'] === undefined && facts['of'] !== 'waterfall';
  return isOfStep && ['budget', 'cap', 'hit-rate', 'platform'].includes(code);
}

/** `on-unavailable: skip`. True if all have gone on: one whose earlier send is lost may be accepted, and waits. */
async function setAside(context: RunContext, problem: SluiceError): Promise<boolean> {
  const { backlog, clock, drain, observe, run, store } = context;
  let leads = 0;
  while (!drain.aborted && (backlog.queued > 0 || backlog.isReading)) {
    const { queued } = backlog;
    if (queued === 0) {
      await backlog.wait(clock, drain);
      continue;
    }
    await answerKnown(context);
    leads += await store.setAside(run.id);
    backlog.claimed(queued);
  }
  if (leads > 0) {
    // The way on does not hold: the leads do not wait for it.
    const message = `${problem.problem} ${formatCount(leads, 'lead')} did not wait for it (on-unavailable: skip).`;
    observe({ kind: 'run.warned', warning: 'step_unavailable', message });
  }
  return !drain.aborted && (await store.work(run.id)).queued === 0;
}
