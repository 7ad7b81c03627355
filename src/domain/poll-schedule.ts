// When to ask again for a result. One rule, in two bounds: all that a run still has to ask takes a *round*
// under the limit, and to look again before a round is over takes a request from somebody else's answer. So
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
  /** Few are open, and none follow: what they wait longer, the run takes longer. */
  readonly isEnding: boolean;
}

export interface PollSchedule {
  /** Tells that an enrichment was asked for in vain. */
  observePending(id: number, pendingMs: number): void;
  /** Tells how long an answer had been asked for when it was seen, in ms, and how it came. */
  observe(id: number, pendingMs: number, by: 'poll' | 'webhook'): void;
  /** Wait in ms from the submission to the first poll, at least: `ripeAfterMs` may put it off. */
  firstWaitMs(): number;
  /** Age in ms from which a first poll is worth its request now. */
  ripeAfterMs(pressure: Pressure): number;
  /** Age in ms from which a single look is, though none is ripe: while nothing is known, one learns for all. */
  scoutAfterMs(): number;
  /** Wait in ms to the next poll of an enrichment that has been pending for `pendingMs`. */
  nextWaitMs(pendingMs: number, pressure: Pressure): number;
}

const FIRST_WAIT_MS = 500;
const WAIT_MS_MIN = 20;
const WAIT_MS_MAX = 60_000;
/** A first look where so many answers are there is early enough to see the fast ones in time … */
const EARLY = 0.2;
/** … and late enough for an idle request … */
const LATE = 0.6;
/** … or for one that keeps a submit waiting. */
const SURE = 0.97;
/** Each wait is this share of the time already waited: an answer is seen within a tenth of its latency, mostly. */
const WAIT_SHARE = 0.17;
/** At the end, where each wait prolongs the run. */
const ENDING_SHARE = 0.02;
/** Tickets asked for in vain of which it is remembered when. */
const LOOKS_MAX = 4_096;

/** A webhook is overdue after this, until the platform's latency is known … */
const OVERDUE_MS = 30_000;
/** … and then after this many times what nearly all took, and a little for the way. */
const OVERDUE_SHARE = 1.5;
const OVERDUE_MS_MIN = 2_000;
const OVERDUE_MS_MAX = 600_000;
const SAMPLE_COUNT_MAX = 128;
/** Fewer answers than this say little. */
const SAMPLE_COUNT_MIN = 8;
/** What a webhook's way takes is no part of the latency. */
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
    firstWaitMs: () => bounded(belief.isGrounded() ? belief.quantileMs(EARLY) : FIRST_WAIT_MS),
    ripeAfterMs: ({ roundMs, isSending }) => {
      const latest = belief.quantileMs(isSending ? SURE : LATE);
      return bounded(Math.min(Math.max(roundMs, belief.quantileMs(EARLY)), latest));
    },
    scoutAfterMs: () =>
      belief.isGrounded() ? Number.POSITIVE_INFINITY : Math.max(FIRST_WAIT_MS, 2 * scoutedMs),
    nextWaitMs: (pendingMs, { roundMs, isEnding }) => {
      const shareMs = pendingMs * (isEnding ? ENDING_SHARE : WAIT_SHARE);
      const sureMs = belief.quantileMs(SURE, pendingMs) - pendingMs;
      return bounded(Math.max(shareMs, Math.min(roundMs, sureMs)));
    },
  };
}

/** For results that webhooks bring: polls only what is overdue. */
export function createOverdueSchedule(): PollSchedule {
  const latency = createLatency();
  return {
    ...NEVER_UNRIPE,
    // A poll comes late on purpose: it says nothing of when a webhook would have come.
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

/** For results that webhooks alone bring: the one poll is at the deadline, before giving up. */
export function createDeadlineSchedule(): PollSchedule {
  return {
    ...NEVER_UNRIPE,
    observe: () => undefined,
    firstWaitMs: () => Number.POSITIVE_INFINITY,
  };
}

/** What is asked for because it is late is worth its request, whatever else there is to ask. */
const NEVER_UNRIPE = {
  observePending: () => undefined,
  ripeAfterMs: () => 0,
  scoutAfterMs: () => Number.POSITIVE_INFINITY,
  nextWaitMs: (pendingMs: number, { roundMs }: Pressure) =>
    bounded(Math.min(Math.max(roundMs, pendingMs * WAIT_SHARE), pendingMs)),
} satisfies Partial<PollSchedule>;

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
