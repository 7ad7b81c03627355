// The remaining time of a run, by the speed of its sends and answers, and by the rate limit. Answers follow sends after
// some time: the last one comes that long after the last send. A pause, or a start with answers that waited, is soon
// forgotten.
import type { Run } from '../run.js';
import { leadsIn, openLeads, type RunTally } from '../tally.js';
import { formatDuration } from '../text/format-time.js';
import type { CapState } from './caps.js';
import { deviationAbove } from './normal.js';
import { type Pace as BestPace, leastRunMs } from './rate.js';

/** The enrichments of a run, or its leads, by their progress. */
export interface DoneLeads {
  readonly asked: number;
  readonly sent: number;
  /** The part of `sent` that the watched process sent; the others are only awaited. */
  readonly sentHere: number;
  readonly settled: number;
  /** The number of `asked` that its budget, or a cap, suffices for; absent without. */
  readonly payable?: number | undefined;
  /** Whether that is by a cap, which leaves less than the budget. Default: false. */
  readonly isByCap?: boolean;
  /** Whether leads are counted, of which several may share an enrichment. Default: false. */
  readonly areLeads?: boolean;
}

export interface TimeLeft {
  readonly ms: number;
  /** Whether too few answers have come for a sure estimate. */
  readonly isRough: boolean;
  /** Whether it is only what the limit takes, because too little is known of the answers. */
  readonly isLeast?: true;
  /** Whether the time ends with the budget, with leads still to send. */
  readonly isToBudget?: true;
  /** The same of a cap. */
  readonly isToCap?: true;
}

export interface Pace {
  /**
   * The remaining time if the speed stays the same; null if nothing was sent or answered lately. `best`: the best
   * possible speed.
   */
  left(at: number, done: DoneLeads, best?: BestPace): TimeLeft | null;
}

interface Look extends Omit<DoneLeads, 'areLeads' | 'asked' | 'isByCap' | 'payable'> {
  readonly at: number;
}

const LOOK_EVERY_MS = 1_000;
/** The limit of looks; of more, those of the older half are thinned out. */
const LOOKS_MAX = 480;
/** Speed is measured over this time, these windows of the limit, or these steps, whichever is longest. */
const OVER_MS = 30_000;
const OVER_WINDOWS = 3;
const OVER_STEPS = 8;
/** The speed of answers is measured over this time once all is sent, or over windows of the limit. */
const SPEED_MS = 5_000;
/** From this share of the limit on, the answers are held up by it. */
const LIMITED_SHARE = 0.65;
/** The slowest answer is guessed from this share of answers on: before, most looks may not have been made. */
const SHOWN_SHARE = 0.4;
/** The spread of latencies (sigma) as it is usual, and its bounds. */
const SPREAD_USUAL = 0.6;
const SPREAD_MIN = 0.3;
const SPREAD_MAX = 0.9;
/** The pause, in times of the usual time between two steps, after which no estimate is given. */
const IDLE_STEPS = 5;
/** The estimate is sure from this share of answers on, or from this number. */
const SURE_SHARE = 0.05;
const SURE_ANSWERS = 1_000;

/** `beganAt`: the time before any work, if it is known. */
export function createPace(beganAt?: number): Pace {
  let looks: Look[] =
    beganAt === undefined ? [] : [{ at: beganAt, sent: 0, sentHere: 0, settled: 0 }];

  const record = (now: Look): readonly Look[] => {
    const last = looks.at(-1);
    if (last !== undefined && now.at - last.at < LOOK_EVERY_MS) return [...looks, now];
    looks.push(now);
    if (looks.length > LOOKS_MAX) {
      looks = looks.filter((_, n) => n >= LOOKS_MAX / 2 || n % 2 === 0);
    }
    return looks;
  };

  return {
    left(at, { areLeads = false, asked: all, isByCap = false, payable = all, ...done }, best) {
      const history = record({ at, ...done });
      const asked = Math.min(all, Math.max(payable, done.sent));
      if (done.settled >= asked) return null;
      const windowMs = best === undefined || best.limit === 'off' ? 0 : best.limit.perMs;
      const overMs = Math.max(OVER_MS, OVER_WINDOWS * windowMs);
      const answers = done.settled - (history[0]?.settled ?? 0);
      const isRough = answers < Math.min(SURE_SHARE * asked, SURE_ANSWERS);
      // Once the speed is known, the limit's time for leads that share enrichments is too long to count.
      const isBounded = best !== undefined && (isRough || !areLeads);
      const least = isBounded ? leastMs(best, { asked, ...done }) : null;
      const end = isByCap ? ({ isToCap: true } as const) : ({ isToBudget: true } as const);
      const ending = asked < all ? end : {};
      const atLeast =
        least === null ? null : ({ ms: least, isRough, isLeast: true, ...ending } as const);
      // Sending may be held until first answers come.
      if (isRough && atLeast !== null && done.sent < asked) return atLeast;
      const told =
        done.sent < asked
          ? untilLastSend(history, asked, { best, overMs })
          : untilAnswered(history, asked, { best, least });
      if (told === null) return done.sent < asked ? null : atLeast;
      return { ms: Math.max(told, least ?? 0), isRough, ...ending };
    },
  };
}

