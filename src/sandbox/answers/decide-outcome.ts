// Decides what an enrichment finds, what it costs and how long it takes. It does so without the answer: the price of a
// hundred thousand enrichments is summed without building one profile.

import {
  ASKS,
  type Ask,
  type EnrichmentRequest,
  isStandard,
  type Prices,
  priceOf,
  type StandardAsk,
} from '../../model/ask.js';
import { sumCredits } from '../../model/credits.js';
import { identifyInputs } from '../ledger/fingerprint-request.js';
import { openDraw } from './open-draw.js';

/** The share of hits for each ask. A verification always has a status, also `unknown`. */
const HIT_SHARES: Readonly<Record<StandardAsk, number>> = {
  find_email: 0.7,
  verify_email: 1,
  social_enrichment: 0.75,
  find_phone: 0.4,
};
const CUSTOM_SHARE = 0.6;
const ERROR_SHARE = 0.02;

export interface Latency {
  /** The median: half of all enrichments are ready by then; 0 makes every one ready at once. */
  readonly medianMs: number;
  /** The spread: the standard deviation of the logarithm. 0 gives every enrichment the median. */
  readonly sigma: number;
}

export type Decision =
  | { readonly kind: 'error' }
  /** Missed blocks are `{}` when they are in `emptied`, and left out otherwise. */
  | {
      readonly kind: 'done';
      readonly hits: readonly Ask[];
      readonly emptied: readonly StandardAsk[];
    };

export interface Population {
  readonly seed: number;
  /** The share of people of whom anything can be found. Default: 1. */
  readonly knows?: number | undefined;
}

/** The decision, the same for the same folded inputs and seed; each ask is decided without the others. */
export function decideHits(request: EnrichmentRequest, { knows = 1, seed }: Population): Decision {
  const identity = identifyInputs(request.inputs);
  const draw = openDraw(seed, 'hits', identity);
  if (draw.chance(ERROR_SHARE)) return { kind: 'error' };
  const hits: Ask[] = [];
  const emptied: StandardAsk[] = [];
  const isKnown = knows === 1 || openDraw(seed, 'knows', identity).chance(knows);
  for (const ask of ASKS) {
    // An address can be verified whoever has it.
    const isHit = draw.chance(HIT_SHARES[ask]) && (isKnown || ask === 'verify_email');
    const isEmptied = draw.chance(0.5);
    if (!request.ask.includes(ask)) continue;
    if (isHit) hits.push(ask);
    else if (isEmptied) emptied.push(ask);
  }
  for (const ask of request.ask) {
    if (isStandard(ask) || !isKnown) continue;
    if (openDraw(seed, `hits ${ask}`, identity).chance(CUSTOM_SHARE)) hits.push(ask);
  }
  return { kind: 'done', hits, emptied };
}

export function priceAtMost(ask: readonly Ask[], prices: Prices): number {
  return sumCredits(ask.map((name) => priceOf(prices, name)));
}

/** Credits for one enrichment; misses and errors are free. */
export function priceAnswer(
  request: EnrichmentRequest,
  people: Population,
  prices: Prices,
): number {
  const decision = decideHits(request, people);
  if (decision.kind === 'error') return 0;
  return priceAtMost(decision.hits, prices);
}

/**
 * The same for the same inputs (as `identifyInputs` writes them). Log-normal, as on such platforms: a few come late.
 */
export function drawLatencyMs(latency: Latency, seed: number, identity: string): number {
  if (latency.medianMs === 0) return 0;
  const draw = openDraw(seed, 'latency', identity);
  // Box-Muller; 1 - x because the logarithm of 0 is infinite.
  const normal = Math.sqrt(-2 * Math.log(1 - draw.next())) * Math.cos(2 * Math.PI * draw.next());
  return Math.round(latency.medianMs * Math.exp(latency.sigma * normal));
}
