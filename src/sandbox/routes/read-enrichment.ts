// Reads the query of POST /enrich and the body of POST /enrich/bulk (docs/platform-api.md, POST /enrich;
// docs/platform-api.md, POST /enrich/bulk). The names are those of the neutral dialect (docs/reference/dialect-keys.md).
import { z } from 'zod';
import { asksOf } from '../../dialect/custom-asks.js';
import type { Dialect } from '../../dialect/dialect.js';
import {
  ASK_RECORDS,
  type Ask,
  explainLacking,
  INPUTS,
  type Inputs,
  inOrder,
  isStandard,
  sufficientAsks,
} from '../../model/ask.js';
import type { JsonValue } from '../../model/text/json.js';
import type { NewEnrichment } from '../ledger/ledger.js';
import { describeIssue, PERSON, Refusal, read, readInputs, TARGET_URL } from './read-request.js';

/** The limit for one item's metadata in characters of JSON: room for keys, not for documents. */
const METADATA_LENGTH_MAX = 4096;

const FLAG = z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' });

const ITEM = z.strictObject({
  input: z.partialRecord(z.enum(INPUTS), z.string()),
  metadata: z
    .custom<JsonValue>((value) => JSON.stringify(value ?? null).length <= METADATA_LENGTH_MAX, {
      error: `It is longer than ${METADATA_LENGTH_MAX} characters`,
    })
    .exactOptional(),
});

/** The request of an item of a bulk call, or the reason why it is refused. */
export interface BulkItem {
  readonly metadata?: JsonValue;
  readonly enrichment?: NewEnrichment;
  readonly error?: string;
}

/** The reader of the query of `POST /enrich`. Valid values keep their spelling, without space around them. */
export function queryReader(dialect: Dialect): (query: unknown) => NewEnrichment {
  const asks = asksOf(dialect);
  const schema = z.strictObject({
    ...PERSON.shape,
    webhookUrl: TARGET_URL.exactOptional(),
    ...Object.fromEntries(asks.map((ask) => [flagOf(ask), FLAG.exactOptional()])),
  });
  return (query) => {
    const { webhookUrl, ...values } = read(schema, query);
    const flags: Readonly<Record<string, unknown>> = values;
    const ask = asks.filter((name) => flags[flagOf(name)] === true);
    if (ask.length === 0) {
      const all = asks.map(flagOf).join(', ');
      throw new Refusal(400, `Nothing is asked for: set at least one of ${all} to true.`);
    }
    const inputs = readInputs(values);
    const problem = findInsufficient(ask, inputs, dialect);
    if (problem !== undefined) throw new Refusal(400, problem);
    return { ask, inputs, ...(webhookUrl !== undefined && { webhookUrl }) };
  };
}

/** The reader of `POST /enrich/bulk`. A misshapen item refuses the whole call; one with wrong inputs does not. */
export function bulkReader(dialect: Dialect): (query: unknown, body: unknown) => BulkItem[] {
  const asks = z.array(z.enum(asksOf(dialect))).min(1);
  const items = z
    .array(ITEM.extend({ enrichmentRequests: asks }))
    .min(1)
    .max(dialect.bulk.max);
  return (query, body) => {
    const webhook = read(z.strictObject({ webhookUrl: TARGET_URL.exactOptional() }), query);
    return read(items, body).map(({ input, enrichmentRequests, ...metadata }) => {
      const ask = inOrder(enrichmentRequests);
      const inputs = readInputs(input);
      const { error } = PERSON.safeParse(input);
      const problem = error ? describeIssue(error) : findInsufficient(ask, inputs, dialect);
      if (problem !== undefined) return { ...metadata, error: problem };
      return { ...metadata, enrichment: { ask, inputs, ...metadata, ...webhook } };
    });
  };
}

/** The parameter that asks for something; a custom ask is its own. */
function flagOf(ask: Ask): string {
  return isStandard(ask) ? ASK_RECORDS[ask].parameter : ask;
}

function findInsufficient(
  ask: readonly Ask[],
  inputs: Inputs,
  { requires }: Dialect,
): string | undefined {
  const { lacking } = sufficientAsks(ask, inputs, requires);
  if (lacking.length === 0) return undefined;
  return `The inputs do not suffice: ${explainLacking(lacking, requires)}.`;
}
