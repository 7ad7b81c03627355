// The body of enrichmentDone and enrichmentError (docs/platform-api.md, Enrichment result) for an enrichment that was
// never requested: it is in no ledger and costs nothing, and a receiver does not know its ticket.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { INPUTS } from '../../model/ask.js';
import type { JsonObject, JsonValue } from '../../model/text/json.js';
import { writeBlocks } from '../answers/answer-enrichment.js';
import { imaginePersona } from '../answers/imagine-persona.js';
import { findMalformed, findTooLong, readInputs } from '../judge-inputs.js';
import { foldInputs } from '../ledger/fingerprint-request.js';
import { CONTACTS } from '../seeds.js';

const TEXT = z.string().exactOptional();
const NAMES = ['id', 'metadata', 'error', ...INPUTS] as const;
const INPUT_FIELDS = z.partialRecord(z.enum(INPUTS), z.string());
const FIELDS = z.object({
  id: TEXT,
  error: TEXT,
  metadata: z.custom<JsonValue>((value) => value !== undefined).exactOptional(),
});

export interface ResultFields extends Readonly<z.infer<typeof FIELDS>> {
  /** Whom the result is about. */
  readonly inputs: z.infer<typeof INPUT_FIELDS>;
}

/** `id`, `metadata`, `error` (of an error only) and the inputs of POST /enrich; or one sentence. */
export function readResultFields(type: string, given: JsonObject): ResultFields | string {
  const isKnown = (name: string): boolean =>
    NAMES.some((known) => known === name) && (name !== 'error' || type === 'enrichmentError');
  const strange = Object.keys(given).find((name) => !isKnown(name));
  if (strange !== undefined) {
    return `The event ${type} has no field ${strange.slice(0, 50)}; it takes ${NAMES.filter(isKnown).join(', ')}.`;
  }
  const fields = FIELDS.safeParse(given);
  const texts = Object.entries(given).filter(([name]) => !Object.hasOwn(FIELDS.shape, name));
  const values = INPUT_FIELDS.safeParse(Object.fromEntries(texts));
  const issue = fields.error?.issues[0] ?? values.error?.issues[0];
  if (!fields.success || !values.success) {
    return `The field ${issue?.path.join('.') ?? ''} cannot be used: ${issue?.message ?? ''}.`;
  }
  const inputs = readInputs(values.data);
  return findTooLong(values.data) ?? findMalformed(inputs) ?? { ...fields.data, inputs };
}

/** `id` is that of the activity; the same fields and seed give the same result. */
export function buildResult(
  type: string,
  { id: ticket, metadata, error, inputs }: ResultFields,
  { id, seed }: { readonly id: string; readonly seed: number },
): JsonObject {
  const hash = createHash('sha256').update(id).digest('hex');
  const head = {
    id: ticket ?? `enr_${hash.slice(0, 32)}`,
    ...(metadata !== undefined && { metadata }),
  };
  if (type === 'enrichmentError') {
    return { type, data: [{ ...head, error: error ?? 'A data source did not answer in time.' }] };
  }
  const persona = imaginePersona(foldInputs(Object.keys(inputs).length > 0 ? inputs : USUAL), seed);
  const data = writeBlocks(persona, ['find_email', 'find_phone', 'social_enrichment']);
  // Through JSON, as it leaves: a profile's unknown fields are undefined until then.
  return { data: [{ ...head, data: JSON.parse(JSON.stringify(data)) as JsonValue }], type };
}

const USUAL = { socialUrl: CONTACTS[0].socialUrl, companyName: CONTACTS[0].companyName };
