// Paid requests, each sent once: one enrichment with everything in the query (docs/platform-api.md, POST /enrich), or
// many in the body of a bulk call (docs/platform-api.md, POST /enrich/bulk).
import { type ItemPart, itemPlaces } from '../../dialect/bulk.js';
import type { Dialect } from '../../dialect/dialect.js';
import { ASKS, type EnrichmentRequest, INPUTS } from '../../model/ask.js';
import type { JsonObject, JsonValue } from '../../model/text/json.js';
import type {
  BulkAnswer,
  BulkItem,
  Permit,
  SubmitAnswer,
  SubmitOptions,
} from '../../ports/platform.js';
import { isBulkAnswer, judgeBulk } from '../answers/judge-bulk.js';
import { judgeSubmit, ticketIn } from '../answers/judge-submit.js';
import { callbackWords } from '../redact/secret-forms.js';
import { wellFormed, withQuery, withValueAt } from '../wire/request.js';
import type { Wire } from '../wire/wire.js';

type Parameter = readonly [name: string, value: string];

/** As `Platform.submit`. */
export async function submitOne(
  wire: Wire,
  request: EnrichmentRequest,
  permit: Permit,
  { callbackUrl, signal }: SubmitOptions = {},
): Promise<SubmitAnswer> {
  const { method, path } = wire.dialect.enrich;
  const target = wire.pathOf(path);
  const hidden = [...Object.values(request.inputs), ...callbackWords(callbackUrl)];
  const question = wire.asked(target, hidden);
  const query = queryOf(request, callbackUrl, wire.dialect);
  const sent = await wire.send(wire.call('submit', method, withQuery(target, query)), {
    kind: 'submit',
    permit,
    signal,
    isSuccess: (answer) => ticketIn(answer, question) !== undefined,
  });
  return judgeSubmit(sent, question);
}

/** A flag for each ask, then the inputs, then the callback URL where there is a place for it. */
function queryOf(
  { ask, inputs }: EnrichmentRequest,
  callbackUrl: string | undefined,
  { enrich: { parameters, flag } }: Dialect,
): Parameter[] {
  const flags = ASKS.filter((name) => ask.includes(name)).map(
    (name): Parameter => [parameters[name], flag],
  );
  const values = INPUTS.flatMap((name): Parameter[] => {
    const value = inputs[name];
    return value === undefined ? [] : [[parameters[name], value]];
  });
  return [...flags, ...values, ...callbackParameter(parameters.webhookUrl, callbackUrl)];
}

function callbackParameter(name: string | null, callbackUrl: string | undefined): Parameter[] {
  return name === null || callbackUrl === undefined ? [] : [[name, callbackUrl]];
}

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
  const asked = wire.asked(target, [...callback, ...items.flatMap(wordsOf)]);
  const query = callbackParameter(webhookUrl, callbackUrl);
  const body = bulkBody(items, wire.dialect);
  const sent = await wire.send(wire.call('submit_bulk', method, withQuery(target, query), body), {
    kind: 'submit',
    permit,
    signal,
    isSuccess: (answer) => isBulkAnswer(answer, asked),
  });
  const askedOf = (item: BulkItem) => wire.asked(target, [...callback, ...wordsOf(item)]);
  return judgeBulk(sent, { items, asked, askedOf });
}

function wordsOf({ request, key }: BulkItem): string[] {
  return [...Object.values(request.inputs), key];
}

/** An array of `{input, enrichmentRequests, metadata}`, with the names and places of the dialect. */
function bulkBody(items: readonly BulkItem[], dialect: Dialect): JsonValue {
  const places = itemPlaces(dialect);
  const array = items.map((item) => {
    let wire: JsonObject = {};
    for (const [part, value] of partsOf(item, dialect)) {
      const place = places.get(part);
      if (place !== undefined) wire = withValueAt(wire, place, value);
    }
    return wire;
  });
  const { items: path } = dialect.bulk;
  return path === '.' ? array : withValueAt({}, path.split('.'), array);
}

function partsOf(
  { request: { ask, inputs }, key }: BulkItem,
  { bulk }: Dialect,
): [ItemPart, JsonValue][] {
  const values = INPUTS.flatMap((name): [ItemPart, JsonValue][] => {
    const value = inputs[name];
    return value === undefined ? [] : [[name, wellFormed(value)]];
  });
  const asks = ASKS.filter((name) => ask.includes(name)).map((name) => bulk.asks[name]);
  return [...values, ['enrichmentRequests', asks], ['metadata', key]];
}
