// Builds the body of enrichmentDone and enrichmentError (docs/platform-api.md, Enrichment result) for an enrichment
// that was never requested: it is in no ledger and costs nothing, and a receiver does not know its ticket.
import { z } from 'zod';
import type { InputName, Inputs } from '../../model/ask.js';
import type { JsonObject, JsonValue } from '../../model/text/json.js';
import { writeBlocks } from '../answers/answer-enrichment.js';
import { imaginePersona } from '../answers/imagine-persona.js';
import { findMalformed, findTooLong, readInputs } from '../judge-inputs.js';
import { foldInputs, hashText } from '../ledger/fingerprint-request.js';
import { CONTACTS } from '../seeds.js';

const TEXT = z.string().exactOptional();
const INPUT_TEXTS = {
  email: TEXT,
  socialUrl: TEXT,
  firstName: TEXT,
  lastName: TEXT,
  companyDomain: TEXT,
  companyName: TEXT,
} satisfies Record<InputName, z.ZodType>;
const FIELDS = z.object({
  id: TEXT,
  metadata: z.custom<JsonValue>((value) => value !== undefined).exactOptional(),
  error: TEXT,
  ...INPUT_TEXTS,
});

export interface ResultFields extends Readonly<z.infer<typeof FIELDS>> {
  /** The inputs of the person whom the result is about. */
  readonly inputs: Inputs;
}

/** `id`, `metadata`, `error` (of an error only) and the inputs of POST /enrich; or one sentence. */
export function readResultFields(type: string, given: JsonObject): ResultFields | string {
  const names = Object.keys(FIELDS.shape).filter(
    (name) => name !== 'error' || type === 'enrichmentError',
  );
  const strange = Object.keys(given).find((name) => !names.includes(name));
  if (strange !== undefined) {
    return `The event ${type} has no field ${strange.slice(0, 50)}; it takes ${names.join(', ')}.`;
  }
  const parsed = FIELDS.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `The field ${issue?.path.join('.') ?? ''} cannot be used: ${issue?.message ?? ''}.`;
  }
  const { id: _id, metadata: _metadata, error: _error, ...values } = parsed.data;
  const inputs = readInputs(values);
  return findTooLong(values) ?? findMalformed(inputs) ?? { ...parsed.data, inputs };
}

/** `id` is that of the activity; the same fields and seed give the same result. */
export function buildResult(
  type: string,
  { id: ticket, metadata, error, inputs }: ResultFields,
  { id, seed }: { readonly id: string; readonly seed: number },
): JsonObject {
  const head = {
    id: ticket ?? `enr_${hashText(id, 32)}`,
    ...(metadata !== undefined && { metadata }),
  };
  if (type === 'enrichmentError') {
    return { type, data: [{ ...head, error: error ?? 'A data source did not answer in time.' }] };
  }
  const persona = imaginePersona(foldInputs(Object.keys(inputs).length > 0 ? inputs : USUAL), seed);
  const data = writeBlocks(persona, ['find_email', 'find_phone', 'social_enrichment']);
  // JSON brings it into the form in which it leaves: a profile's unknown fields are undefined until then.
  return { data: [{ ...head, data: JSON.parse(JSON.stringify(data)) as JsonValue }], type };
}

const USUAL = { socialUrl: CONTACTS[0].socialUrl, companyName: CONTACTS[0].companyName };
