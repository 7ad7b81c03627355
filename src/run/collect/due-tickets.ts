// The due tickets: fetched from the store, and judged by whether each is worth its request now. It also keeps the
// tickets that are being polled.
import type { Pressure } from '../../model/schedule/poll-schedule.js';
import type { Platform } from '../../ports/platform.js';
import type { AwaitedEnrichment } from '../../ports/store/enrichments.js';
import type { ReadingContext, RunContext, SettlingContext } from '../run-context.js';

/** Other processes may settle enrichments that are awaited here. */
const LOOK_AGAIN_MS = 5_000;
/** Tickets that were due this long ago may have been answered by a webhook since. */
const DUE_FRESH_MS = 1_000;
/** At least so many tickets are fetched, and those of a whole bulk call. */
const FETCH_MIN = 200;
/** As many ripe tickets keep the polls busy: others that become due meanwhile need not be fetched yet. */
const ENOUGH = FETCH_MIN / 2;
/** Polls are never planned further ahead without webhooks. */
const POLLED_WITHIN_MS = 60_000;

export interface Judged {
  readonly ripe: readonly AwaitedEnrichment[];
  /** The time at which the next ticket will be ripe, if none is. */
  readonly nextAt: number;
}

export class DueTickets {
  readonly #context: RunContext;
  /** Tickets that were fetched and are due, but not being polled yet. */
  #due: readonly AwaitedEnrichment[] = [];
  #fetchedAt = Number.NEGATIVE_INFINITY;
  /** Tickets that are being polled: the store still lists them as due. */
  readonly #asked = new Set<number>();

  constructor(context: RunContext) {
    this.#context = context;
  }

  /** Whether to ask the store for due tickets; `isIdle`: no poll is under way. */
  isTimeToFetch(isIdle: boolean): boolean {
    const { backlog, clock } = this.#context;
    const ageMs = clock.now() - this.#fetchedAt;
    const isOneDue = backlog.nextPollAt <= clock.now();
    if (this.#due.length > 0) {
      if (ageMs >= DUE_FRESH_MS) return true;
      // Tickets that are due and not yet ripe must not hold up those that have become due since the last fetch.
      const isDueSinceFetch = isOneDue && backlog.nextPollAt > this.#fetchedAt;
      return isDueSinceFetch && this.judge().ripe.length < ENOUGH;
    }
    if (isOneDue) return true;
    if (backlog.awaiting === 0) return false;
    // Tickets are awaited, none is being polled, and no due time is known: the store has it.
    const isNoneExpected = isIdle && backlog.nextPollAt === Number.POSITIVE_INFINITY;
    return isNoneExpected || ageMs >= LOOK_AGAIN_MS;
  }

  async fetch(
    filter: (due: readonly AwaitedEnrichment[]) => Promise<readonly AwaitedEnrichment[]>,
  ): Promise<void> {
    const { backlog, bulkMax, clock, run, store } = this.#context;
    const now = clock.now();
    const most = Math.max(FETCH_MIN, bulkMax);
    this.#fetchedAt = now;
    // The store may list a poll as due that lands while it is asked.
    const busy = new Set(this.#asked);
    backlog.fetchingDue();
    const free = await store.awaited(run.id, most, now, [...busy]);
    const dueNow = free.filter(({ pollAt }) => pollAt <= now);
    this.#due = await filter(dueNow);
    const next = free[dueNow.length]?.pollAt ?? (free.length === most ? now : undefined);
    // If the clock was set back, this would otherwise wait for as long as it was ahead.
    if (next !== undefined) backlog.expectPoll(Math.min(next, now + LOOK_AGAIN_MS));
    // Another run may have taken over or settled the enrichments that were counted here.
    if (free.length === 0 && busy.size === 0) backlog.noneAwaited();
  }

  judge(): Judged {
    const { clock, schedule } = this.#context;
    const now = clock.now();
    const ripeAfterMs = schedule.ripeAfterMs(pressureOf(this.#context));
    const ripeAt = (one: AwaitedEnrichment): number =>
      one.pollCount > 0 ? one.pollAt : Math.min(sentAt(one) + ripeAfterMs, one.deadlineAt);
    const ripe = this.#due.filter((awaited) => ripeAt(awaited) <= now);
    return { ripe, nextAt: ripe.length > 0 ? Infinity : Math.min(...this.#due.map(ripeAt)) };
  }

  wakeAt({ ripe, nextAt }: Judged, now: number): number {
    const { backlog } = this.#context;
    // Ripe tickets only wait for room: a landing poll wakes the step. Tickets that were due at the last fetch are
    // fetched.
    const isFetched = this.#due.length > 0 && backlog.nextPollAt <= this.#fetchedAt;
    const dueAt = ripe.length > 0 || isFetched ? Infinity : backlog.nextPollAt;
    if (backlog.awaiting > 0) return Math.min(nextAt, dueAt, this.#fetchedAt + LOOK_AGAIN_MS);
    // Nothing is awaited: only the wait for webhooks can still end.
    const webhooksUntil = backlog.awaitsWebhook(now) ? backlog.webhookUntil : Infinity;
    return Math.min(nextAt, dueAt, webhooksUntil);
  }

  /** Marks tickets as being polled, until each has `landed`. */
  take(taken: readonly AwaitedEnrichment[]): void {
    for (const { id } of taken) this.#asked.add(id);
    this.#due = this.#due.filter(({ id }) => !this.#asked.has(id));
  }

  landed({ id }: AwaitedEnrichment): void {
    this.#asked.delete(id);
  }
}

/** By a clock that has been set back since, it was due before. */
function sentAt({ pollAt, submittedAt }: AwaitedEnrichment): number {
  return Math.min(submittedAt, pollAt);
}

/** The requests that a run still has to make, and the least time for them: the next look is weighed against that. */
export function pressureOf({
  backlog,
  bulkMax,
  platform,
}: Pick<SettlingContext, 'backlog' | 'bulkMax'> & {
  readonly platform: Pick<Platform, 'leastMs'> & Partial<Pick<Platform, 'readsTogether'>>;
}): Pressure {
  const { answered, awaiting, isReading, queued, sendable } = backlog;
  const open = queued + awaiting;
  const roundMs = platform.leastMs(
    Math.ceil(sendable / bulkMax) +
      Math.ceil(awaiting / (platform.readsTogether === true ? bulkMax : 1)),
  );
  return {
    roundMs,
    isSending: sendable > 0 && roundMs > 0,
    openShare: isReading || open === 0 ? 1 : open / (open + answered),
  };
}

/**
 * An earlier process or a run of another job may have counted on webhooks and put the polls off, or gone by a clock
 * that has been set back.
 */
export async function bringPollsForward({
  clock,
  deadlineMs,
  run,
  schedule,
  store,
}: ReadingContext): Promise<void> {
  const now = clock.now();
  const waitMs = Math.min(schedule.firstWaitMs(), deadlineMs);
  const later = now + Math.max(waitMs, POLLED_WITHIN_MS);
  await store.pollSooner(run.id, now + waitMs, { later, deadlineAt: now + deadlineMs });
}
