// When to ask again for a result. One rule, in two bounds: all that a run still has to ask takes a *round*
// under the limit, and to look again before a round is over takes a request from another answer. So
// where requests are scarce a ticket asked for in vain goes to the back, and where they are not the round is
// over at once. What bounds it is the latency learnt so far (latency-belief.ts): no look before some answers
// are likely there, none put off once nearly all of them are.
import { createLatencyBelief } from './latency-belief.js';

/** What a run still has to ask. */
export interface Pressure {
  /** Least time in which everything open can be asked for once, submits included. */
  readonly roundMs: number;
  /** Submits wait for the limit: a look now costs one of them its place. */
  readonly isSending: boolean;
  /** The share of the run's enrichments that is open; the fewer, the more the run waits for each. */
  readonly openShare: number;
}

export interface PollSchedule {
  /** An enrichment was asked for in vain. */
  observePending(id: number, pendingMs: number): void;
  /** An answer was seen: how long it had been asked for, in ms, and how it came. */
  observe(id: number, pendingMs: number, by: 'poll' | 'webhook'): void;
  /** The chance, 0 to 1, that an answer seen now came in the last `withinMs` only. */
  chanceOfNew(id: number, pendingMs: number, withinMs: number): number;
  /** Wait in ms from the submission to the first poll, at least: `ripeAfterMs` may put it off. */
  firstWaitMs(): number;
  /** Age in ms from which a first poll is worth its request now. */
  ripeAfterMs(pressure: Pressure): number;
  /** Age in ms from which a single look is worth its request, though no ticket is ripe: while nothing is known, one answer
   * teaches for all. */
  scoutAfterMs(pressure: Pressure): number;
  /** Wait in ms to the next poll of an enrichment that has been pending for `pendingMs`. */
  nextWaitMs(pendingMs: number, pressure: Pressure): number;
}

const FIRST_WAIT_MS = 500;
/** While nothing is known, each look comes at this multiple of the previous look's age. */
const SCOUT_FACTOR = 1.5;
const WAIT_MS_MIN = 20;
const WAIT_MS_MAX = 60_000;
/** The chance of an answer that is worth a request where requests abound: an answer takes about five looks. */
const CHANCE = 0.19;
/** A first look is put off no longer than to here for others' answers … */
const CHANCE_LATE = 0.3;
/** … or to here for submits; nor is any other look. */
const CHANCE_SURE = 0.97;
/** Each wait is at least this share of the time already waited, whatever is believed … */
const WAIT_SHARE = 0.08;
/** … and less where fewer than a fifth are open, down to this for the last. */
const OPEN_SHARE_FEW = 0.2;
const WAIT_SHARE_MIN = 0.015;
/** Where the submits take longer than this, a few fruitless looks cost little. */
const SCOUTED_ROUND_MS_MIN = 120_000;
/** Each wait for an overdue answer is this share of the time already waited. */
const LATE_SHARE = 0.2;
/** How many fruitless polls we remember the time of. */
const LOOKS_MAX = 4_096;

/** A webhook is overdue after this, until the platform's latency is known … */
const OVERDUE_MS = 30_000;
/** … and then after this many times the latency of nearly all answers, and a little for the way. */
const OVERDUE_SHARE = 1.5;
const OVERDUE_MS_MIN = 2_000;
const OVERDUE_MS_MAX = 600_000;
const SAMPLE_COUNT_MAX = 128;
/** Fewer answers than this say little. */
const SAMPLE_COUNT_MIN = 8;
/** The time that a webhook takes on its way is no part of the latency. */
const SEEN_LATE = 0.9;

/** For results that only polling brings. It has seen nothing yet. */
export function createPollSchedule(): PollSchedule {
  const belief = createLatencyBelief();
  const looks = new Map<number, number>();
  let scoutedMs = 0;

  const rememberLook = (id: number, pendingMs: number): void => {
    looks.set(id, pendingMs);
    const [oldest] = looks.keys();
    if (looks.size > LOOKS_MAX && oldest !== undefined) looks.delete(oldest);
  };

  return {
    observePending(id, pendingMs) {
      if (!belief.isGrounded()) scoutedMs = Math.max(scoutedMs, pendingMs);
      belief.sawPending(pendingMs, looks.get(id) ?? 0);
      rememberLook(id, pendingMs);
    },
    observe(id, pendingMs) {
      belief.sawAnswer(pendingMs, looks.get(id) ?? 0);
      looks.delete(id);
    },
    chanceOfNew: (id, pendingMs, withinMs) =>
      belief.chanceAfter(pendingMs - withinMs, looks.get(id) ?? 0, pendingMs),
    firstWaitMs: () => bounded(belief.isGrounded() ? belief.quantileMs(CHANCE) : FIRST_WAIT_MS),
    ripeAfterMs: ({ roundMs, isSending }) => {
      const latest = belief.quantileMs(isSending ? CHANCE_SURE : CHANCE_LATE);
      return bounded(Math.min(Math.max(roundMs, belief.quantileMs(CHANCE)), latest));
    },
    scoutAfterMs: ({ isSending, roundMs }) => {
      const isNeeded = !belief.isGrounded() && (!isSending || roundMs > SCOUTED_ROUND_MS_MIN);
      return isNeeded
        ? bounded(Math.max(FIRST_WAIT_MS, SCOUT_FACTOR * scoutedMs))
        : Number.POSITIVE_INFINITY;
    },
    nextWaitMs: (pendingMs, { roundMs, openShare }) => {
      const fewness = Math.min(1, openShare / OPEN_SHARE_FEW);
      const leastMs = pendingMs * Math.max(WAIT_SHARE_MIN, WAIT_SHARE * fewness);
      // While nothing is known, no wait is longer than all before it.
      const guessMs = belief.quantileMs(CHANCE, pendingMs) - pendingMs;
      const worthMs = belief.isGrounded() ? guessMs : Math.min(guessMs, pendingMs);
      const sureMs = belief.quantileMs(CHANCE_SURE, pendingMs) - pendingMs;
      return bounded(Math.max(leastMs, Math.min(roundMs, sureMs), worthMs * fewness));
    },
  };
}

/** For results that webhooks bring: polls only for overdue answers. */
export function createOverdueSchedule(): PollSchedule {
  const latency = createLatency();
  return {
    ...NEVER_UNRIPE,
    // A poll comes late on purpose: it does not say when a webhook would have come.
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

/** For results that webhooks alone bring: the only poll is at the deadline, before giving up. */
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
  chanceOfNew: () => 1,
  ripeAfterMs: () => 0,
  scoutAfterMs: () => Number.POSITIVE_INFINITY,
  nextWaitMs: (pendingMs: number, { roundMs }: Pressure) =>
    bounded(Math.min(Math.max(roundMs, pendingMs * LATE_SHARE), pendingMs)),
} satisfies Partial<PollSchedule>;

/** The latencies of the last answers. */
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
    /** Undefined until enough answers were seen. */
    quantile: (q: number): number | undefined => sorted[Math.floor(q * (sorted.length - 1))],
  };
}

function bounded(waitMs: number): number {
  return Math.round(Math.min(Math.max(waitMs, WAIT_MS_MIN), WAIT_MS_MAX));
}
