// Decides what an enrichment finds, what it costs and how long it takes. It does so without the answer: the price of a
// hundred thousand enrichments is summed without building one profile.

import { createHash } from 'node:crypto';
import {
  ASKS,
  type Ask,
  type EnrichmentRequest,
  isStandard,
  type Prices,
  type StandardAsk,
} from '../../model/ask.js';
import { highestPrice } from '../../model/verdict.js';
import { identifyInputs } from '../ledger/fingerprint-request.js';

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

type Decision =
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

/** Credits for one enrichment; misses and errors are free. */
export function priceAnswer(
  request: EnrichmentRequest,
  people: Population,
  prices: Prices,
): number {
  const decision = decideHits(request, people);
  if (decision.kind === 'error') return 0;
  return highestPrice(decision.hits, prices);
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

/**
 * Repeatable chance: each purpose has its own stream of numbers, so a second ask, or a purpose added later, changes no
 * answer.
 */
export interface Draw {
  /** A number from 0 up to below 1. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
}

/** mulberry32, started from SHA-256 of seed, purpose and identity (see `identifyInputs`). */
export function openDraw(seed: number, purpose: string, identity: string): Draw {
  const hash = createHash('sha256').update(`${purpose}\n${seed}\n${identity}`).digest();
  let state = hash.readUInt32LE(0);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (list) => list[between(0, list.length - 1)] ?? list[0],
  };
}
