// A random sample of the leads that would be asked: the same again for the same seed, also where leads were added.
import type { EnrichmentRequest } from '../../model/ask.js';
import { canonicalText } from '../../model/fingerprint.js';
import type { LeadEntry } from '../../ports/store/enrichments.js';
import type { AskingTerms } from '../run-context.js';

type AskedLead = Pick<LeadEntry, 'position'> & { readonly request: EnrichmentRequest };

/** By its content, so that a lead keeps its key when others come or go; by its position among equal leads. */
function keyOf({ position, request }: AskedLead, seed: number, { digest }: AskingTerms): string {
  // The account and what is asked make no difference: what was tried on one is tried on the other.
  const content = digest(canonicalText({ ask: [], inputs: request.inputs }, `sample ${seed}`));
  return Buffer.from(content).toString('hex') + String(position).padStart(16, '0');
}

/** @throws Error where the sample was not drawn */
export function isInSample(lead: AskedLead, terms: AskingTerms): boolean {
  const sample = terms.choice?.sample;
  if (sample === undefined || sample.last === null) return true;
  if (sample.last === undefined) throw new Error('the sample was not drawn');
  return keyOf(lead, sample.seed, terms) <= sample.last;
}

export function withoutSample(terms: AskingTerms): AskingTerms {
  const { sample, ...choice } = terms.choice ?? {};
  return sample === undefined ? terms : { ...terms, choice };
}

/** Draws the sample from leads that come in batches. Memory grows with the sample alone. */
export async function drawSample(
  terms: AskingTerms,
  read: (all: AskingTerms) => AsyncIterable<readonly LeadEntry[]>,
): Promise<AskingTerms> {
  const sample = terms.choice?.sample;
  if (sample === undefined) return terms;
  const { seed, size } = sample;
  let keys: string[] = [];
  let isFull = false;
  const keep = (): void => {
    isFull ||= keys.length > size;
    keys = keys.sort().slice(0, size);
  };
  for await (const leads of read(withoutSample(terms))) {
    for (const lead of leads) if (lead.kind === 'asked') keys.push(keyOf(lead, seed, terms));
    if (keys.length >= 2 * size) keep();
  }
  keep();
  const last = isFull ? (keys.at(-1) ?? null) : null;
  return { ...terms, choice: { ...terms.choice, sample: { seed, size, last } } };
}
