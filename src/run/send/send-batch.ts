import { listHolders, othersAmong } from '../../model/enrichment/shared-ticket.js';
import { SluiceError } from '../../model/errors.js';
import { groupBy } from '../../model/group-by.js';
import { REFUSED } from '../../model/report/fail-on.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import { formatCount } from '../../model/text/count.js';
import type { Clock } from '../../ports/clock.js';
import type { BulkAnswer, Permit, SubmitAnswer } from '../../ports/platform.js';
import type {
  ClaimedEnrichment,
  Settlement,
  SubmitRecord,
  UnreadAnswer,
} from '../../ports/store/enrichments.js';
import { readAnswer } from '../collect/read-answer.js';
import { noteKept, saveReadings } from '../collect/unread-answers.js';
import { observeSettled, settledAmong } from '../observe-settled.js';
import type { RunContext } from '../run-context.js';
import { obstacleTo } from './may-send.js';

const WRITE_PAUSES_MS = [100, 1_000, 5_000, 15_000];

export interface SentBatch {
  readonly records: readonly SubmitRecord[];
  /** The outcome of the request: `answered` if it was taken item by item. */
  readonly whole: Exclude<BulkAnswer, { kind: 'answered' }> | { readonly kind: 'answered' };
}

export async function sendBatch(
  context: RunContext,
  batch: readonly ClaimedEnrichment[],
  { permit, isBulk }: { readonly permit: Permit; readonly isBulk: boolean },
): Promise<SentBatch> {
  const [first] = batch;
  if (first === undefined) throw new Error('a batch holds at least one enrichment');
  return isBulk ? sendBulk(context, first.id, batch, permit) : sendSingle(context, first, permit);
}

async function sendSingle(
  context: RunContext,
  claimed: ClaimedEnrichment,
  permit: Permit,
): Promise<SentBatch> {
  const { callbacks, drain, platform } = context;
  const { id, request } = claimed;
  const key = { kind: 'enrichment', scope: callbacks.scope, id } as const;
  const answer = await platform.submit(request, permit, {
    callbackUrl: callbacks.urlFor(key),
    key: callbacks.keyring.seal(key),
    signal: drain,
    obstacle: obstacleTo(context),
  });
  const isAnswered = answer.kind === 'accepted' || answer.kind === 'refused';
  return {
    records: [toRecord(answer, claimed, { at: context.clock.now() }, context)],
    whole: isAnswered ? { kind: 'answered' } : answer,
  };
}

/** `callId`, the id of the first enrichment, names the call in its callback URL. */
async function sendBulk(
  context: RunContext,
  callId: number,
  batch: readonly ClaimedEnrichment[],
  permit: Permit,
): Promise<SentBatch> {
  const { callbacks, drain, platform } = context;
  const { keyring, scope } = callbacks;
  const items = batch.map(({ id, request }) => ({
    request,
    key: keyring.seal({ kind: 'enrichment', scope, id }),
  }));
  const callbackUrl = callbacks.urlFor({ kind: 'batch', scope, id: callId });
  const answer = await platform.submitMany(items, permit, {
    callbackUrl,
    signal: drain,
    obstacle: obstacleTo(context),
  });
  // Those of one call are due at the same time: one read may answer all of them.
  const at = context.clock.now();
  const isAnswered = answer.kind === 'answered';
  const answers = isAnswered ? answer.items : batch.map(() => ofItem(answer, batch.length));
  return {
    records: batch.map((claimed, i) =>
      toRecord(answers[i] as SubmitAnswer, claimed, { at, callId }, context),
    ),
    whole: isAnswered ? ofItems(answer.items) : answer,
  };
}

/** If every item is uncertain, the answer counts as none. One item that was not sent stops the next calls. */
function ofItems(items: readonly SubmitAnswer[]): SentBatch['whole'] {
  const unsent = items.find((item) => item.kind === 'unsent');
  if (unsent !== undefined) return unsent;
  const [first] = items;
  const isUncertain = items.every(({ kind }) => kind === 'uncertain');
  return isUncertain && first?.kind === 'uncertain' ? first : { kind: 'answered' };
}

/** If the call was refused for one item, or for its size, that says nothing about the others. */
function ofItem(
  answer: Exclude<BulkAnswer, { kind: 'answered' }>,
  size: number,
): Exclude<SubmitAnswer, { kind: 'accepted' }> {
  if (answer.kind === 'absent') return { ...answer, kind: 'unsent', isFinal: true };
  if (answer.kind !== 'refused' || size === 1) return answer;
  const message = `The platform refused a bulk call of ${formatCount(size, 'enrichment')}: ${answer.reason}. Lower bulk.max in the dialect, or use --submit single.`;
  return { kind: 'unsent', problem: new SluiceError('platform', message), isFinal: false };
}

function reasonOf({ isAnswer, reason }: Extract<SubmitAnswer, { kind: 'refused' }>): string {
  return isAnswer === true ? reason : `${REFUSED}${reason}`;
}

