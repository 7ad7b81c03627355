// The verdict on a result: found or not_found, and the cost. found means that a value is there.
import type { Ask, EnrichmentRequest, Prices } from './ask.js';
import { sumCredits, timesCredits } from './credits.js';
import type { Result } from './result.js';

/** The place of each ask's value. */
const BLOCK_OF = {
  find_email: 'find_email',
  verify_email: 'find_email',
  find_phone: 'find_phone',
  social_enrichment: 'social_enrichment',
} as const satisfies Readonly<Record<Ask, keyof Result>>;

export interface Verdict {
  readonly outcome: 'found' | 'not_found';
  readonly credits: number;
}

/** The asks that have a value. */
export function hitsOf(request: EnrichmentRequest, result: Result): Ask[] {
  return request.ask.filter((one) => isHit(one, request, result));
}

/** Judges a result against what was asked. Misses are free (docs/platform-api.md, POST /enrich). */
export function judgeResult(request: EnrichmentRequest, result: Result, prices: Prices): Verdict {
  const hits = hitsOf(request, result);
  return {
    outcome: hits.length > 0 ? 'found' : 'not_found',
    credits: highestPrice(hits, prices),
  };
}

/** The verdict on a part of a wider question, from its answer: only values of that part count. */
export function judgePart(
  ask: readonly Ask[],
  wide: EnrichmentRequest,
  result: Result,
): Pick<Verdict, 'outcome'> & { readonly result: Result } {
  const hits = hitsOf(wide, result).filter((one) => ask.includes(one));
  const blocks = hits.map((one) => [BLOCK_OF[one], result[BLOCK_OF[one]]]);
  return { outcome: hits.length > 0 ? 'found' : 'not_found', result: Object.fromEntries(blocks) };
}

/** The greatest price of one request: every ask a hit. */
export function highestPrice(ask: readonly Ask[], prices: Prices): number {
  return sumCredits(ask.map((one) => prices[one]));
}

/** The greatest price of these requests, `count` of each kind. */
export function highestTotal(
  requests: readonly { readonly ask: readonly Ask[]; readonly count: number }[],
  prices: Prices,
): number {
  return sumCredits(
    requests.map(({ ask, count }) => timesCredits(highestPrice(ask, prices), count)),
  );
}

function isHit(ask: Ask, request: EnrichmentRequest, result: Result): boolean {
  switch (ask) {
    case 'find_email':
      return result.find_email?.email !== undefined && !isEcho(request, result);
    case 'verify_email':
      return result.find_email?.status !== undefined;
    case 'find_phone':
      return result.find_phone?.phone !== undefined;
    case 'social_enrichment':
      return hasProfileValue(result.social_enrichment);
  }
}

/** Whether the address is only the given one, which was to be verified. */
function isEcho({ ask, inputs }: EnrichmentRequest, result: Result): boolean {
  return ask.includes('verify_email') && result.find_email?.email?.toLowerCase() === inputs.email;
}

function hasProfileValue(profile: Result['social_enrichment']): boolean {
  if (profile === undefined) return false;
  const { positionGroups, ...fields } = profile;
  return positionGroups.length > 0 || Object.keys(fields).length > 0;
}
