// The one limiter of all requests: it gives permits, holds all requests back while the platform says so, and
// learns from every response (docs/guarantees.md, The platform's limit holds). The counting is in slots.ts, the
// order of the waiting requests in wait-queue.ts.
import { type HeldLimit, NOTHING_HELD } from '../../model/schedule/held-limit.js';
import type { Rate } from '../../model/schedule/rate.js';
import { RETRY_AFTER_MS_MAX } from '../../model/schedule/retry-after.js';
import type { RunObserver } from '../../model/telemetry/run-event.js';
import type { Clock } from '../../ports/clock.js';
import type { Permit, RequestKind } from '../../ports/platform.js';
import { createAlarm } from './alarm.js';
import { createSlots, type RateReading, type StartNote } from './slots.js';
import { createWaitQueue, type Waiter } from './wait-queue.js';

export interface LimiterOptions {
  readonly limit: Rate;
  /** Must not go back; its steps should be finer than a millisecond. */
  readonly clock: Clock;
  /** How many permits may be out and unfinished at once; without it, as many as the limit allows. */
  readonly inFlightMax?: number;
  /** What other processes hold of the limit as it opens. */
  readonly heldByOthers?: HeldLimit;
  /** Told of waits. */
  readonly observe?: RunObserver;
}

export interface StartOptions {
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** Default true; false for a request that is `held` where others wait. */
  readonly mayWait?: boolean;
}

/** `held`: it would have to wait, and may not. `stopped`: the signal aborted, or the limiter closed, first. */
export type Start = 'started' | 'held' | 'stopped';

export interface Limiter {
  /** As `Platform.reserve`: 1 to `max` permits, as many as are free now; none when aborted or closed. */
  reserve(kind: RequestKind, max: number, signal?: AbortSignal): Promise<Permit[]>;
  /**
   * Call before a permit's request is sent: waits while a pause holds, or the capacity has fallen. A
   * permit whose request does not start is released.
   * @throws Error for a permit that was used or released before
   */
  start(permit: Permit, options?: StartOptions): Promise<Start>;
  /** The permit's response began to arrive, or its request failed. Idempotent. */
  finish(permit: Permit, reading?: RateReading): void;
  /** Holds every request back for `ms`, at most one hour. The longest pause told counts. */
  pause(ms: number): void;
  /** The least time that so many requests take under the limit, once it is their turn; 0 without a limit. */
  leastMs(requests: number): number;
  /** As `Platform.held`. */
  held(): HeldLimit;
  /** Ends every wait with nothing. Idempotent. */
  close(): void;
}

interface Use {
  note?: StartNote;
}

interface Starter {
  readonly use: Use;
  readonly resolve: (start: Start) => void;
}

