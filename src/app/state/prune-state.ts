// Removes old runs from a state file, but keeps the results that its jobs would have to pay for again.
import { formatCount } from '../../model/text/count.js';
import type { Clock } from '../../ports/clock.js';
import type { PruneReport } from '../../ports/store/maintenance.js';
import type { Store } from '../../ports/store/store.js';
import { systemClock } from '../system-clock.js';

export interface PruneWish {
  /** The age after which ended runs, deliveries and events are removed. */
  readonly olderThanMs: number;
  /** The least time of freshness; the longest `fresh-for` that any job was ever told counts if it is longer. */
  readonly freshForMs: number | undefined;
}

export async function pruneState(
  store: Store,
  { olderThanMs, freshForMs = 0 }: PruneWish,
  isForReal: boolean,
  clock: Clock = systemClock,
): Promise<PruneReport> {
  const known = await store.longestFreshFor();
  const longestMs = Math.max(freshForMs, known.freshForMs);
  const at = clock.now();
  return await store.prune({ at, before: at - olderThanMs, freshSince: at - longestMs }, isForReal);
}

const NOUNS = {
  runs: 'run',
  leads: 'lead',
  enrichments: 'enrichment',
  results: 'result',
  deliveries: 'delivery',
  events: 'event',
  rejects: 'reject',
} as const;

/** The counts that are not 0, in words: `3 leads`, `1 result`. */
export function formatCounts(counts: Partial<Record<keyof typeof NOUNS, number>>): string[] {
  const names = Object.keys(NOUNS) as (keyof typeof NOUNS)[];
  return names.flatMap((name) => {
    const { [name]: count = 0 } = counts;
    return count === 0 ? [] : [formatCount(count, NOUNS[name], name)];
  });
}