/** The least time that the limit allows for the rest. */
function leastMs(best: BestPace, { asked, sent, settled }: DoneLeads): number | null {
  return leastRunMs(best, asked - sent, best.isRead ? Math.max(0, sent - settled) : 0);
}

/**
 * The time until the last send, and for its answer. If answers are polled, that slows the sends down once they come, so
 * both are counted as work.
 */
function untilLastSend(
  looks: readonly Look[],
  asked: number,
  { best, overMs }: { readonly best: BestPace | undefined; readonly overMs: number },
): number | null {
  const { sent, settled } = looks.at(-1) as Look;
  const ofSend = 1 / (best?.perCall ?? 1);
  const hasAnswers = settled > (looks[0] as Look).settled;
  const ofAnswer = best?.isRead === false || !hasAnswers ? 0 : 1;
  const work = ({ sentHere, settled: answered }: Look) => ofSend * sentHere + ofAnswer * answered;
  const speed = speedOf(looks, work, overMs, 1);
  if (speed === null) return null;
  const left = (ofSend * (asked - sent) + ofAnswer * (asked - settled)) / speed;
  return ofAnswer === 0 ? left + (delayOf(looks) ?? 0) : left;
}

/**
 * The time until all are answered: what the limit takes where their speed since the last send is about that, or else by
 * how long the slowest take.
 */
function untilAnswered(
  looks: readonly Look[],
  asked: number,
  { best, least }: { readonly best: BestPace | undefined; readonly least: number | null },
): number | null {
  const now = looks.at(-1) as Look;
  const limit = best === undefined || best.limit === 'off' ? undefined : best.limit;
  const overMs = Math.max(SPEED_MS, OVER_WINDOWS * (limit?.perMs ?? 0));
  const since = looks.filter(({ at, sent }) => sent >= now.sent && at >= now.at - overMs);
  const [first] = since;
  const speed = first === undefined ? 0 : (now.settled - first.settled) / (now.at - first.at || 1);
  const isAtLimit =
    best?.isRead === true &&
    limit !== undefined &&
    speed > (LIMITED_SHARE * limit.requests) / limit.perMs;
  // Misses may wait for their second look, and are then settled together.
  return isAtLimit ? (least ?? (asked - now.settled) / speed) : untilSlowest(looks, asked);
}

/**
 * The time until the slowest of all is answered, if latencies are log-normal: their spread is taken from the present
 * look, and from the one at which half as many were answered. Null if too few are answered to show it.
 */
function untilSlowest(looks: readonly Look[], asked: number): number | null {
  const now = looks.at(-1) as Look;
  const begunAt = meanSentAt(looks);
  const half = looks.find(({ settled }) => settled >= now.settled / 2) as Look;
  const at = (look: Look) => ({
    ageLog: Math.log(Math.max(1, look.at - begunAt)),
    deviation: -deviationAbove(look.settled / asked),
  });
  if (now.settled < SHOWN_SHARE * asked || now.at <= begunAt) return null;
  const [last, early] = [at(now), at(half)];
  const measured = (last.ageLog - early.ageLog) / (last.deviation - early.deviation);
  const isSeen = half.sent >= now.sent && last.deviation - early.deviation > 0.2;
  const spread = isSeen ? Math.min(Math.max(measured, SPREAD_MIN), SPREAD_MAX) : SPREAD_USUAL;
  // Half of all runs have their slowest answer by then.
  const slowest = deviationAbove(0.7 / asked);
  const left = Math.exp(last.ageLog + spread * (slowest - last.deviation)) - (now.at - begunAt);
  return left > 0 ? left : null;
}

/** The mean time at which the enrichments were sent. */
function meanSentAt(looks: readonly Look[]): number {
  let [sum, sent] = [0, 0];
  for (const look of looks) {
    sum += (look.sent - sent) * look.at;
    ({ sent } = look);
  }
  return sum / Math.max(1, sent);
}

