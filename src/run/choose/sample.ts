// A random sample of the leads that would be asked. For each job and seed, leads that were chosen once are known by
// their content, and stay in it; new leads fill the free places.
import type { EnrichmentRequest } from '../../model/ask.js';
import { canonicalText } from '../../model/fingerprint.js';
import type { LeadEntry } from '../../ports/store/enrichments.js';
import type { AskingTerms } from '../run-context.js';

type AskedLead = Pick<LeadEntry, 'position'> & { readonly request: EnrichmentRequest };

/** The number of leads that were chosen once and are not in the sample now, of which the newest are remembered. */
const OTHERS_MAX = 10_000;
/** The bytes of a digest by which leads are told apart: 128 bits. */
const CONTENT_BYTES = 16;

/** The digest by which a lead is known when others come or go; equal leads have the same. */
function contentOf({ request }: AskedLead, seed: number, { digest }: AskingTerms): string {
  // The account and the asks make no difference: a lead that was tried on one is tried on the other.
  const content = digest(canonicalText({ ask: [], inputs: request.inputs }, `sample ${seed}`));
  return Buffer.from(content.subarray(0, CONTENT_BYTES)).toString('hex');
}

/** @throws Error if the sample was not drawn */
export function isInSample({ position }: AskedLead, { choice }: AskingTerms): boolean {
  if (choice?.sample === undefined) return true;
  const { positions } = choice.sample;
  if (positions === undefined) throw new Error('the sample was not drawn');
  return positions.has(position);
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
  const { sampled = [] } = terms;
  const places = placesOf(sampled);
  /** The positions of leads that were chosen before, by their place in `sampled`. */
  const known = new Map<number, number>();
  let added: Added[] = [];
  for await (const leads of read(withoutSample(terms))) {
    for (const lead of leads) {
      if (lead.kind !== 'asked') continue;
      const content = contentOf(lead, seed, terms);
      const { position } = lead;
      const place = places.get(content)?.shift();
      if (place === undefined) added.push({ content, position });
      else known.set(place, position);
    }
    if (added.length >= 2 * size) added = firstOf(added, size);
  }
  const kept = new Map([...known].sort(([a], [b]) => a - b).slice(0, size));
  const filling = firstOf(added, size - kept.size);
  const positions = new Set([...kept.values(), ...filling.map(({ position }) => position)]);
  return {
    ...terms,
    sampled: [...remembered(sampled, kept), ...filling.map(({ content }) => content)],
    choice: { ...terms.choice, sample: { seed, size, positions } },
  };
}

interface Added {
  readonly content: string;
  readonly position: number;
}

/** Orders leads at random, because digests are random; equal leads stay in the order of the input. */
function firstOf(leads: readonly Added[], count: number): Added[] {
  return leads
    .toSorted(
      (a, b) =>
        Number(a.content > b.content) - Number(a.content < b.content) || a.position - b.position,
    )
    .slice(0, count);
}

/** The places of each content: equal leads have a place each. */
function placesOf(sampled: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, content] of sampled.entries()) {
    const known = places.get(content);
    if (known === undefined) places.set(content, [place]);
    else known.push(place);
  }
  return places;
}

function remembered(sampled: readonly string[], kept: ReadonlyMap<number, number>): string[] {
  let dropped = sampled.length - kept.size - OTHERS_MAX;
  return sampled.filter((_, place) => kept.has(place) || dropped-- <= 0);
}
