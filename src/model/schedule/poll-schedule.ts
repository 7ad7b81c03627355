// Decides when to poll again. One rule has two bounds: one poll of everything that a run still awaits takes a *round*
// under the limit, and polling again before a round is over takes a request from another answer. So if requests are
// scarce a ticket that was polled in vain goes to the back, and if they are not the round is over at once. The learnt
// latency (latency-belief.ts) bounds it: no poll before some answers are likely there, none put off once nearly all of
// them are.
import { createLatencyBelief } from './latency-belief.js';

export interface Pressure {
  /** The least time in which everything open can be polled once, submits included. */
  readonly roundMs: number;
  /** Whether submits wait for the limit: a poll now costs one of them its place. */
  readonly isSending: boolean;
  /** The share of the run's enrichments that is open; the fewer, the more the run waits for each. */
  readonly openShare: number;
}

export interface PollSchedule {
  /** Notes that an enrichment was polled in vain. */
  observePending(id: number, pendingMs: number): void;
  /** Notes an answer: how long it had been pending, in ms, and how it came. */
  observe(id: number, pendingMs: number, by: 'poll' | 'webhook'): void;
  /** The least wait in ms from the submission to the first poll: `ripeAfterMs` may put it off. */
  firstWaitMs(): number;
  /** The age in ms from which a first poll is worth its request now. */
  ripeAfterMs(pressure: Pressure): number;
  /** The wait in ms to the next poll of an enrichment that has been pending for `pendingMs`. */
  nextWaitMs(pendingMs: number, pressure: Pressure): number;
}

/** The first look while nothing is known. */
const FIRST_WAIT_MS = 500;
const WAIT_MS_MIN = 20;
const WAIT_MS_MAX = 60_000;
/** The chance of an answer that is worth a request if requests abound: an answer takes about five polls. */
const CHANCE = 0.19;
/** A first poll is put off no longer than to this chance for others' answers … */
const CHANCE_LATE = 0.3;
/** … or to this one for submits; nor is any other poll. */
const CHANCE_SURE = 0.97;
/** Each wait is at least this share of the time already waited, whatever the belief … */
const WAIT_SHARE = 0.08;
/** … and less if fewer than a fifth are open, down to this for the last. */
const OPEN_SHARE_FEW = 0.2;
const WAIT_SHARE_MIN = 0.015;
/** Each wait for an overdue answer is this share of the time already waited. */
const LATE_SHARE = 0.2;
/** The number of enrichments whose last fruitless poll is remembered. */
const LOOKS_MAX = 4_096;

/** A webhook is overdue after this, until the platform's latency is known … */
const OVERDUE_MS = 30_000;
/** … and then after this many times the latency of nearly all answers, and a little for the way. */
const OVERDUE_SHARE = 1.5;
const OVERDUE_MS_MIN = 2_000;
const OVERDUE_MS_MAX = 600_000;
const SAMPLE_COUNT_MAX = 128;
/** The least number of answers for a quantile: fewer say little. */
const SAMPLE_COUNT_MIN = 8;
/** The time that a webhook takes on its way is not part of the latency. */
const SEEN_LATE = 0.9;

/** The schedule for results that only polls bring. It has seen nothing yet. */
export function createPollSchedule(): PollSchedule {
  const belief = createLatencyBelief();
  const looks = new Map<number, number>();

  const rememberLook = (id: number, pendingMs: number): void => {
    looks.set(id, pendingMs);
    const [oldest] = looks.keys();
    if (looks.size > LOOKS_MAX && oldest !== undefined) looks.delete(oldest);
  };

  return {
    observePending(id, pendingMs) {
      belief.sawPending(pendingMs, looks.get(id) ?? 0);
      rememberLook(id, pendingMs);
    },
    observe(id, pendingMs) {
      belief.sawAnswer(pendingMs, looks.get(id) ?? 0);
      looks.delete(id);
    },
    firstWaitMs: () => (belief.isGrounded() ? bounded(belief.quantileMs(CHANCE)) : FIRST_WAIT_MS),
    ripeAfterMs: ({ roundMs, isSending }) => {
      if (!belief.isGrounded()) return FIRST_WAIT_MS;
      const latest = belief.quantileMs(isSending ? CHANCE_SURE : CHANCE_LATE);
      return bounded(Math.min(Math.max(roundMs, belief.quantileMs(CHANCE)), latest));
    },
    nextWaitMs: (pendingMs, { roundMs, openShare }) => {
      const fewness = Math.min(1, openShare / OPEN_SHARE_FEW);
      const leastMs = pendingMs * Math.max(WAIT_SHARE_MIN, WAIT_SHARE * fewness);
      const worthMs = belief.quantileMs(CHANCE, pendingMs) - pendingMs;
      // While nothing is known, no wait is longer than all before it together.
      if (!belief.isGrounded()) return bounded(Math.min(worthMs, pendingMs));
      const sureMs = belief.quantileMs(CHANCE_SURE, pendingMs) - pendingMs;
      return bounded(Math.max(leastMs, Math.min(roundMs, sureMs), worthMs * fewness));
    },
  };
}

/** The schedule for results that webhooks bring: it polls only for overdue answers. */
export function createOverdueSchedule(): PollSchedule {
  const latency = createLatency();
  return {
    ...NEVER_UNRIPE,
    // A poll comes late on purpose: it does not show when a webhook would have come.
    observe: (_id, pendingMs, by) => {
      if (by === 'webhook') latency.observe(pendingMs);
    },
    firstWaitMs() {
      const usual = latency.quantile(0.98);
      if (usual === undefined) return OVERDUE_MS;
      return Math.min(Math.round(usual * OVERDUE_SHARE + OVERDUE_MS_MIN), OVERDUE_MS_MAX);
    },
  };
}

/** The schedule for results that webhooks alone bring: the only poll is at the deadline, before giving up. */
export function createDeadlineSchedule(): PollSchedule {
  return {
    ...NEVER_UNRIPE,
    observe: () => undefined,
    firstWaitMs: () => Number.POSITIVE_INFINITY,
  };
}

/** A poll for a late answer is worth its request, whatever else there is to ask. */
const NEVER_UNRIPE = {
  observePending: () => undefined,
  ripeAfterMs: () => 0,
  nextWaitMs: (pendingMs: number, { roundMs }: Pressure) =>
    bounded(Math.min(Math.max(roundMs, pendingMs * LATE_SHARE), pendingMs)),
} satisfies Partial<PollSchedule>;

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
    /** A quantile; undefined until enough answers were seen. */
    quantile: (q: number): number | undefined => sorted[Math.floor(q * (sorted.length - 1))],
  };
}

function bounded(waitMs: number): number {
  return Math.round(Math.min(Math.max(waitMs, WAIT_MS_MIN), WAIT_MS_MAX));
}
