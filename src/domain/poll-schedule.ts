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

/** A webhook is overdue after this, until the platform's latency is known … */
const OVERDUE_MS = 30_000;
/** … and then after this many times what nearly all took, and a little for the way. */
const OVERDUE_SHARE = 1.5;
const OVERDUE_MS_MIN = 2_000;
const OVERDUE_MS_MAX = 600_000;

export interface PollSchedule {
  /** Tells how long an answer had been asked for when it was seen, in ms, and how it came. */
  observe(pendingMs: number, by: 'poll' | 'webhook'): void;
  /** Wait in ms from the submission to the first poll. */
  firstWaitMs(isScarce: boolean): number;
  /** Wait in ms to the next poll of an enrichment that has been pending for `pendingMs`. */
  nextWaitMs(pendingMs: number, isScarce: boolean): number;
}

/** For results that only polling brings. It has seen nothing yet. */
export function createPollSchedule(): PollSchedule {
  const latency = createLatency();
  return {
    observe: (pendingMs) => latency.observe(pendingMs),
    firstWaitMs(isScarce) {
      // Where requests are scarce a poll in vain takes a submit's place: wait until nearly all are there.
      return bounded(latency.quantile(isScarce ? 0.95 : 0.2) ?? FIRST_WAIT_MS);
    },
    nextWaitMs,
  };
}

/** For results that webhooks bring: polls only what is overdue. */
export function createOverdueSchedule(): PollSchedule {
  const latency = createLatency();
  return {
    // A poll comes late on purpose: it says nothing of when a webhook would have come.
    observe: (pendingMs, by) => {
      if (by === 'webhook') latency.observe(pendingMs);
    },
    firstWaitMs() {
      const usual = latency.quantile(0.98);
      if (usual === undefined) return OVERDUE_MS;
      return Math.min(Math.round(usual * OVERDUE_SHARE + OVERDUE_MS_MIN), OVERDUE_MS_MAX);
    },
    nextWaitMs,
  };
}

/** For results that webhooks alone bring: the one poll is at the deadline, before giving up. */
export function createDeadlineSchedule(): PollSchedule {
  return { observe: () => undefined, firstWaitMs: () => Number.POSITIVE_INFINITY, nextWaitMs };
}

function nextWaitMs(pendingMs: number, isScarce: boolean): number {
  return bounded(pendingMs * (isScarce ? 2 * WAIT_SHARE : WAIT_SHARE));
}

/** The last answers' latencies. */
function createLatency() {
  const samples: number[] = [];
  let observedCount = 0;
  let sorted: readonly number[] = [];
  return {
    observe(pendingMs: number): void {
      samples[observedCount % SAMPLE_COUNT_MAX] = pendingMs * SEEN_LATE;
      observedCount += 1;
      // Sorting at every answer would cost more than the answer itself.
      if (observedCount % SAMPLE_COUNT_MIN === 0) sorted = samples.toSorted((a, b) => a - b);
    },
    /** Undefined until enough was seen. */
    quantile: (q: number): number | undefined => sorted[Math.floor(q * (sorted.length - 1))],
  };
}

function bounded(waitMs: number): number {
  return Math.round(Math.min(Math.max(waitMs, WAIT_MS_MIN), WAIT_MS_MAX));
}