export function openLimiter(options: LimiterOptions): Limiter {
  const { limit, clock, inFlightMax = Infinity, heldByOthers = NOTHING_HELD, observe } = options;
  const openedMs = clock.now();
  const othersUntilMs = heldByOthers.slotsMs.map((ms) => openedMs + ms);
  const slots = createSlots(limit, inFlightMax, othersUntilMs);
  const queue = createWaitQueue();
  const alarm = createAlarm(clock, pump);
  const uses = new Map<Permit, Use>();
  let starting: Starter[] = [];
  /** The pauses that this process was told to make, and with those that others were. */
  let toldUntilMs = -Infinity;
  let pausedUntilMs = openedMs + heldByOthers.pauseMs;
  let isClosed = false;

  const held = (): HeldLimit => {
    const nowMs = clock.now();
    const slotsMs = limit === 'off' ? [] : slots.heldMs(nowMs);
    return { slotsMs, pauseMs: Math.max(0, toldUntilMs - nowMs) };
  };

  return { reserve, start, finish, pause, leastMs, held, close };

  function reserve(kind: RequestKind, max: number, signal?: AbortSignal): Promise<Permit[]> {
    if (isClosed || max < 1 || signal?.aborted === true) return Promise.resolve([]);
    const sinceMs = observe === undefined ? 0 : clock.now();
    return new Promise((resolve) => {
      const giveUp = () => {
        queue.remove(waiter);
        waiter.take([]);
        pump();
      };
      const take = (permits: Permit[]) => {
        signal?.removeEventListener('abort', giveUp);
        if (observe !== undefined) printWait(observe, kind, permits.length, clock.now() - sinceMs);
        resolve(permits);
      };
      const waiter: Waiter = { kind, permitsMax: max, take };
      signal?.addEventListener('abort', giveUp, { once: true });
      queue.add(waiter);
      pump();
    });
  }

  function start(permit: Permit, options: StartOptions = {}): Promise<Start> {
    const { signal, mayWait = true } = options;
    const use = uses.get(permit);
    if (use === undefined || use.note !== undefined) {
      throw new Error('This permit was used or released before: every request needs its own.');
    }
    if (isClosed || signal?.aborted === true) {
      permit.release();
      return Promise.resolve('stopped');
    }
    // Those who wait already go first.
    pump();
    if (!mayWait && !canStart(clock.now())) {
      permit.release();
      return Promise.resolve('held');
    }
    return new Promise((settle) => {
      const giveUp = () => {
        starting = starting.filter((other) => other.use !== use);
        resolve('stopped');
      };
      const resolve = (start: Start) => {
        signal?.removeEventListener('abort', giveUp);
        if (start !== 'started') permit.release();
        settle(start);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      starting.push({ use, resolve });
      pump();
    });
  }

  function finish(permit: Permit, reading?: RateReading): void {
    const note = uses.get(permit)?.note;
    if (note === undefined) {
      permit.release();
      return;
    }
    const nowMs = clock.now();
    uses.delete(permit);
    slots.end(nowMs);
    if (reading !== undefined) slots.learn(reading, note, nowMs);
    pump();
  }

  function pause(ms: number): void {
    const untilMs = clock.now() + Math.min(RETRY_AFTER_MS_MAX, Math.max(0, ms));
    toldUntilMs = Math.max(toldUntilMs, untilMs);
    pausedUntilMs = Math.max(pausedUntilMs, untilMs);
    pump();
  }

  function leastMs(requests: number): number {
    return slots.leastMs(requests, clock.now());
  }

  function close(): void {
    isClosed = true;
    alarm.clear();
    queue.clear();
    for (const { resolve } of starting.splice(0)) resolve('stopped');
  }

  /** Lets go whatever may go now, and sets the alarm for the rest. Every change of state ends here. */
  function pump(): void {
    const nowMs = clock.now();
    slots.expire(nowMs);
    if (nowMs >= pausedUntilMs) {
      startWaiting(nowMs);
      grantWaiting(nowMs);
    }
    const isIdle = starting.length === 0 && !queue.isWaiting();
    const wakeMs = nowMs < pausedUntilMs ? pausedUntilMs : slots.nextFreeMs(nowMs);
    if (isIdle || wakeMs === undefined) alarm.clear();
    else alarm.set(wakeMs);
  }

  function canStart(nowMs: number): boolean {
    return nowMs >= pausedUntilMs && slots.canStart(nowMs);
  }

  function startWaiting(nowMs: number): void {
    while (starting.length > 0 && slots.canStart(nowMs)) {
      const next = starting.shift();
      if (next === undefined) return;
      next.use.note = slots.begin();
      next.resolve('started');
    }
  }

  function grantWaiting(nowMs: number): void {
    for (let free = slots.grantable(nowMs); free > 0 && queue.isWaiting(); free--) {
      queue.grant(givePermit());
    }
    queue.settle();
  }

  function givePermit(): Permit {
    const permit: Permit = {
      release: () => {
        // A started request has used its permit up: only its response frees the slot.
        const use = uses.get(permit);
        if (use === undefined || use.note !== undefined) return;
        uses.delete(permit);
        slots.giveBack();
        pump();
      },
    };
    uses.set(permit, {});
    slots.take();
    return permit;
  }
}

/** Shorter than what a timer can tell: nothing was waited for. */
const WAIT_MS_MIN = 1;

function printWait(
  observe: RunObserver,
  request: RequestKind,
  permits: number,
  durationMs: number,
): void {
  if (durationMs >= WAIT_MS_MIN) observe({ kind: 'limit.waited', request, permits, durationMs });
}
