// What a run would do and cost, told before it starts.
import type { StatusReason } from '../tally.js';
import type { RateLimit } from '../terms.js';

export interface Forecast {
  readonly leads: number;
  readonly rejects: number;
  /** Why leads would be skipped, most frequent first. */
  readonly skipped: readonly StatusReason[];
  /** What leads would be asked without, most frequent first: an input that tells nothing, an ask that lacks one. */
  readonly inPart: readonly Pick<StatusReason, 'reason' | 'leads'>[];
  /** Leads whose enrichment another line of the input asks for already. */
  readonly duplicates: number;
  /** Leads answered by results that are paid for and fresh. */
  readonly alreadyPaid: number;
  /** Leads whose enrichment is on its way, asked by an earlier run. */
  readonly onTheirWay: number;
  /** Leads whose enrichment was sent and whose fate is unknown; nothing is sent for them. */
  readonly uncertain: number;
  /** Distinct enrichments to be paid for. */
  readonly toPay: number;
  readonly creditsMin: number;
  readonly creditsMax: number;
  /** The least time in ms that the rate limit allows; null where there is no limit. */
  readonly timeMsMin: number | null;
}

/**
 * The least time for `requests` requests at `limit`: all but the first window's wait for a window each.
 */
export function leastTimeMs(requests: number, limit: RateLimit): number {
  const windows = Math.ceil(requests / limit.requests);
  return Math.max(0, windows - 1) * limit.perMs;
}
