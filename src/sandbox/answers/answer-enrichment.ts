// The body of a finished enrichment, by id and in a webhook (docs/platform-api.md, Enrichment result).
import type { EnrichmentRequest } from '../../model/ask.js';
import type { JsonValue } from '../../model/text/json.js';
import { foldInputs, identifyInputs } from '../ledger/fingerprint-request.js';
import { decideHits } from './decide-hits.js';
import { type FoundEmail, findEmail, verifyEmail } from './find-email.js';
import { type FoundPhone, findPhone } from './find-phone.js';
import { imaginePersona } from './imagine-persona.js';
import { openDraw } from './open-draw.js';
import { type WireProfile, writeProfile } from './write-profile.js';

/** A missed block may be `{}`, which the decoded `Result` does not know. */
interface Blocks {
  find_email?: FoundEmail | Record<string, never>;
  find_phone?: FoundPhone | Record<string, never>;
  social_enrichment?: WireProfile | Record<string, never>;
}

interface Head {
  readonly id: string;
  /** As the bulk item gave it. */
  readonly metadata?: JsonValue;
}

export type EnrichmentBody =
  | { readonly data: readonly [Head & { data: Blocks }]; readonly type: 'enrichmentDone' }
  | { readonly type: 'enrichmentError'; readonly data: readonly [Head & { error: string }] };

const ERRORS = [
  'The profile could not be read.',
  'A data source did not answer in time.',
  'The enrichment was stopped; nothing was charged.',
] as const;

/** Depends on the folded inputs and the seed only; `isEmpty` leaves out every block. */
export function answerEnrichment(
  enrichment: EnrichmentRequest & Head,
  seed: number,
  isEmpty = false,
): EnrichmentBody {
  const { id, inputs, metadata } = enrichment;
  const head = { id, ...(metadata !== undefined && { metadata }) };
  const decision = decideHits(enrichment, seed);
  if (decision.kind === 'error') {
    const error = openDraw(seed, 'error', identifyInputs(inputs)).pick(ERRORS);
    return { type: 'enrichmentError', data: [{ ...head, error }] };
  }
  if (isEmpty) return { data: [{ ...head, data: {} }], type: 'enrichmentDone' };

  const persona = imaginePersona(foldInputs(inputs), seed);
  const data: Blocks = {};
  for (const ask of decision.emptied) data[ask === 'verify_email' ? 'find_email' : ask] = {};
  for (const ask of decision.hits) {
    // A found address is what was paid more for: it takes the block that a verification shares with it.
    if (ask === 'find_email') data.find_email = findEmail(persona);
    else if (ask === 'find_phone') data.find_phone = findPhone(persona);
    else if (ask === 'social_enrichment') data.social_enrichment = writeProfile(persona);
    else if (!decision.hits.includes('find_email')) data.find_email = verifyEmail(persona);
  }
  return { data: [{ ...head, data }], type: 'enrichmentDone' };
}
