// The verdict on a result: found or not_found, and the cost. found means that a value is there.
import {
  ASK_RECORDS,
  type Ask,
  type EnrichmentRequest,
  isStandard,
  type Prices,
  priceOf,
} from './ask.js';
import { sumCredits, timesCredits } from './credits.js';
import type { Result } from './result.js';

export interface Verdict {
  readonly outcome: 'found' | 'not_found';
  readonly credits: number;
}

export function hitsOf(request: EnrichmentRequest, result: Result): Ask[] {
  return request.ask.filter((one) =>
    isStandard(one) ? ASK_RECORDS[one].isHit(result, request) : result.custom?.[one] !== undefined,
  );
}

/** Judges a result against what was asked. Misses are free (docs/platform-api.md, POST /enrich). */
export function judgeResult(request: EnrichmentRequest, result: Result, prices: Prices): Verdict {
  const hits = hitsOf(request, result);
  return {
    outcome: hits.length > 0 ? 'found' : 'not_found',
    credits: highestPrice(hits, prices),
  };
}

/** The part of a result that answers these asks, of those that were asked: only their values. */
export function partOf(ask: readonly Ask[], asked: EnrichmentRequest, result: Result): Result {
  const hits = hitsOf(asked, result).filter((one) => ask.includes(one));
  const blocks = hits.filter(isStandard).map((one) => ASK_RECORDS[one].block);
  const part: Result = Object.fromEntries(blocks.map((block) => [block, result[block]]));
  const custom = Object.entries(result.custom ?? {}).filter(([one]) => hits.includes(one));
  return custom.length === 0 ? part : { ...part, custom: Object.fromEntries(custom) };
}

export function mergeResults(one: Result, other: Result): Result {
  const custom = { ...one.custom, ...other.custom };
  const blocks = { ...one, ...other };
  return Object.keys(custom).length === 0 ? blocks : { ...blocks, custom };
}

/** Whether a result has a value, of parts that hold nothing but values. */
export function hasValue(result: Result): boolean {
  return Object.keys(result).length > 0;
}

export function highestPrice(ask: readonly Ask[], prices: Prices): number {
  return sumCredits(ask.map((one) => priceOf(prices, one)));
}

export function highestTotal(
  requests: readonly { readonly ask: readonly Ask[]; readonly count: number }[],
  prices: Prices,
): number {
  return sumCredits(
    requests.map(({ ask, count }) => timesCredits(highestPrice(ask, prices), count)),
  );
}
