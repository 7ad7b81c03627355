// The one limiter of all requests: it gives permits, holds all requests back while the platform says so, and learns
// from every response (docs/guarantees.md, The platform's limit holds). slots.ts counts, wait-queue.ts orders the
// waiting requests, permits.ts follows each permit, and rate-headers.ts reads the headers about the limit.
import { type LimitUse, type Rate, UNUSED } from '../../model/schedule/rate.js';
import type { RunObserver } from '../../model/telemetry/observe.js';
import type { Clock } from '../../ports/clock.js';
import type { Permit, RequestKind } from '../../ports/platform.js';
import { createAlarm } from './alarm.js';
import { createPauses } from './pauses.js';
import { createPermits, type Start } from './permits.js';
import { createShare, NOT_SHARED, type SharedLimit } from './share.js';
import { createSlots, type RateReading } from './slots.js';
import { createWaitQueue } from './wait-queue.js';

export interface LimiterOptions {
  readonly limit: Rate;
  /** Must not go back; its steps should be finer than a millisecond. */
  readonly clock: Clock;
  /** The number of permits that may be out and unfinished at once; by default, as many as the limit allows. */
  readonly inFlightMax?: number;
  /** The slots that other processes hold when the limiter opens. */
  readonly usedByOthers?: LimitUse;
  /** The source of slots if other processes send at the same time. */
  readonly shared?: SharedLimit | undefined;
  readonly observe?: RunObserver;
}

interface StartOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default true; false for a request that is refused (`must_wait`) if others wait. */
  readonly mayWait?: boolean;
}

export interface Limiter {
  /**
   * As `Platform.reserve`: 1 to `max` permits, as many as are free now; none when aborted or closed. Rejects if the
   * store that deals out the slots failed for good.
   */
  reserve(kind: RequestKind, max: number, signal?: AbortSignal): Promise<Permit[]>;
  /**
   * Call it before a permit's request is sent: it waits during a pause, or if the capacity has fallen. A permit whose
   * request does not start is released.
   * @throws Error for a permit that was used or released before
   */
  start(permit: Permit, options?: StartOptions): Promise<Start>;
  /** Notes that the permit's response began to arrive, or its request failed. Idempotent. */
  finish(permit: Permit, reading?: RateReading): void;
  /** Holds every request back for `ms`, at most one hour. The longest pause counts. */
  pause(ms: number): void;
  /** Holds every request back for `ms`; then one is a trial, and the others wait until `answered` reports it. */
  pauseAndTry(ms: number): void;
  isTrial(): boolean;
  /** Notes that the answer to a request that started at this moment asks for no pause. Call it before `finish`. */
  answered(startedMs: number): void;
  /** The least time that this many requests take under the limit, once it is their turn; 0 without a limit. */
  leastMs(requests: number): number;
  use(): LimitUse;
  /** Ends every wait with nothing. Idempotent. */
  close(): void;
  /** Gives all slots back, once no request is on its way. Idempotent. */
  leave(): Promise<void>;
}

export function openLimiter(options: LimiterOptions): Limiter {
  const { limit, clock, inFlightMax = Infinity, usedByOthers = UNUSED } = options;
  const { observe, shared } = options;
  const openedMs = clock.now();
  const othersUntilMs = usedByOthers.slotsMs.map((ms) => openedMs + ms);
  const first = shared === undefined ? { othersUntilMs } : { owned: 0 };
  const slots = createSlots(limit, inFlightMax, first);
  const queue = createWaitQueue(pump);
  const permits = createPermits(slots, pump);
  const alarm = createAlarm(clock, pump);
  const pauses = createPauses(openedMs + usedByOthers.pauseMs);
  const share =
    shared === undefined
      ? NOT_SHARED
      : createShare({ shared, slots, pauses, clock, onChange: pump, onFailure: fail });
  let isClosed = false;
  let failure: { readonly error: unknown } | undefined;

  function fail(error: unknown): void {
    failure = { error };
    queue.fail(error);
  }

  const mayStart = (nowMs: number): boolean => nowMs >= pauses.untilMs() && share.isValid(nowMs);

  /** Lets every request go that may go now, and sets the alarm for the rest. Every change of state ends here. */
  function pump(): void {
    const nowMs = clock.now();
    slots.expire(nowMs);
    slots.narrow(pauses.isTrial());
    if (mayStart(nowMs)) {
      permits.startWaiting(nowMs);
      queue.grant({ free: slots.grantable(nowMs), spare: slots.spare(nowMs), nowMs }, permits.give);
    }
    const isAwaited = permits.isWaiting() || queue.isWaiting();
    const freeMs = earliest(slots.nextFreeMs(nowMs), queue.keptUntilMs(nowMs));
    const wakeMs = nowMs < pauses.untilMs() ? pauses.untilMs() : freeMs;
    if (isAwaited && wakeMs !== undefined) alarm.set(wakeMs);
    else alarm.clear();
    share.plan(queue.wanted(), permits.isWaiting());
  }

  return {
    reserve: (kind, max, signal) => {
      if (failure !== undefined) return Promise.reject(failure.error);
      if (isClosed || max < 1 || signal?.aborted === true) return Promise.resolve([]);
      const onEnd = observe && observeWait(observe, kind, clock);
      return queue.wait({ kind, permitsMax: max, signal, onEnd });
    },
    start: (permit, { signal, mayWait = true } = {}) => {
      permits.checkUnused(permit);
      if (isClosed || signal?.aborted === true) return refuse(permit, 'stopped');
      // The requests that wait already go first.
      pump();
      const nowMs = clock.now();
      const canStart = mayStart(nowMs) && slots.canStart(nowMs);
      if (!mayWait && !canStart) return refuse(permit, 'must_wait');
      return permits.start(permit, signal);
    },
    finish: (permit, reading) => permits.finish(permit, clock.now(), reading),
    pause: (ms) => {
      pauses.add(ms, clock.now());
      pump();
    },
    pauseAndTry: (ms) => {
      pauses.addTrial(ms, clock.now());
      pump();
    },
    isTrial: () => pauses.isTrial(),
    answered: (startedMs) => {
      if (!pauses.isTrial()) return;
      pauses.answered(startedMs);
      pump();
    },
    leastMs: (requests) => slots.leastMs(requests, clock.now()),
    use: () => ({
      slotsMs: [...slots.heldMs(clock.now()), ...share.heldMs(clock.now())],
      pauseMs: pauses.ownMs(clock.now()),
    }),
    close: () => {
      isClosed = true;
      alarm.clear();
      queue.clear();
      permits.stopWaiting();
    },
    leave: () => share.leave(),
  };
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function refuse(permit: Permit, start: Start): Promise<Start> {
  permit.release();
  return Promise.resolve(start);
}

/** A shorter wait, which a timer cannot measure, is not reported. */
const WAIT_MS_MIN = 1;

function observeWait(
  observe: RunObserver,
  request: RequestKind,
  clock: Clock,
): (permits: readonly Permit[]) => void {
  const sinceMs = clock.now();
  return ({ length: permits }) => {
    const durationMs = clock.now() - sinceMs;
    if (durationMs >= WAIT_MS_MIN) observe({ kind: 'limit.waited', request, permits, durationMs });
  };
}
