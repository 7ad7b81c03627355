// When to ask again for a result: where the answer is likely there, not on a fixed beat.
// It learns the platform's latency from the answers seen, and knows nothing else.

const SAMPLE_COUNT_MAX = 128;
/** Fewer answers than this say little; until then, waits start short and grow. */
const SAMPLE_COUNT_MIN = 8;
const FIRST_WAIT_MS = 500;
const WAIT_MS_MIN = 20;
const WAIT_MS_MAX = 60_000;
/** Each wait is this share of the time already waited: the extra wait after a result is ready stays near a tenth. */
const WAIT_SHARE = 0.2;
/**
 * An answer was there some time before it was seen. Counting it a tenth earlier keeps the waits from
 * growing for ever: where nearly every first poll hits, they shrink until some do not.
 */
const SEEN_LATE = 0.9;

export interface PollSchedule {
  /** Tells how long an answer had been asked for when it was seen, in ms. */
  observe(pendingMs: number): void;
  /** Wait in ms from the submission to the first poll. */
  firstWaitMs(isScarce: boolean): number;
  /** Wait in ms to the next poll of an enrichment that has been pending for `pendingMs`. */
  nextWaitMs(pendingMs: number, isScarce: boolean): number;
}

/** A schedule that has seen nothing yet. */
export function createPollSchedule(): PollSchedule {
  const samples: number[] = [];
  let observedCount = 0;
  let sorted: readonly number[] = [];

  const quantile = (q: number): number | undefined => sorted[Math.floor(q * (sorted.length - 1))];

  return {
    observe(pendingMs) {
      samples[observedCount % SAMPLE_COUNT_MAX] = pendingMs * SEEN_LATE;
      observedCount += 1;
      // Sorting at every answer would cost more than the answer itself.
      if (observedCount % SAMPLE_COUNT_MIN === 0) sorted = samples.toSorted((a, b) => a - b);
    },
    firstWaitMs(isScarce) {
      // Where requests are scarce a poll in vain takes a submit's place: wait until nearly all are there.
      return bounded(quantile(isScarce ? 0.95 : 0.2) ?? FIRST_WAIT_MS);
    },
    nextWaitMs(pendingMs, isScarce) {
      return bounded(pendingMs * (isScarce ? 2 * WAIT_SHARE : WAIT_SHARE));
    },
  };
}

function bounded(waitMs: number): number {
  return Math.round(Math.min(Math.max(waitMs, WAIT_MS_MIN), WAIT_MS_MAX));
}
