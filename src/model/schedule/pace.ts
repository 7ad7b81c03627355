// The remaining time of a run: by the speed of its sends and answers lately, and no less than the rate limit takes.
import type { Run } from '../run.js';
import { leadsIn, openLeads, type RunTally } from '../tally.js';
import { formatDuration } from '../text/format-time.js';
import type { CapState } from './caps.js';
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
  /** Whether leads are counted, of which several may share an enrichment. Default: false. */
  readonly areLeads?: boolean;
}

export interface TimeLeft {
  readonly ms: number;
  /** Whether too few answers have come for a sure estimate. */
  readonly isRough: boolean;
  /** Whether it is only what the limit takes, because too little is known of the answers. */
  readonly isLeast?: true;
}

export interface Pace {
  /** Null if nothing was sent or answered lately, or its budget ends the sending. `best`: the best possible speed. */
  left(at: number, done: DoneLeads, best?: BestPace): TimeLeft | null;
}

type Look = Pick<DoneLeads, 'sent' | 'sentHere' | 'settled'> & { readonly at: number };

/** Speed is measured over this time, these windows of the limit, or so many looks, whichever is longest. */
const OVER_MS = 30_000;
const OVER_WINDOWS = 3;
const LOOKS_MIN = 8;
/** In that time no more looks are remembered. */
const LOOKS_MAX = 30;
/** The pause, in times of the usual time between two looks that differ, after which no estimate is given. */
const IDLE_LOOKS = 5;
/** The estimate is sure from this share of answers on, or from this number. */
const SURE_SHARE = 0.05;
const SURE_ANSWERS = 1_000;

/** `beganAt`: the time before any work, if it is known. */
export function createPace(beganAt?: number): Pace {
  const looks: Look[] =
    beganAt === undefined ? [] : [{ at: beganAt, sent: 0, sentHere: 0, settled: 0 }];
  let first: Look | undefined = looks[0];
  let last: Look | undefined;
  let changedAt = 0;
  let told = Number.POSITIVE_INFINITY;

  const record = (now: Look, overMs: number): void => {
    first ??= now;
    if (last?.sent !== now.sent || last.settled !== now.settled) {
      changedAt = now.at;
      told = Number.POSITIVE_INFINITY;
    }
    last = now;
    const isSoon = now.at - (looks.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < overMs / LOOKS_MAX;
    if (changedAt === now.at && !isSoon) looks.push(now);
    while (looks.length > LOOKS_MIN && (looks[1]?.at ?? now.at) <= now.at - overMs) looks.shift();
  };

  return {
    left(at, { areLeads = false, asked, payable = asked, ...done }, best) {
      const { sent, settled } = done;
      const windowMs = best?.limit[0]?.perMs ?? 0;
      const overMs = Math.max(OVER_MS, OVER_WINDOWS * windowMs);
      const now: Look = { at, ...done };
      record(now, overMs);
      if (settled >= asked || payable < asked) return null;
      const isSent = sent >= asked;
      const answers = settled - (first?.settled ?? 0);
      const isRough = answers < Math.min(SURE_SHARE * asked, SURE_ANSWERS);
      // Once the speed is known, the limit's time for leads that share enrichments is too long to count.
      const isBounded = best !== undefined && (isRough || !areLeads);
      const least = isBounded
        ? leastRunMs(best, asked - sent, best.isRead ? Math.max(0, sent - settled) : 0)
        : null;
      const atLeast = least === null ? null : ({ ms: least, isRough, isLeast: true } as const);
      // Sending may wait until first answers come.
      if (isRough && atLeast !== null) return atLeast;
      // Where answers are polled they take requests from the sends, so both are work until all is sent.
      const ofSend = isSent ? 0 : 1 / (best?.perCall ?? 1);
      const ofAnswer = isSent || (best?.isRead !== false && answers > 0) ? 1 : 0;
      const since = looks.filter((look) => !isSent || look.sent >= sent);
      const from = since[0] ?? now;
      const work = ofSend * (done.sentHere - from.sentHere) + ofAnswer * (settled - from.settled);
      const usualMs = (changedAt - from.at) / Math.max(1, since.length);
      const isIdle = at - changedAt > Math.max(overMs, IDLE_LOOKS * usualMs);
      if (isIdle || work <= 0 || at <= from.at) return isSent ? atLeast : null;
      const left = ofSend * (asked - sent) + ofAnswer * (asked - settled);
      const ms = Math.max((left * (at - from.at)) / work, least ?? 0);
      // Time that passes alone makes nothing longer, but for what a few answers say.
      told = isRough ? ms : Math.min(told, ms);
      return { ms: told, isRough };
    },
  };
}

/** `about 17 min left`, `at least 28 s left`; empty if it is not known, or almost over. */
export function describeLeft(left: TimeLeft | null): string {
  if (left === null || left.ms < 1_000) return '';
  const { isLeast, isRough, ms } = left;
  if (isLeast === true) return `at least ${formatDuration(ms)} left`;
  if (!isRough) return `${formatDuration(ms)} left`;
  const unitMs = ms < 60_000 ? 10_000 : ms < 3_600_000 ? 60_000 : 600_000;
  return `about ${formatDuration(Math.max(1, Math.round(ms / unitMs)) * unitMs)} left`;
}

/** The least number of enrichments that show the cost of one. */
const COSTS_KNOWN_FROM = 20;

/** By the cost of the `settled` ones, or the highest price if they are few; undefined if that is unknown or nothing. */
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
  const least = Math.min(
    ...(budget === undefined ? [] : [budget - credits]),
    ...caps.map((cap) => cap.credits - cap.spent),
  );
  return {
    asked: leadCount,
    payable: payableWith(least, { credits, priceMax, settled }),
    sent,
    sentHere: sent,
    settled,
    areLeads: true,
  };
}
