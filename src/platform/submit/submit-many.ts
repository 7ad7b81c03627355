// The bulk call: many enrichments in one request, which is paid for as one, and sent once.
import type { BulkAnswer, BulkItem, Permit, SubmitOptions } from '../../ports/platform.js';
import { withQuery } from '../wire/address.js';
import type { Wire } from '../wire.js';
import { bulkBody } from './bulk-body.js';
import { callbackWords } from './callback-words.js';
import { isBulkAnswer, judgeBulk } from './judge-bulk.js';

/**
 * As `Platform.submitMany`. No items are answered at once, and nothing is sent for them.
 * @throws Error for more items than `bulkMax`, which is 0 where the dialect has no bulk call
 */
export async function submitMany(
  wire: Wire,
  items: readonly BulkItem[],
  permit: Permit,
  { callbackUrl, signal }: SubmitOptions = {},
): Promise<BulkAnswer> {
  const { path, method, max, webhookUrl } = wire.dialect.bulk;
  const itemsMax = path === null ? 0 : max;
  if (path === null || items.length === 0 || items.length > itemsMax) {
    permit.release();
    if (items.length === 0) return { kind: 'answered', items: [] };
    throw new Error(`A bulk call takes at most ${itemsMax} items, not ${items.length}.`);
  }
  const target = wire.pathOf(path);
  const callback = callbackWords(callbackUrl);
  const question = wire.asked(target, [...callback, ...items.flatMap(wordsOf)]);
  const query =
    webhookUrl === null || callbackUrl === undefined ? [] : [[webhookUrl, callbackUrl] as const];
  const body = bulkBody(items, wire.dialect);
  const sent = await wire.send(wire.call('submit_bulk', method, withQuery(target, query), body), {
    kind: 'submit',
    permit,
    signal,
    isSuccess: (answer) => isBulkAnswer(answer, question),
  });
  const questionOf = (item: BulkItem) => wire.asked(target, [...callback, ...wordsOf(item)]);
  return judgeBulk(sent, items, question, questionOf);
}

function wordsOf({ request, key }: BulkItem): string[] {
  return [...Object.values(request.inputs), key];
}
