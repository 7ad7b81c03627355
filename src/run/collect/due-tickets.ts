// The tickets that are due: fetched from the store, and judged by whether each is worth its request now. Beside them
// the tickets that are being asked for.
import type { Pressure } from '../../model/schedule/poll-schedule.js';
import type { Platform } from '../../ports/platform.js';
import type { AwaitedEnrichment } from '../../ports/store/enrichments.js';
import type { RunContext, SettlingContext } from '../run-context.js';

/** The store is asked for due tickets at least this often: other processes may settle what is awaited here. */
const LOOK_AGAIN_MS = 5_000;
/** What was due this long ago may have been answered by a webhook since. */
const DUE_FRESH_MS = 1_000;
/** Looks at a time while nothing is known of the latency. */
const SCOUTS_MAX = 4;
/** Due tickets fetched together. */
const FETCH_MAX = 200;
/** A run that polls never plans further ahead. */
const POLLED_WITHIN_MS = 60_000;

export interface Judged {
  /**
   * Tickets that are worth their request now. Those whose empty answer is to be read again come last, but for as many as
   * have to show first whether such an answer can be believed.
   */
  readonly ripe: readonly AwaitedEnrichment[];
  /** Where none is: when the next ticket will be. */
  readonly nextAt: number;
}

export class DueTickets {
  readonly #context: RunContext;
  /** Fetched and due, not asked for yet. */
  #due: readonly AwaitedEnrichment[] = [];
  #fetchedAt = Number.NEGATIVE_INFINITY;
  /** Being asked for: the store still lists them as due. */
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
      // Tickets that are due and not yet ripe must not hold up those that have become due since the last fetch.
      const isDueSinceFetch = isOneDue && backlog.nextPollAt > this.#fetchedAt;
      return isDueSinceFetch || ageMs >= DUE_FRESH_MS;
    }
    if (isOneDue) return true;
    if (backlog.awaiting === 0) return false;
    // Tickets are awaited, none is being asked for, and no time is known at which one is due: the store knows.
    const isNoneExpected = isIdle && backlog.nextPollAt === Number.POSITIVE_INFINITY;
    return isNoneExpected || ageMs >= LOOK_AGAIN_MS;
  }

  /** Asks the store for due tickets; `filter` returns those of them that the platform has to be asked for. */
  async fetch(
    filter: (due: readonly AwaitedEnrichment[]) => Promise<readonly AwaitedEnrichment[]>,
  ): Promise<void> {
    const { backlog, clock, run, store } = this.#context;
    const now = clock.now();
    this.#fetchedAt = now;
    // A poll that lands while the store is asked is still listed as it was before.
    const busy = new Set(this.#asked);
    const limit = FETCH_MAX + busy.size;
    backlog.fetchingDue();
    const awaited = await store.awaited(run.id, limit, now);
    const free = awaited.filter(({ id }) => !busy.has(id));
    const dueNow = free.filter(({ pollAt }) => pollAt <= now);
    this.#due = await filter(dueNow);
    const next = free[dueNow.length]?.pollAt ?? (awaited.length === limit ? now : undefined);
    // A clock that was set back would make this wait for as long as it was ahead.
    if (next !== undefined) backlog.expectPoll(Math.min(next, now + LOOK_AGAIN_MS));
    // Another run may have taken over or ended what this run was counting on.
    if (awaited.length === 0 && busy.size === 0) backlog.noneAwaited();
  }

  judge(): Judged {
    const { clock, schedule } = this.#context;
    const now = clock.now();
    const pressure = pressureOf(this.#context);
    const ripeAfterMs = schedule.ripeAfterMs(pressure);
    const ripeAt = ({ deadlineAt, pollAt, pollCount, submittedAt }: AwaitedEnrichment): number =>
      pollCount > 0 ? pollAt : Math.min(submittedAt + ripeAfterMs, deadlineAt);
    const ripe = this.#due.filter((awaited) => ripeAt(awaited) <= now);
    if (ripe.length > 0 || this.#due.length === 0) {
      return { ripe: inOrder(ripe, this.#context), nextAt: Infinity };
    }
    // While nothing is known of the latency, a few looks at a time learn for all.
    const afterMs = this.#asked.size > 0 ? Infinity : schedule.scoutAfterMs(pressure);
    const scouts = this.#due.filter(({ submittedAt }) => submittedAt + afterMs <= now);
    const next = this.#due.map((one) => Math.min(ripeAt(one), one.submittedAt + afterMs));
    return { ripe: scouts.slice(0, SCOUTS_MAX), nextAt: Math.min(...next) };
  }

  /**
   * When to look again: for what becomes ripe or due, for what others settle, or when the wait for webhooks is over.
   */
  wakeAt({ ripe, nextAt }: Judged): number {
    const { backlog, clock } = this.#context;
    // Ripe tickets wait for room only: a landing poll wakes the step. And what was due at the last fetch is fetched.
    const isFetched = this.#due.length > 0 && backlog.nextPollAt <= this.#fetchedAt;
    const dueAt = ripe.length > 0 || isFetched ? Infinity : backlog.nextPollAt;
    if (backlog.awaiting > 0) return Math.min(nextAt, dueAt, this.#fetchedAt + LOOK_AGAIN_MS);
    // Nothing is awaited: only the wait for webhooks can still end.
    const webhooksUntil = backlog.awaitsWebhook(clock.now()) ? backlog.webhookUntil : Infinity;
    return Math.min(nextAt, dueAt, webhooksUntil);
  }

  /** These are being asked for now, until each has `landed`. */
  take(taken: readonly AwaitedEnrichment[]): void {
    for (const { id } of taken) this.#asked.add(id);
    this.#due = this.#due.filter(({ id }) => !this.#asked.has(id));
  }

  landed({ id }: AwaitedEnrichment): void {
    this.#asked.delete(id);
  }
}

/** First looks go before second ones, but for those that have to show whether first looks can be believed. */
function inOrder(
  ripe: readonly AwaitedEnrichment[],
  { readings }: Pick<RunContext, 'readings'>,
): AwaitedEnrichment[] {
  const lacking = { early: readings.lacksLooks('early'), late: readings.lacksLooks('late') };
  const ranks = new Map(
    ripe.map((one) => {
      if (!one.wasEmpty) return [one, 1];
      const kind = one.wasLate ? 'late' : 'early';
      lacking[kind] -= 1;
      return [one, lacking[kind] >= 0 ? 0 : 2];
    }),
  );
  return ripe.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}

/** What a run still has to ask, and how long that takes at least: the next look is weighed against it. */
export function pressureOf({
  backlog,
  bulkMax,
  platform,
}: Pick<SettlingContext, 'backlog' | 'bulkMax'> & {
  readonly platform: Pick<Platform, 'leastMs'>;
}): Pressure {
  const { answered, awaiting, isReading, queued } = backlog;
  const open = queued + awaiting;
  const roundMs = platform.leastMs(Math.ceil(queued / bulkMax) + awaiting);
  return {
    roundMs,
    isSending: queued > 0 && roundMs > 0,
    openShare: isReading || open === 0 ? 1 : open / (open + answered),
  };
}

/**
 * Makes due soon what this run awaits and would otherwise ask for much later. Tickets come from elsewhere too: an
 * earlier process or a run of another job may have counted on webhooks and put the polls off.
 */
export async function bringPollsForward({
  clock,
  run,
  schedule,
  store,
}: Pick<RunContext, 'clock' | 'run' | 'schedule' | 'store'>): Promise<void> {
  const waitMs = schedule.firstWaitMs();
  if (!Number.isFinite(waitMs)) return;
  const now = clock.now();
  await store.pollSooner(run.id, now + Math.max(waitMs, POLLED_WITHIN_MS), now + waitMs);
}
