// Reads the body of a bulk call (docs/platform-api.md, POST /enrich/bulk). An item of the wrong shape refuses the
// whole call; one whose inputs cannot be asked for gets an error of its own.
import { z } from 'zod';
import type { Dialect } from '../../../dialect/dialect.js';
import { ASKS, INPUTS, type Requirements } from '../../../model/ask.js';
import type { JsonValue } from '../../../model/text/json.js';
import type { NewEnrichment } from '../../ledger/ledger.js';
import { findInsufficient, findMalformed, findTooLong, readInputs } from './judge-inputs.js';

/** Characters of one item's metadata as JSON: room for keys, not for documents. */
const METADATA_LENGTH_MAX = 4096;

const ITEM = z.strictObject({
  input: z.strictObject(
    Object.fromEntries(INPUTS.map((name) => [name, z.string().exactOptional()])),
  ),
  enrichmentRequests: z.array(z.enum(ASKS)).min(1),
  metadata: z
    .custom<JsonValue>((value) => JSON.stringify(value ?? null).length <= METADATA_LENGTH_MAX, {
      error: `longer than ${METADATA_LENGTH_MAX} characters`,
    })
    .exactOptional(),
});

export interface BulkItem {
  readonly metadata?: JsonValue;
  /** Undefined when it cannot be asked for. */
  readonly enrichment?: NewEnrichment;
  /** Why it cannot. */
  readonly error?: string;
}

export type BulkBody =
  | { readonly kind: 'valid'; readonly items: readonly BulkItem[] }
  | { readonly kind: 'invalid'; readonly sentence: string };

/** `webhookUrl` becomes that of every item. */
export function parseBulkBody(
  body: unknown,
  webhookUrl: string | undefined,
  { bulk: { max }, requires }: Pick<Dialect, 'bulk' | 'requires'>,
): BulkBody {
  if (!Array.isArray(body) || body.length === 0 || body.length > max) {
    return { kind: 'invalid', sentence: `The body must be an array of 1 to ${max} items.` };
  }
  const items: BulkItem[] = [];
  for (const [index, value] of body.entries()) {
    const item = ITEM.safeParse(value);
    if (!item.success) return { kind: 'invalid', sentence: describeIssue(item.error, index) };
    items.push(judgeItem(item.data, webhookUrl, requires));
  }
  return { kind: 'valid', items };
}

function judgeItem(
  { input, enrichmentRequests, metadata }: z.infer<typeof ITEM>,
  webhookUrl: string | undefined,
  requires: Requirements,
): BulkItem {
  const head = metadata === undefined ? {} : { metadata };
  const ask = ASKS.filter((name) => enrichmentRequests.includes(name));
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