function toRecord(
  answer: SubmitAnswer,
  claimed: ClaimedEnrichment,
  { at, callId }: { readonly at: number; readonly callId?: number },
  context: RunContext,
): SubmitRecord {
  const { deadlineMs, schedule } = context;
  const { id, send } = claimed;
  switch (answer.kind) {
    case 'accepted': {
      const { ticket } = answer;
      const atOnce = judgeAtOnce(claimed, answer, at, context);
      const accepted = { id, send, at, kind: 'accepted', ticket, callId } as const;
      if (atOnce !== undefined) return { ...accepted, pollAt: at, deadlineAt: at, atOnce };
      const deadlineAt = at + deadlineMs;
      const pollAt = Math.min(at + schedule.firstWaitMs(), deadlineAt);
      return { ...accepted, pollAt, deadlineAt };
    }
    case 'unsent':
    case 'throttled':
      return { id, send, at, kind: 'unsent' };
    case 'refused':
      return { id, send, at, kind: 'refused', reason: reasonOf(answer) };
    case 'uncertain':
      return { id, send, at, kind: 'lost', reason: answer.reason };
  }
}

/** Judges a result that came at once; undefined if it is read by the ticket instead. */
function judgeAtOnce(
  { id, request }: ClaimedEnrichment,
  { isOwn, result }: Extract<SubmitAnswer, { kind: 'accepted' }>,
  at: number,
  context: RunContext,
): Settlement | UnreadAnswer | undefined {
  if (result === undefined) return undefined;
  // An empty success has no second look: the ticket can be read no other way.
  const awaited = { id, ticket: null, request, submittedAt: at, pollAt: at, deadlineAt: at };
  const unseen = { ...awaited, pollCount: 0, wasEmpty: false, unread: null };
  const step = readAnswer(unseen, result, context, { by: 'poll', at, isLast: true });
  if (step.kind === 'settle') return step.settlement;
  if (step.kind !== 'unread' || isOwn !== true) return undefined;
  if (step.problem !== undefined) context.readings.problem = step.problem;
  return step.answer;
}

/** Enrichments that a webhook or another run has changed meanwhile stay as they are. */
export async function saveRecords(
  context: RunContext,
  records: readonly SubmitRecord[],
): Promise<void> {
  const { backlog, callbacks, clock, observe, readings, store } = context;
  const known = readings.size;
  const write = () => store.recordSubmits(records);
  const allChanged = await retryWrite(write, clock, observe);
  const written = new Set(allChanged.map(({ id }) => id));
  const changed = records.filter(({ id }) => written.has(id));
  for (const record of changed) {
    if (record.kind === 'accepted') backlog.submitted(record.pollAt);
    if (record.kind === 'unsent') backlog.requeued();
    if (record.kind === 'lost') backlog.expectWebhooks(1, record.at + callbacks.claimWaitMs);
  }
  const idsOf = (kind: SubmitRecord['kind']): number[] =>
    changed.filter((record) => record.kind === kind).map(({ id }) => id);
  const accepted = changed.filter((record) => record.kind === 'accepted');
  if (accepted.length > 0) {
    const pollAt = Math.min(...accepted.map((one) => one.pollAt));
    observe({ kind: 'enrichments.submitted', enrichments: idsOf('accepted'), pollAt });
  }
  const unsent = idsOf('unsent');
  if (unsent.length > 0) observe({ kind: 'enrichments.requeued', enrichments: unsent });
  const atOnce = accepted.flatMap((one) => one.atOnce ?? []);
  const settled = atOnce.flatMap((one) => ('body' in one ? [] : one));
  observeSettled(observe, 'submit', [
    ...settledAmong(settled, allChanged),
    ...idsOf('refused').map((id) => ({ id, outcome: 'failed' as const })),
    ...idsOf('lost').map((id) => ({ id, outcome: 'uncertain' as const })),
  ]);
  await noteSharedTickets(
    context,
    accepted.map(({ ticket }) => ticket),
  );
  if (atOnce.length === 0) return;
  backlog.settledAtOnce(settled.length);
  await saveReadings(context);
  const kept = atOnce.length - settled.length;
  if (kept > 0) await noteKept(context, kept, { known, problem: readings.problem });
}

/** Stops the sending if the platform gave a ticket for requests about different people: none of them gets its answer. */
async function noteSharedTickets(
  { backlog, run, store }: RunContext,
  tickets: readonly string[],
): Promise<void> {
  const holders = tickets.length === 0 ? [] : await store.ticketHolders(run.id, tickets);
  const shared = [...groupBy(holders, ({ ticket }) => ticket).values()];
  const same = shared.find((all) => all.some(({ inputs }) => othersAmong(all, inputs).length > 0));
  const [first] = same ?? [];
  if (same === undefined || first === undefined) return;
  const { ticket } = first;
  const message = `The platform gave the ticket ${ticket} for ${listHolders(same, run.id)}, which are about different people: none of them gets its answer, unless it names one. Look at an answer with "sluice explain ${run.id} ${first.line ?? 'LINE'}", and correct the path of the ticket in the dialect if another value of the answers tells them apart. Starting the run again sends the others.`;
  backlog.stopSending(new SluiceError('platform', message));
}

/**
 * Throws the last failure. The tickets in hand are paid for and known nowhere else: they must outlast a state file
 * that another process locks, or a disk that is full for a moment.
 */
async function retryWrite<R>(
  write: () => Promise<R>,
  clock: Clock,
  observe: RunObserver,
): Promise<R> {
  for (const [i, pauseMs] of WRITE_PAUSES_MS.entries()) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof SluiceError) || error.code !== 'store') throw error;
      observe({ kind: 'write.repeated', attempt: i + 1, pauseMs, reason: error.logged });
    }
    await clock.sleep(pauseMs);
  }
  return write();
}