/** The present delay of answers: the time since as many were sent as are answered by now; null if that was not seen. */
function delayOf(looks: readonly Look[]): number | null {
  const now = looks.at(-1) as Look;
  const after = looks.findIndex(({ sent }) => sent >= now.settled);
  const [before, next] = [looks[after - 1], looks[after]];
  if (before === undefined || next === undefined) return null;
  const share = (now.settled - before.sent) / (next.sent - before.sent);
  return now.at - (before.at + share * (next.at - before.at));
}

/** The work done in one ms lately, over at least `stepsMin` steps; null if there are fewer, or the work has stopped. */
function speedOf(
  looks: readonly Look[],
  doneAt: (look: Look) => number,
  overMs: number,
  stepsMin: number,
): number | null {
  const now = looks.at(-1) as Look;
  // Steps, backwards: each look at which more was done than at the one before it.
  const steps: Look[] = [];
  let from = looks[0] as Look;
  for (let n = looks.length - 1; n > 0; n -= 1) {
    const [before, look] = [looks[n - 1] as Look, looks[n] as Look];
    if (doneAt(look) > doneAt(before)) steps.push(look);
    from = before;
    if (now.at - before.at >= overMs && steps.length >= OVER_STEPS) break;
  }
  const [last, oldest] = [steps[0], steps.at(-1)];
  if (last === undefined || oldest === undefined || steps.length < stepsMin) return null;
  // The work of the first step was done before it.
  const start = steps.length > 1 ? oldest : from;
  const stepMs = (last.at - start.at) / Math.max(1, steps.length - 1);
  const sinceMs = now.at - last.at;
  if (sinceMs > Math.max(overMs, IDLE_STEPS * stepMs)) return null;
  // The next step is not due yet.
  const end = sinceMs <= stepMs ? last : now;
  return end.at > start.at ? (doneAt(end) - doneAt(start)) / (end.at - start.at) : null;
}

/**
 * `about 17 min left`, `at least 28 s left`, or `… until its budget is spent`, `… until a cap is met`; empty if it is
 * not known, or almost over.
 */
export function describeLeft(left: TimeLeft | null): string {
  if (left === null || left.ms < 1_000) return '';
  const { isLeast, isRough, isToBudget, isToCap, ms } = left;
  const capped = isToCap === true ? 'until a cap is met' : 'left';
  const what = isToBudget === true ? 'until its budget is spent' : capped;
  if (isLeast === true) return `at least ${formatDuration(ms)} ${what}`;
  if (!isRough) return `${formatDuration(ms)} ${what}`;
  const unitMs = ms < 60_000 ? 10_000 : ms < 3_600_000 ? 60_000 : 600_000;
  return `about ${formatDuration(Math.max(1, Math.round(ms / unitMs)) * unitMs)} ${what}`;
}

/** The least number of enrichments that show the cost of one. */
const COSTS_KNOWN_FROM = 20;

/**
 * The number of enrichments for which a budget, or a cap, suffices, with the `settled` ones, at the cost of those; at the highest
 * price if they are few. Undefined if that is not known, or they cost nothing.
 */
export function payableWith(
  remaining: number,
  {
    credits,
    priceMax = 0,
    settled,
  }: { credits: number; priceMax?: number | undefined; settled: number },
): number | undefined {
  const each = settled < COSTS_KNOWN_FROM ? priceMax : credits / settled;
  return each > 0 ? settled + Math.floor(Math.max(0, remaining) / each) : undefined;
}

/** The progress of a run that any process works on, from its counts, and the caps under which it sends. */
export function doneLeads(
  { budget, leadCount, priceMax }: Pick<Run, 'budget' | 'leadCount' | 'priceMax'>,
  tally: RunTally,
  caps: readonly CapState[] = [],
): DoneLeads {
  const sent = leadCount - leadsIn(tally, 'queued');
  const settled = leadCount - openLeads(tally);
  const { credits } = tally;
  const [tightest] = [
    ...(budget === undefined ? [] : [{ isByCap: false, left: budget - credits }]),
    ...caps.map((cap) => ({ isByCap: true, left: cap.credits - cap.spent })),
  ].toSorted((a, b) => a.left - b.left);
  return {
    asked: leadCount,
    payable: tightest && payableWith(tightest.left, { credits, priceMax, settled }),
    isByCap: tightest?.isByCap === true,
    sent,
    sentHere: sent,
    settled,
    areLeads: true,
  };
}
