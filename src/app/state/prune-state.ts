// Removes old runs from a state file, but keeps the results that its jobs would have to pay for again.
import { SluiceError } from '../../model/errors.js';
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

/** @throws SluiceError `usage` if it is unknown how long a job's results are fresh */
export async function pruneState(
  store: Store,
  { olderThanMs, freshForMs = 0 }: PruneWish,
  isForReal: boolean,
  clock: Clock = systemClock,
): Promise<PruneReport> {
  const known = await store.longestFreshFor();
  if (known.kind === 'unknown' && freshForMs === 0) {
    throw new SluiceError(
      'usage',
      `All runs of ${known.job} were made by an earlier Sluice, and do not say how long their results are fresh: give the longest fresh-for of your jobs with --fresh-for.`,
      { job: known.job },
    );
  }
  const longestMs = Math.max(freshForMs, known.kind === 'known' ? known.freshForMs : 0);
  const at = clock.now();
  return await store.prune({ at, before: at - olderThanMs, freshSince: at - longestMs }, isForReal);
}
