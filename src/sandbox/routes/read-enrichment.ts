// Reads the query of POST /enrich and the body of POST /enrich/bulk (docs/platform-api.md, POST /enrich;
// docs/platform-api.md, POST /enrich/bulk). The names are those of the neutral dialect (docs/reference/dialect-keys.md).
import { z } from 'zod';
import { asksOf } from '../../dialect/custom-asks.js';
import type { Dialect } from '../../dialect/dialect.js';
import {
  ASK_RECORDS,
  type Ask,
  INPUTS,
  inOrder,
  isStandard,
  type Requirements,
} from '../../model/ask.js';
import type { JsonValue } from '../../model/text/json.js';
import type { NewEnrichment } from '../ledger/ledger.js';
import {
  findInsufficient,
  findMalformed,
  findTooLong,
  isHttpUrl,
  type RawQuery,
  Refusal,
  readInputs,
  readQuery,
  refuseIf,
} from './read-request.js';

/** The parameter that asks for something; a custom ask is its own. */
function flagOf(ask: Ask): string {
  return isStandard(ask) ? ASK_RECORDS[ask].parameter : ask;
}

/** The limit for one item's metadata in characters of JSON: room for keys, not for documents. */
const METADATA_LENGTH_MAX = 4096;

const ITEM = z.strictObject({
  input: z.strictObject(
    Object.fromEntries(INPUTS.map((name) => [name, z.string().exactOptional()])),
  ),
  enrichmentRequests: z.array(z.string()).min(1),
  metadata: z
    .custom<JsonValue>((value) => JSON.stringify(value ?? null).length <= METADATA_LENGTH_MAX, {
      error: `longer than ${METADATA_LENGTH_MAX} characters`,
    })
    .exactOptional(),
});

/** The request of an item of a bulk call, or the reason why it is refused. */
export interface BulkItem {
  readonly metadata?: JsonValue;
  readonly enrichment?: NewEnrichment;
  readonly error?: string;
}

/**
 * Reads the query. A blank input counts as absent. Valid values keep their spelling, without space around them.
 * @throws Refusal 400
 */
export function readEnrichQuery(query: RawQuery, dialect: Dialect): NewEnrichment {
  const flags = asksOf(dialect).map(flagOf);
  const values = readQuery(query, [...flags, ...INPUTS, 'webhookUrl']);
  const wrong = flags.find((flag) => !['true', 'false', undefined].includes(values[flag]));
  if (wrong !== undefined) throw new Refusal(400, `The value of ${wrong} must be true or false.`);
  const ask = asksOf(dialect).filter((name) => values[flagOf(name)] === 'true');
  if (ask.length === 0) {
    const all = flags.join(', ');
    throw new Refusal(400, `Nothing is asked for: set at least one of ${all} to true.`);
  }
  const inputs = readInputs(values);
  refuseIf(findMalformed(inputs));
  checkWebhookUrl(values['webhookUrl']);
  refuseIf(findInsufficient(ask, inputs, dialect.requires, flagOf));
  const { webhookUrl } = values;
  return { ask, inputs, ...(webhookUrl && { webhookUrl }) };
}

/**
 * `webhookUrl` becomes that of every item. A misshapen item refuses the whole call; one that lacks inputs does not.
 * @throws Refusal 400
 */
export function readBulkBody(
  body: unknown,
  webhookUrl: string | undefined,
  dialect: Dialect,
): BulkItem[] {
  const { max } = dialect.bulk;
  const all = asksOf(dialect);
  if (!Array.isArray(body) || body.length === 0 || body.length > max) {
    throw new Refusal(400, `The body must be an array of 1 to ${max} items.`);
  }
  return body.map((value, index) => {
    const item = ITEM.safeParse(value);
    if (!item.success) throw new Refusal(400, describeIssue(item.error, index));
    const unknown = item.data.enrichmentRequests.findIndex((name) => !all.includes(name));
    if (unknown === -1) return judgeItem(item.data, webhookUrl, dialect.requires);
    const place = `item ${index}.enrichmentRequests.${unknown}`;
    throw new Refusal(
      400,
      `Nothing was accepted, because of ${place}: it is one of ${all.join(', ')}.`,
    );
  });
}

/** @throws Refusal 400 for a URL to which nothing can be sent */
export function checkWebhookUrl(webhookUrl: string | undefined): void {
  if (webhookUrl && !isHttpUrl(webhookUrl)) {
    throw new Refusal(400, 'The value of webhookUrl is not an http(s) URL.');
  }
}

function judgeItem(
  { input, enrichmentRequests, metadata }: z.infer<typeof ITEM>,
  webhookUrl: string | undefined,
  requires: Requirements,
): BulkItem {
  const head = metadata === undefined ? {} : { metadata };
  const ask = inOrder(enrichmentRequests);
  const inputs = readInputs(input);
  const error =
    findTooLong(input) ??
    findMalformed(inputs) ??
    findInsufficient(ask, inputs, requires, (name) => name);
  if (error !== undefined) return { ...head, error };
  return { ...head, enrichment: { ask, inputs, ...head, ...(webhookUrl && { webhookUrl }) } };
}

function describeIssue({ issues: [issue] }: z.ZodError, index: number): string {
  const place = `item ${index}${issue?.path.map((key) => `.${String(key)}`).join('') ?? ''}`;
  return `Nothing was accepted, because of ${place}: ${issue?.message ?? 'it is no item'}.`;
}
