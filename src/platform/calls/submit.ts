// Paid requests, each sent once: for one enrichment (docs/platform-api.md, POST /enrich), or for many in the body of a
// bulk call (docs/platform-api.md, POST /enrich/bulk).
import type { EnrichmentRequest } from '../../model/ask.js';
import type {
  BulkAnswer,
  BulkItem,
  Permit,
  SubmitAnswer,
  SubmitOptions,
} from '../../ports/platform.js';
import { isBulkAnswer, judgeBulk } from '../answers/judge-bulk.js';
import { judgeSubmit } from '../answers/judge-submit.js';
import { callbackWords } from '../redact/secret-forms.js';
import { withQuery } from '../wire/request.js';
import type { RoutedCall } from '../wire/sender.js';
import type { Wire } from '../wire/wire.js';
import { type Asking, type WrittenRequest, writeBulk, writeSingle } from './write-submit.js';

/** @throws SluiceError `usage` if the dialect cannot ask for all of it in one request */
export async function submitOne(
  wire: Wire,
  request: EnrichmentRequest,
  permit: Permit,
  {
    callbackUrl,
    key,
    obstacle,
    signal,
  }: SubmitOptions & { readonly key?: string | undefined } = {},
): Promise<SubmitAnswer> {
  const asking = { request, key };
  const written = orRelease(permit, () => writeSingle(asking, wire.dialect, callbackUrl));
  const hidden = [...wordsOf(asking), ...callbackWords(callbackUrl)];
  const question = wire.asked(wire.pathOf(written.path), hidden);
  const sent = await wire.send(callOf(wire, 'submit', written), {
    kind: 'submit',
    permit,
    signal,
    obstacle,
    isSuccess: (answer) => judgeSubmit(answer, question, key).kind === 'accepted',
  });
  return judgeSubmit(sent, question, key);
}

/**
 * As `Platform.submitMany`. An empty list is answered at once, and nothing is sent for it.
 * @throws Error for more items than `bulkMax`, which is 0 if the dialect has no bulk call
 */
export async function submitMany(
  wire: Wire,
  items: readonly BulkItem[],
  permit: Permit,
  { callbackUrl, obstacle, signal }: SubmitOptions = {},
): Promise<BulkAnswer> {
  const { path, max } = wire.dialect.bulk;
  const itemsMax = path === null ? 0 : max;
  if (items.length === 0 || items.length > itemsMax) {
    permit.release();
    if (items.length === 0) return { kind: 'answered', items: [] };
    throw new Error(`A bulk call takes at most ${itemsMax} items, not ${items.length}.`);
  }
  const written = orRelease(permit, () => writeBulk(items, wire.dialect, callbackUrl));
  const target = wire.pathOf(written.path);
  const callback = callbackWords(callbackUrl);
  const asked = wire.asked(target, [...callback, ...items.flatMap(wordsOf)]);
  const sent = await wire.send(callOf(wire, 'submit_bulk', written), {
    kind: 'submit',
    permit,
    signal,
    obstacle,
    isSuccess: (answer) => isBulkAnswer(answer, asked),
  });
  const askedOf = (item: BulkItem) => wire.asked(target, [...callback, ...wordsOf(item)]);
  return judgeBulk(sent, { items, asked, askedOf });
}

/** Writes a request; a request that cannot be written needs no permit. */
function orRelease<Written>(permit: Permit, write: () => Written): Written {
  try {
    return write();
  } catch (error) {
    permit.release();
    throw error;
  }
}

function callOf(
  wire: Wire,
  route: 'submit' | 'submit_bulk',
  { method, path, query, headers, body }: WrittenRequest,
): RoutedCall {
  const call = wire.call(route, method, withQuery(wire.pathOf(path), query), body);
  return { ...call, headers: { ...call.headers, ...headers } };
}

function wordsOf({ request, key }: Asking): string[] {
  return [...Object.values(request.inputs), ...(key === undefined ? [] : [key])];
}
