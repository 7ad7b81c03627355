// Sends enrichments that were claimed together, in one request or one for each, and says for every one of
// them what became of it.
import { SluiceError } from '../../model/errors.js';
import type { BulkAnswer, Permit, SubmitAnswer } from '../../ports/platform.js';
import type { ClaimedEnrichment } from '../../ports/store/enrichments.js';
import type { RunContext } from '../run-context.js';

export interface BatchFate {
  /** One for each enrichment, in their order. */
  readonly answers: readonly SubmitAnswer[];
  /** Names the bulk call in its callback URL: the first enrichment in it. */
  readonly callId?: number;
  /** What became of the request: `answered` where it was taken item by item. */
  readonly whole: Exclude<SubmitAnswer, { kind: 'accepted' }> | { readonly kind: 'answered' };
}

/** One request. With `isBulk` it is the bulk call, also for a single enrichment. */
export async function sendBatch(
  context: RunContext,
  batch: readonly ClaimedEnrichment[],
  permit: Permit,
  isBulk: boolean,
): Promise<BatchFate> {
  const [first] = batch;
  if (first === undefined) throw new Error('a batch holds at least one enrichment');
  return isBulk ? sendBulk(context, first, batch, permit) : sendSingle(context, first, permit);
}

async function sendSingle(
  { callbacks, drain, platform }: RunContext,
  { id, request }: ClaimedEnrichment,
  permit: Permit,
): Promise<BatchFate> {
  const callbackUrl = callbacks.urlFor({ kind: 'enrichment', scope: callbacks.scope, id });
  const answer = await platform.submit(request, permit, { callbackUrl, signal: drain });
  const isAnswered = answer.kind === 'accepted' || answer.kind === 'refused';
  return { answers: [answer], whole: isAnswered ? { kind: 'answered' } : answer };
}

async function sendBulk(
  { callbacks, drain, platform }: RunContext,
  { id }: ClaimedEnrichment,
  batch: readonly ClaimedEnrichment[],
  permit: Permit,
): Promise<BatchFate> {
  const { keyring, scope } = callbacks;
  const items = batch.map((claimed) => ({
    request: claimed.request,
    key: keyring.seal({ kind: 'enrichment', scope, id: claimed.id }),
  }));
  const callbackUrl = callbacks.urlFor({ kind: 'batch', scope, id });
  const answer = await platform.submitMany(items, permit, { callbackUrl, signal: drain });
  if (answer.kind === 'answered') {
    return { answers: answer.items, callId: id, whole: ofItems(answer.items) };
  }
  return { answers: batch.map(() => ofItem(answer, batch.length)), whole: answer };
}

/** An answer that says of no item what became of it is as good as none; and one dry item stops the next calls. */
function ofItems(items: readonly SubmitAnswer[]): BatchFate['whole'] {
  const dry = items.find((item) => item.kind === 'unsent');
  if (dry !== undefined) return dry;
  const [first] = items;
  const isDoubtful = items.every(({ kind }) => kind === 'uncertain');
  return isDoubtful && first?.kind === 'uncertain' ? first : { kind: 'answered' };
}

/** A batch that was refused for one of its items, or for its size, says nothing of the others. */
function ofItem(
  answer: Exclude<BulkAnswer, { kind: 'answered' }>,
  size: number,
): Exclude<SubmitAnswer, { kind: 'accepted' }> {
  if (answer.kind !== 'refused' || size === 1) return answer;
  const message = `The platform refused a bulk call of ${size} enrichments: ${answer.reason}. Lower bulk.max in the dialect, or use --submit single.`;
  return { kind: 'unsent', problem: new SluiceError('platform', message), isFinal: false };
}
